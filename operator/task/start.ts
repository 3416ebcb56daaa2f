import type { Execution, Task } from '../../core/crd/types.ts'
import type { Action, Step } from '../action.ts'
import type { OperatorContext } from '../context.ts'
import type { ObservedExecution } from '../execution/observe.ts'
import { observeExecution } from '../execution/observe.ts'
import { reconcileExecution } from '../execution/reconcile.ts'

/**
 * The step that starts a task, together with what its execution makes of it: what the Job depends on is looked up while
 * slot and Execution are written, the folders are made while the task is recorded as RUNNING, and the Job behind all.
 *
 * Folders begin nothing. Cut short anywhere, they are made again, or go with the Execution.
 *
 * @param step of `task`; returned as it is where that is no start
 */
export function withFirstJob(context: OperatorContext, task: Task, step: Step): Step {
  const { actions } = step
  const at = actions.findIndex((action) => action.kind === 'writeTask' && action.status.state === 'RUNNING')
  const write = actions[at]
  if (write?.kind !== 'writeTask' || at === 0) return step
  const behind = actions.slice(at + 1)
  const running = { ...task, status: write.status }
  const lookUp = begin(context, running, findCreated(actions))
  const follow = async (): Promise<readonly Action[]> => {
    const key = { namespace: task.metadata.namespace, name: write.status.execution ?? '' }
    const execution = context.views.executions.get(key)
    if (execution === undefined) return [write, ...behind]
    const [folders, ...job] = reconcileExecution(await lookUp(execution)).actions
    if (folders?.kind !== 'prepareVolume') return [write, ...behind]
    return [{ kind: 'together', actions: [write, folders] }, ...job, ...behind]
  }
  return { actions: actions.slice(0, at), follow }
}

function findCreated(actions: readonly Action[]): Execution | undefined {
  const all = actions.flatMap((action) => (action.kind === 'together' ? action.actions : [action]))
  return all.flatMap((action) => (action.kind === 'createExecution' ? [action.execution] : []))[0]
}

/**
 * Looks up at once what the first Job of an execution depends on that is about to be created.
 *
 * @returns the same with the execution as it was created; looked up anew where another of its name was found
 */
function begin(
  context: OperatorContext,
  task: Task,
  wanted: Execution | undefined,
): (execution: Execution) => Promise<ObservedExecution> {
  const looked = wanted === undefined ? undefined : Promise.allSettled([observeExecution(context, task, wanted)])
  return async (execution) => {
    const [seen] = (await looked) ?? []
    if (seen === undefined || execution.status !== undefined) return observeExecution(context, task, execution)
    if (seen.status === 'rejected') throw seen.reason
    return { ...seen.value, execution }
  }
}
