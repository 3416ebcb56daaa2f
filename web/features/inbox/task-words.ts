/** What the inbox says about a task: pure. */
import type { Task } from '../../../core/rest/client/client.ts'

/** What happened as long ago as the time beside it says. */
export function ageWords(task: Pick<Task, 'state' | 'attempts'>): string {
  if (task.state === 'READY') return 'ready'
  if (task.state === 'BLOCKED') return 'asked'
  return task.attempts > 1 ? `attempt ${task.attempts} failed` : 'failed'
}

/** What there is to review, and where it is. */
export function acceptConsequence(task: Pick<Task, 'summary' | 'branch'>): string {
  const summary = task.summary?.trim().split('\n', 1)[0] ?? ''
  const work = summary === '' ? 'The agent left no summary.' : summary
  return task.branch === undefined ? work : `${work} The work is on ${task.branch}.`
}
