/**
 * When a slot is free again: its execution has ended, or was never made and its task names another one, and no pod of
 * any of its Jobs can still run. A branch is freed by the same rule. Never because a Job is missing, never by a clock (specification §6.2).
 */
import { isStartOf } from '../core/agent/schedule.ts'
import type { Execution, Task } from '../core/crd/types.ts'
import { isOfTask, isTerminal } from '../core/execution/state.ts'
import { agentOf } from '../core/agent/waiting.ts'
import { jobName, LABELS } from '../core/names.ts'
import { EXECUTIONS, JOBS, PODS, TASKS } from '../kube/resources.ts'
import type { ObjectKey } from '../kube/types.ts'
import type { Action } from './action.ts'
import { type OperatorContext, type Views, indexKey } from './context.ts'
import { hasPodEnded, isOfJob, mayJobRun } from '../kube/workload.ts'
import type { HeldSlot } from './task/observe.ts'

/** A Lease that an execution holds: a slot of an agent, or a branch, which is no agent's. */
export type HeldLease = Omit<HeldSlot, 'agent'> & { readonly agent?: string }

/**
 * What the release of one slot depends on, read from the server: a cache that lags could make it two holders. Only what
 * cannot change any more is believed of the caches ({@link hasEndedWell}).
 */
interface ObservedSlot {
  readonly slot: HeldLease
  readonly task: Task | undefined
  readonly execution: Execution | undefined
  readonly mayStillRun: boolean
}

function reconcileSlot({ slot, task, execution, mayStillRun }: ObservedSlot): Action[] {
  if (mayStillRun || isStillWanted(slot, task, execution)) return []
  return [{ kind: 'releaseSlot', lease: slot.lease, execution: slot.execution }]
}

function isStillWanted(slot: HeldLease, task: Task | undefined, execution: Execution | undefined): boolean {
  if (execution !== undefined) return !isTerminal(execution)
  if (task === undefined || !isStartOf(task, slot.execution)) return false
  // A start that was interrupted behind the slot goes on, unless the task has gone over to another agent.
  return slot.agent === undefined || agentOf(task) === slot.agent
}

/**
 * Looks at a slot that the caches think free-able.
 *
 * @returns undefined when the caches alone say that it is held for good reason
 */
async function observeSlot(
  context: OperatorContext,
  slot: HeldLease,
  taskKey: ObjectKey,
): Promise<ObservedSlot | undefined> {
  const { client, views } = context
  const { namespace } = slot.lease
  const key = { namespace, name: slot.execution }
  const cached = { slot, task: views.tasks.get(taskKey), execution: views.executions.get(key) }
  if (isStillWanted(slot, cached.task, cached.execution)) return undefined
  if (hasEndedWell(views, cached.task, cached.execution)) return { ...cached, mayStillRun: false }
  const query = { namespace, labelSelector: `${LABELS.execution}=${slot.execution}` }
  const [task, execution, jobs, pods] = await Promise.all([
    client.find(TASKS, taskKey),
    client.find(EXECUTIONS, key),
    client.list(JOBS, query),
    client.list(PODS, query),
  ])
  const mayStillRun =
    jobs.items.some((job) => mayJobRun(job, pods.items)) || pods.items.some((pod) => !hasPodEnded(pod))
  return { slot, task, execution, mayStillRun }
}

/** What frees the first of these that nobody needs any more. @param taskKey the task whose executions hold them */
export async function releaseUnneeded(
  context: OperatorContext,
  held: readonly HeldLease[],
  taskKey: ObjectKey,
): Promise<readonly Action[]> {
  for (const slot of held) {
    const observed = await observeSlot(context, slot, taskKey)
    const actions = observed === undefined ? [] : reconcileSlot(observed)
    if (actions.length > 0) return actions
  }
  return []
}

/** Frees what an execution holds that has ended well, as far as the caches alone say that nothing of it can run. */
export function releaseOfEnded(
  views: Views,
  task: Task,
  ended: Execution,
  held: readonly HeldLease[],
): readonly Action[] {
  if (!hasEndedWell(views, task, ended)) return []
  const own = held.filter(({ execution }) => execution === ended.metadata.name)
  return own.map(({ lease, execution }) => ({ kind: 'releaseSlot', lease, execution }))
}

/**
 * Whether an execution can have nothing that runs, by facts that stay true however far a cache is behind: it has
 * succeeded, so its last Job brought a result and nobody makes another; and each of its Jobs has a pod, of which there
 * is one at most, that has ended. Of one that failed a Job may have been made that was never recorded.
 */
function hasEndedWell(views: Views, task: Task | undefined, execution: Execution | undefined): boolean {
  if (task === undefined || execution?.status?.state !== 'COMPLETED' || !isOfTask(execution, task)) return false
  const { namespace, name } = execution.metadata
  const pods = views.pods.byIndex('ofExecution', indexKey(namespace, name))
  const { jobs = 0 } = execution.status
  const hasPod = (n: number): boolean => pods.some((pod) => isOfJob(pod, jobName(name, n)))
  return jobs > 0 && Array.from({ length: jobs }, (_, i) => i + 1).every(hasPod) && pods.every(hasPodEnded)
}
