/**
 * What becomes of work whose task was deleted while an execution did it, by `kubectl delete` or by a tool that prunes:
 * the execution ends, and an Event says so and where the clone is. The sweep leaves it there for a day.
 *
 * Source: specification §3.25.
 */
import type { Execution, Task } from '../../core/crd/types.ts'
import { clonePath, sandboxOf } from '../../core/execution/layout.ts'
import { isTerminal } from '../../core/execution/state.ts'
import { addMs, toTimestamp } from '../../core/time.ts'
import { type Action, type Step, recordEvent } from '../action.ts'
import type { OperatorContext } from '../context.ts'

const KEEP_MS = 24 * 3_600_000

/**
 * A step of an execution without a task. If it is the last one, the clone is marked to be kept: before the execution
 * ends for the caches, since the sweep may look from then on.
 *
 * @param task stands for the deleted one
 */
export function withKeptWork(
  { settings, clock }: Pick<OperatorContext, 'settings' | 'clock'>,
  execution: Execution,
  task: Task,
  step: Step,
): Step {
  const wasBegun = (execution.status?.jobs ?? 0) > 0
  if (!wasBegun || !step.actions.some((action) => endsUnpushed(execution, action))) return step
  const sandbox = sandboxOf(execution)
  const until = toTimestamp(addMs(clock.now(), KEEP_MS))
  const clone = `${settings.volumeRoot}/${clonePath(sandbox)}`
  const message =
    `the task was deleted while ${execution.metadata.name} ran, so that was ended; what it had not pushed is kept in ` +
    `${clone} until ${until}, or until another task of this name starts`
  const event = recordEvent(task, 'Warning', 'DeletedWhileRunning', message)
  return { ...step, actions: [{ kind: 'keepSandbox', sandbox, until }, ...step.actions, event] }
}

/** Only success pushes; an execution that is let go before it has ended did not. */
function endsUnpushed(execution: Execution, action: Action): boolean {
  if (action.kind === 'removeFinalizer') return !isTerminal(execution)
  if (action.kind !== 'writeExecution') return false
  return isTerminal({ ...execution, status: action.status }) && action.status.state !== 'COMPLETED'
}
