/** Text that a person has begun to write, kept in this browser until it is sent, or until they sign out. */
import { useLayoutEffect, useSyncExternalStore } from 'react'
import { browserDrafts } from './browser-drafts.ts'
import { useSession } from './session.ts'

/** The draft of that name, what sets it (an empty one is forgotten), and what forgets the same in every tab. */
export function useDraft(name: string): readonly [string, (text: string) => void, () => void] {
  const { name: person } = useSession()
  const place = { person, name }
  const drafts = browserDrafts()
  useLayoutEffect(() => {
    if (person !== '') drafts.claim({ person, name })
  }, [drafts, person, name])
  const text = useSyncExternalStore(drafts.subscribe, () => drafts.read(place))
  return [text, (next) => drafts.write(place, next), () => drafts.forget(place)]
}
