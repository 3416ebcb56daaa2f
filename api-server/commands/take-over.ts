import type { Task } from '../../core/crd/types.ts'
import { decisionEvent } from '../../core/decision-event.ts'
import type { TakeOverOutcome } from '../../core/task/take-over.ts'
import type { DecisionContext, RecordCall } from './decide-task.ts'
import { changeRecord } from './writes.ts'

/**
 * Decides in core, writes as a compare-and-swap, and decides again when another writer was faster.
 *
 * @returns the task as it is then, and what was done in words
 * @throws ApiError `not_found`, `precondition_failed`, `transition_refused`, `invalid_request`
 */
export async function takeOver(
  context: DecisionContext,
  { id, caller, ifMatch }: RecordCall,
  action: 'checkout' | 'release' | 'handback',
  decide: (task: Task, who: { readonly by: string; readonly at: Date }) => TakeOverOutcome,
): Promise<{ readonly task: Task; readonly message: string }> {
  const { client, caches, clock, events, preconditions } = context
  const { object, result } = await changeRecord(client, caches.tasks, { kind: 'task', id }, (task) => {
    preconditions.task(ifMatch, task)
    const outcome = decide(task, { by: caller.name, at: clock.now() })
    if (outcome.kind === 'refused') throw outcome.error
    return { write: { ...task, status: outcome.status }, subresource: 'status', result: outcome.message }
  })
  events.record(object, decisionEvent(action, result, caller.name))
  return { task: object, message: result }
}
