/** What a person has begun to say about a task, kept in this browser until it is sent. */
import { useMemo } from 'react'
import type { Answers } from '../model/answers.ts'
import { parseAnswers, printAnswers } from '../model/answers.ts'
import type { LineComment } from '../model/review.ts'
import { parseComments, printComments } from '../model/review-draft.ts'
import { useDraft } from './drafts.ts'

/** The answers to a task's questions so far, and what sets them. */
export function useAnswers(taskId: string): readonly [Answers, (answers: Answers) => void] {
  const [draft, setDraft] = useDraft(`answers.${taskId}`)
  const answers = useMemo(() => parseAnswers(draft), [draft])
  return [answers, (next) => setDraft(printAnswers(next))]
}

/** What goes back to the agent if the work is rejected. */
export interface ReviewDraft {
  /** Of the work as a whole. */
  readonly general: string
  readonly comments: readonly LineComment[]
  readonly setGeneral: (text: string) => void
  readonly setComments: (comments: readonly LineComment[]) => void
  /** Forgets all of it, once it is sent. */
  readonly clear: () => void
}

export function useReviewDraft(taskId: string): ReviewDraft {
  const [general, setGeneral] = useDraft(`reject.${taskId}`)
  const [draft, setDraft] = useDraft(`comments.${taskId}`)
  const comments = useMemo(() => parseComments(draft), [draft])
  return {
    general,
    comments,
    setGeneral,
    setComments: (next) => setDraft(printComments(next)),
    clear: () => {
      setGeneral('')
      setDraft('')
    },
  }
}
