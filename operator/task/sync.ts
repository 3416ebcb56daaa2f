/**
 * Brings everything that belongs to one task to where it should be: the task, its executions, the slots they hold.
 *
 * One key, one worker: task, execution and slot never move at the same time, so each decision sees what the one
 * before has written. Steps follow one another without waiting for the watch, because every write is told to the
 * caches; so from the request to the Job there are no more round trips than writes.
 */
import type { Execution, Task } from '../../core/crd/types.ts'
import { nextExecution } from '../../core/agent/schedule.ts'
import { isOfTask, isTerminal } from '../../core/execution/state.ts'
import { earliest } from '../../core/time.ts'
import { type ObjectKey, KubeError } from '../../kube/types.ts'
import type { Action, Step } from '../action.ts'
import { giveUpStart, heldBranches } from '../branch.ts'
import { type OperatorContext, indexKey } from '../context.ts'
import { observeExecution } from '../execution/observe.ts'
import {
  type Executions,
  isOrphanByServer,
  findGoingWithNamespace,
  removeFinalizerIfEnded,
  sortExecutions,
  toCancelledTask,
  withCancelledExecution,
} from '../execution/orphan.ts'
import { withKeptWork } from '../execution/kept-work.ts'
import { showRefusal } from '../refused.ts'
import { reconcileUntilStable } from '../reconcile-until-stable.ts'
import { reconcileExecution } from '../execution/reconcile.ts'
import { releaseOfEnded, releaseUnneeded } from '../slots.ts'
import { withTaskEnd } from './end.ts'
import { heldSlots, observeTask } from './observe.ts'
import { reconcileTask } from './reconcile.ts'
import { restoreArchived } from './restore.ts'

/**
 * @param lost aborts when another operator leads
 * @returns when to look again if nothing changes meanwhile
 * @throws KubeError Conflict when something was outdated: decide anew; the reason of `lost`
 * @throws NotStable
 */
export async function syncTask(
  context: OperatorContext,
  key: ObjectKey,
  lost?: AbortSignal,
): Promise<Date | undefined> {
  const reconcile = async () => {
    await restoreArchived(context, key, lost)
    return reconcileUntilStable(context, `task ${key.name}`, () => nextStep(context, key), lost)
  }
  const find = () => {
    const object = context.views.tasks.get(key)
    if (object === undefined) return undefined
    const execution = context.views.executions.get({ ...key, name: object.status?.execution ?? '' })
    return { kind: 'Task', object, execution } as const
  }
  return showRefusal(context, find, reconcile, lost)
}

/** The first of task, executions, slots and finalizers that has something to do; else the earliest time at which one may. */
async function nextStep(context: OperatorContext, key: ObjectKey): Promise<Step> {
  const going = await findGoingWithNamespace(context, key)
  if (going !== undefined) return { actions: [{ kind: 'removeFinalizer', of: { kind: 'Execution', object: going } }] }
  const seen = await observeTask(context, key)
  const steps: Step[] = []
  if (seen !== undefined) {
    const step = reconcileTask(seen)
    if (step.actions.length > 0) return step
    steps.push(step)
  }
  const executions = sortExecutions(context, key, seen?.task)
  for (const { execution, task, isOrphan } of await activeExecutions(context, key, seen?.task, executions)) {
    const step = reconcileExecution(await observeExecution(context, task, execution))
    const next = isOrphan ? withKeptWork(context, execution, task, step) : step
    if (next.actions.length > 0) {
      const held = [...heldSlots(context, key), ...heldBranches(context.views, key)]
      const release = (ended: Execution) => releaseOfEnded(context.views, task, ended, held)
      return seen === undefined ? next : withTaskEnd(seen, execution, next, release)
    }
    steps.push(next)
  }
  const freed = await freeLeases(context, key, seen?.task)
  if (freed.length > 0) return { actions: freed }
  // Last: the next execution waits for the slot, and for this nobody waits.
  for (const execution of executions.own) {
    const next = removeFinalizerIfEnded(context, execution)
    if (next.actions.length > 0) return next
    steps.push(next)
  }
  for (const execution of executions.orphaned) {
    const task = toCancelledTask(execution, key, context.clock.now())
    const next = withKeptWork(context, execution, task, removeFinalizerIfEnded(context, execution))
    if (next.actions.length > 0) return next
    steps.push(next)
  }
  return { actions: [], requeueAt: earliest(...steps.map(({ requeueAt }) => requeueAt)) }
}

/** An execution to be brought forward, and the task that says what is wanted of it. */
interface ActiveExecution {
  readonly execution: Execution
  readonly task: Task
  /** Whether the task is gone, and `task` stands for it. */
  readonly isOrphan: boolean
}

async function activeExecutions(
  context: OperatorContext,
  key: ObjectKey,
  task: Task | undefined,
  { own, orphaned }: Executions,
): Promise<ActiveExecution[]> {
  const concerning = (found: readonly Execution[]): Execution[] => found.filter((one) => concerns(context, one))
  const active: ActiveExecution[] =
    task === undefined
      ? []
      : concerning(own).map((execution) => ({
          execution,
          task: withCancelledExecution(task, execution),
          isOrphan: false,
        }))
  for (const execution of concerning(orphaned)) {
    if (!(await isOrphanByServer(context, execution, key)))
      throw new KubeError(409, 'Conflict', `task ${key.name} is not known yet`)
    active.push({ execution, task: toCancelledTask(execution, key, context.clock.now()), isOrphan: true })
  }
  return active
}

/** What frees a slot or a branch that nobody needs any more. */
async function freeLeases(
  context: OperatorContext,
  key: ObjectKey,
  task: Task | undefined,
): Promise<readonly Action[]> {
  const slots = heldSlots(context, key)
  const branches = heldBranches(context.views, key)
  if (task !== undefined) {
    const { isStartable } = context.scheduling.scheduleOf(task, context.clock.now())
    const actions = isHeldByEarlier(context, key, task) ? [] : giveUpStart(task, { slots, branches, isStartable })
    if (actions.length > 0) return actions
  }
  return releaseUnneeded(context, [...slots, ...branches], key)
}

/** Whether what is held in the name of the next execution may be held by one of an earlier task of this name. */
function isHeldByEarlier({ views, scheduling }: OperatorContext, key: ObjectKey, task: Task): boolean {
  const next = views.executions.get({ namespace: key.namespace, name: nextExecution(task) })
  return scheduling.mayStillRun(key.name) || (next !== undefined && !isOfTask(next, task))
}

/** An ended execution concerns nobody any more once its Jobs have ended too. */
function concerns({ views }: OperatorContext, execution: Execution): boolean {
  const { namespace, name } = execution.metadata
  return !isTerminal(execution) || views.jobs.byIndex('ofExecution', indexKey(namespace, name)).length > 0
}
