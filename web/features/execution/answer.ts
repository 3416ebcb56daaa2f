/** What a person has answered to an execution that no other one goes on from yet: pure. */
import type { Execution, Task } from '../../../core/rest/client/client.ts'
import type { GivenAnswer } from '../../model/transcript.ts'

/** The answer that waits with the queued task; undefined where none does. */
export function findQueuedAnswer({ id }: Execution, task: Task | undefined): GivenAnswer | undefined {
  if (task?.execution_id !== id || task.state !== 'QUEUED') return undefined
  const { action, by, comment } = task.decisions.at(-1) ?? {}
  return action === 'answer' && comment !== undefined ? { by, text: comment } : undefined
}
