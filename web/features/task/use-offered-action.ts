import type { RefObject } from 'react'
import { useEffect } from 'react'
import type { HumanTrigger } from '../../../core/task/transitions.ts'

/** Brings the button of a decision that a notification offered into sight, with the focus on it; it is not pressed. */
export function useOfferedAction(frame: RefObject<HTMLElement | null>, action: HumanTrigger | undefined): void {
  useEffect(() => {
    if (action === undefined) return
    const place = frame.current?.querySelector<HTMLElement>(`[data-action="${action}"]`)
    const control = place?.matches('button') === true ? place : place?.querySelector<HTMLElement>('button, textarea')
    control?.scrollIntoView({ block: 'center' })
    control?.focus()
  }, [frame, action])
}
