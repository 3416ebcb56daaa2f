import type { RefObject } from 'react'
import { useEffect } from 'react'
import type { HumanTrigger } from '../../../core/task/transitions.ts'

/**
 * Brings the place where a decision is made into sight, with the focus on that place and on no button: the link may come
 * from anybody, and Enter must not decide.
 */
export function useOfferedAction(frame: RefObject<HTMLElement | null>, action: HumanTrigger | undefined): void {
  useEffect(() => {
    if (action === undefined) return
    const place = frame.current?.querySelector<HTMLElement>(
      action === 'answer' ? '[data-question]' : '[data-decisions]',
    )
    // The decisions of a phone are in sight already, and what they are about stays so.
    place?.scrollIntoView({ block: 'nearest' })
    place?.focus({ preventScroll: true })
  }, [frame, action])
}
