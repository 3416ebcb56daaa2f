import type { Execution } from '../../core/crd/types.ts'
import type { Action, Step } from '../action.ts'
import type { ObservedTask } from './observe.ts'
import { reconcileTask } from './reconcile.ts'

/**
 * The step that ends an execution well, together with what its task makes of it: the record of the execution and what its
 * agent is told are written side by side, the task behind them all, and then what frees its slot: not before, for whoever
 * waits for the task may be the next to have it.
 *
 * Only for a success: its result stands, whatever comes meanwhile, so the agent is told nothing that may turn out
 * otherwise. Cut short anywhere, the same is decided again: an agent counts an execution once.
 *
 * @param step what is to be written of `execution`; returned as it is where that is no such end
 * @param release what frees the slot of the execution, given as it is recorded then
 */
export function withTaskEnd(
  seen: ObservedTask,
  execution: Execution,
  step: Step,
  release: (ended: Execution) => readonly Action[],
): Step {
  const { actions } = step
  const at = actions.findIndex((action) => action.kind === 'writeExecution' && action.execution === execution)
  const write = actions[at]
  if (write?.kind !== 'writeExecution' || write.status.state !== 'COMPLETED') return step
  if (seen.task.status?.execution !== execution.metadata.name) return step
  const ended = { ...execution, status: write.status }
  const executions = seen.executions.map((one) => (one === execution ? ended : one))
  const ofTask = reconcileTask({ ...seen, executions }).actions
  const end = ofTask.findIndex(({ kind }) => kind === 'writeTask')
  if (end < 0) return step
  const beside = [write, ...actions.slice(at + 1), ...ofTask.slice(0, end)]
  return {
    actions: [...actions.slice(0, at), { kind: 'together', actions: beside }, ...ofTask.slice(end), ...release(ended)],
  }
}
