import { useState } from 'react'
import type { Task } from '../../../core/rest/client/client.ts'
import { canReview } from '../../model/review.ts'
import { useNarrow } from '../../components/use-narrow.ts'

export interface ReviewFormState {
  readonly isOpen: boolean
  /** The person has just asked for it, so it takes the focus. */
  readonly isAsked: boolean
  /** The person has closed it, so its button has the focus again. */
  readonly isClosed: boolean
  readonly open: () => void
  readonly close: () => void
}

interface Opened {
  /** The execution whose work it is about; the form is not open for the next one. */
  readonly of: string | undefined
  readonly how: 'offered' | 'asked' | 'closed'
}

/**
 * Whether the form for what is to be different is open.
 *
 * @param isOffered a link leads to it
 * @param isBegun something is written in it: on a phone it is then there to be sent
 */
export function useReviewForm(task: Task, isOffered: boolean, isBegun: boolean): ReviewFormState {
  const isNarrow = useNarrow()
  const of = task.execution_id ?? ''
  const [opened, setOpened] = useState<Opened>(() => ({
    of: isOffered || (isNarrow && isBegun) ? of : undefined,
    how: 'offered',
  }))
  const how = opened.of === of && canReview(task) ? opened.how : undefined
  return {
    isOpen: how === 'offered' || how === 'asked',
    isAsked: how === 'asked',
    isClosed: how === 'closed',
    open: () => setOpened({ of, how: 'asked' }),
    close: () => setOpened({ of, how: 'closed' }),
  }
}
