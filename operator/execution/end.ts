/** The end of an execution, whatever led to it: its record, and what it leaves. */
import type { ExecutionStatus } from '../../core/crd/types.ts'
import { EXECUTION_FILES, executionPath, sandboxOf } from '../../core/execution/layout.ts'
import { executionError } from '../../core/execution/error.ts'
import type { ExecutionError } from '../../core/execution/result.ts'
import { isWork } from '../../core/execution/state.ts'
import { omit } from '../../core/omit.ts'
import { endTimestamp } from '../../core/time.ts'
import { type Action, type Step, recordEvent } from '../action.ts'
import { clearCheckouts, recordChecks } from './checks.ts'
import type { ObservedExecution } from './observe.ts'
import { endMessages } from './messages.ts'
import { keepLogs } from './services.ts'

export function refuse(seen: ObservedExecution, category: ExecutionError['category'], message: string): Step {
  return end(seen, { state: 'FAILED', error: executionError({ category, message }) })
}

export function end(seen: ObservedExecution, ending: ExecutionStatus): Step {
  const { execution, now } = seen
  const finishedAt = endTimestamp(now, execution.status?.startedAt)
  const before = omit(execution.status ?? {}, ['waitingFor'])
  const status = { ...before, ...endMessages(seen), ...recordChecks(seen), ...ending, finishedAt }
  const type = ending.state === 'COMPLETED' || ending.state === 'BLOCKED' ? 'Normal' : 'Warning'
  const message = ending.error?.message ?? `the execution ended as ${ending.state}`
  const leftovers = [...clearCheckouts(seen), ...clearContinued(seen)]
  // Nobody looks for them once the record says that it has ended; what still runs must not keep it from ending.
  const isOver = seen.openJobs.length === 0
  const writes: Action[] = [
    ...keepLogs(seen),
    ...takeBackCredentials(seen),
    ...(isOver ? leftovers : []),
    { kind: 'writeExecution', execution, status },
    ...(isOver ? [] : leftovers),
  ]
  // The Event of its task says that it went well.
  const isTold = isWork(execution) && ending.state === 'COMPLETED'
  return { actions: isTold ? writes : [...writes, recordEvent(execution, type, 'Ended', message)] }
}

/** While the slot is still held, so that the next execution starts with what this one's CLI renewed. */
function takeBackCredentials({ agent, execution, job }: ObservedExecution): Action[] {
  const since = job?.metadata.creationTimestamp ?? execution.status?.startedAt
  const hasFiles = (agent?.spec.credentials?.files ?? []).length > 0
  const isOurs = hasFiles && (execution.status?.jobs ?? 0) > 0
  if (agent === undefined || since === undefined || !isOurs) return []
  return [{ kind: 'takeBackCredentials', agent, sandbox: sandboxOf(execution), since }]
}

/** Where prepare did not get as far as to take it. */
function clearContinued({ execution, continued }: ObservedExecution): Action[] {
  const path = `${executionPath(execution.metadata.name)}/${EXECUTION_FILES.continued}`
  return continued === undefined ? [] : [{ kind: 'removeFolders', paths: [path] }]
}
