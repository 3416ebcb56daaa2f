import { useState } from 'react'
import type { Task } from '../../../core/rest/client/client.ts'
import type { TaskDecision } from '../../api/decisions.ts'
import { deleteTask, restoreTask } from '../../api/task-details.ts'
import { type ReviewDraft, useAnswers, useReviewDraft } from '../../api/task-drafts.ts'
import { type RecordDecision, useDecision, useTaskDecision } from '../../api/use-decision.ts'
import { telling } from '../../components/toast.tsx'
import { takesReview } from '../../model/review.ts'
import type { Answers } from '../../model/answers.ts'
import { latestWork } from '../../../core/rest/latest-work.ts'

export interface TaskDecisions extends RecordDecision<TaskDecision> {
  /** The last decision was taken here. */
  readonly isDecided: boolean
  readonly remove: () => void
  /** For an archived task. */
  readonly restore: () => void
  readonly review: ReviewDraft
  readonly answers: Answers
  readonly setAnswers: (answers: Answers) => void
}

/** A decision that was taken here. */
interface Pressed {
  /** How many the task had at the press. */
  readonly decisions: number
  readonly isDone: boolean
}

/**
 * What can be decided about a task, and what a person has begun to write for it; that is forgotten once it is sent.
 *
 * @param onDeleted when the task is no more
 */
export function useTaskDecisions(task: Task, onDeleted: () => void): TaskDecisions {
  const review = useReviewDraft(task.id, latestWork(task))
  const [answers, setAnswers, forgetAnswers] = useAnswers(task.id)
  const [pressed, setPressed] = useState<Pressed>()
  const told = telling(task.name, ({ action }: TaskDecision) => {
    setPressed((last) => last && { ...last, isDone: true })
    if (action === 'answer') forgetAnswers()
    if (takesReview(action)) review.clear()
  })
  const decision = useTaskDecision(task, told)
  const deletion = useDecision(() => deleteTask(task), telling(task.name, onDeleted))
  const restoration = useDecision(() => restoreTask(task), telling(task.name))
  return {
    ...decision,
    decide(argument) {
      setPressed({ decisions: task.decisions.length, isDone: false })
      decision.decide(argument)
    },
    // Its record may be there before its answer, or after it.
    isDecided: pressed?.isDone === true && task.decisions.length <= pressed.decisions + 1,
    remove: () => deletion.decide(undefined),
    restore: () => restoration.decide(undefined),
    isPending: decision.isPending || deletion.isPending || restoration.isPending,
    review,
    answers,
    setAnswers,
  }
}
