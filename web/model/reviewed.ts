/** Whose diff stands for the work of a task, and what stands against accepting beside it: pure. */
import type { Task } from '../../core/rest/client/client.ts'
import { latestWork } from '../../core/rest/latest-work.ts'
import type { Attempt } from './attempts.ts'

type ReviewedTask = Pick<Task, 'state' | 'execution_id' | 'delivery'>

/**
 * The execution whose diff is shown unless a person picks another one. It is what a decision takes, whatever is known of
 * the attempts; of a task that is not to be decided about, the latest work that ended with changes.
 *
 * @param attempts newest first
 */
export function shownWork(task: ReviewedTask, attempts: readonly Attempt[]): string | undefined {
  if (task.state === 'READY' || task.state === 'COMPLETED') return latestWork(task)
  const ended = attempts.filter(hasEnded)
  return (ended.find(({ execution }) => execution.changes !== undefined) ?? ended[0])?.execution.id
}

/**
 * The attempts whose diff a person can pick, newest first: those that ended with one.
 *
 * @param latest from {@link latestWork}
 */
export function pickableWork(attempts: readonly Attempt[], latest: string | undefined): readonly Attempt[] {
  return attempts.filter(
    (attempt) => attempt.execution.id === latest || (hasEnded(attempt) && attempt.execution.changes !== undefined),
  )
}

function hasEnded({ execution }: Attempt): boolean {
  return execution.finished_at !== undefined && execution.purpose !== 'deliver'
}

/** What an execution is called among the attempts; for one that is not known yet, words that are true of the latest. */
export function workName(attempts: readonly Attempt[], id: string | undefined): string {
  return attempts.find(({ execution }) => execution.id === id)?.name ?? 'the latest work'
}
