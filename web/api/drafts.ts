/** Text that a person has begun to write, kept in this browser until it is sent. */
import { useState } from 'react'

const PREFIX = 'slipway.draft.'

/** The draft of that name and what sets it; an empty one is forgotten. */
export function useDraft(name: string): readonly [string, (text: string) => void] {
  const key = `${PREFIX}${name}`
  const [text, setText] = useState(() => localStorage.getItem(key) ?? '')
  const store = (next: string): void => {
    setText(next)
    if (next === '') localStorage.removeItem(key)
    else localStorage.setItem(key, next)
  }
  return [text, store]
}
