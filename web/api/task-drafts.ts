/** What a person has begun to say about a task, kept in this browser until it is sent. */
import { useMemo } from 'react'
import { latestWork } from '../../core/rest/latest-work.ts'
import type { Task } from '../../core/rest/client/client.ts'
import { type Answers, parseAnswers, printAnswers, textOfAnswers } from '../model/answers.ts'
import { type LineComment, canReview, splitComments, toComment } from '../model/review.ts'
import { parseComments, printComments } from '../model/review-draft.ts'
import { useDraft } from './drafts.ts'
import { useHeld } from './unsaved.ts'

/** The answers to a task's questions so far, what sets them, and what forgets them once they are sent. */
export function useAnswers(taskId: string): readonly [Answers, (answers: Answers) => void, () => void] {
  const [draft, setDraft, forget] = useDraft(`answers.${taskId}`)
  useHeld(draft !== '')
  const answers = useMemo(() => parseAnswers(draft), [draft])
  return [answers, (next) => setDraft(printAnswers(next)), forget]
}

/** What goes back to the agent if the work is to be changed. */
export interface ReviewDraft {
  /** About the work as a whole. */
  readonly general: string
  /** On the work that a decision takes. */
  readonly comments: readonly LineComment[]
  /** On the work of other executions: kept until they are dropped, and never sent. */
  readonly lost: readonly LineComment[]
  /** Something is written. */
  readonly isBegun: boolean
  readonly setGeneral: (text: string) => void
  readonly setComments: (comments: readonly LineComment[]) => void
  readonly setLost: (lost: readonly LineComment[]) => void
  /** Forgets what was sent, in every tab. */
  readonly clear: () => void
}

/** @param execution the one whose work a decision takes */
export function useReviewDraft(taskId: string, execution: string | undefined): ReviewDraft {
  const [general, setGeneral, forgetGeneral] = useDraft(`review.${taskId}`)
  const [draft, setDraft, forgetComments] = useDraft(`comments.${taskId}`)
  const { current: comments, lost } = useMemo(() => splitComments(parseComments(draft), execution), [draft, execution])
  const own = execution === undefined ? {} : { execution }
  const isBegun = general !== '' || comments.length > 0
  useHeld(isBegun)
  return {
    general,
    comments,
    lost,
    isBegun,
    setGeneral,
    setComments: (next) => setDraft(printComments([...lost, ...next.map((comment) => ({ ...comment, ...own }))])),
    setLost: (next) => setDraft(printComments([...next, ...comments])),
    clear: () => {
      forgetGeneral()
      forgetComments()
      if (lost.length > 0) setDraft(printComments(lost))
    },
  }
}

/** What a person has begun to say and can no longer send. */
export interface StaleDraft {
  readonly what: 'comment' | 'answer'
  readonly text: string
  readonly discard: () => void
}

/**
 * Undefined where nothing is begun, or what is begun can be sent.
 *
 * @param task null: there is none of this id, so nothing can; undefined: that is not known yet
 */
export function useStaleDraft(taskId: string, task: Task | null | undefined): StaleDraft | undefined {
  const review = useReviewDraft(taskId, task ? latestWork(task) : undefined)
  const [answers, , forgetAnswers] = useAnswers(taskId)
  const answer = textOfAnswers(answers)
  if (task === undefined) return undefined
  // Without the record it is not known whose work the comments are on.
  const comments = task === null ? review.lost : review.comments
  const discard = (): void => {
    review.clear()
    if (task === null) review.setLost([])
  }
  if ((review.isBegun || comments.length > 0) && !(task && canReview(task)))
    return { what: 'comment', text: toComment(comments, review.general), discard }
  if (answer !== '' && task?.actions.includes('answer') !== true)
    return { what: 'answer', text: answer, discard: forgetAnswers }
  return undefined
}
