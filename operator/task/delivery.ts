import type { Execution, Project, TaskDelivery, TaskStatus } from '../../core/crd/types.ts'
import { executionState, isTerminal } from '../../core/execution/state.ts'
import { omit } from '../../core/omit.ts'
import { isSame } from '../../core/json.ts'
import { ON_ACCEPT_WORDS } from '../../core/enum-values.ts'
import { endDelivery, makeDelivery, startDelivery } from '../../core/task/delivery.ts'
import { DELIVERY_DOES } from '../../core/sentences/accept.ts'
import { parseTimestamp } from '../../core/time.ts'
import { type Action, type EventRecord, type Step, idle } from '../action.ts'
import type { ObservedTask } from './observe.ts'

/**
 * Delivers what a person has accepted, as its project says: an Execution of its own brings the branch into the default
 * branch, or asks the host to. Its name is derived from the task, and its end is recorded on the task, so that a crash
 * anywhere leads to no second delivery.
 *
 * @returns undefined when nothing is to be delivered
 */
export function reconcileDelivery(seen: ObservedTask): Step | undefined {
  const { delivery } = seen.task.status ?? {}
  if (delivery?.state !== 'Pending') return undefined
  if (delivery.execution !== undefined) return follow(seen, seen.delivery)
  if (delivery.retryAt !== undefined && parseTimestamp(delivery.retryAt) > seen.now) {
    return idle(parseTimestamp(delivery.retryAt))
  }
  return begin(seen)
}

/** The project says how, at each try. A name that somebody else has taken is passed over. */
function begin(seen: ObservedTask): Step {
  const { task, project, story, delivery: existing } = seen
  const kind = wishOf(project)
  if (kind === undefined || project === undefined) return write(seen, omit(task.status ?? {}, ['delivery']))
  const execution = makeDelivery(task, project, story, kind)
  if (existing !== undefined && !isOurs(existing, execution)) {
    return write(seen, { ...task.status, deliveries: (task.status?.deliveries ?? 0) + 1 })
  }
  const { branch = '', base } = execution.spec.delivery ?? {}
  const message = `${execution.metadata.name} ${DELIVERY_DOES[ON_ACCEPT_WORDS[kind]](branch, base)}`
  const begun = write(seen, startDelivery(task, kind), { type: 'Normal', reason: 'Delivering', message })
  if (existing !== undefined) return begun
  return { actions: [{ kind: 'createExecution', execution }, ...begun.actions] }
}

/** Made by a begin that was interrupted, and not by somebody who may create Executions. */
function isOurs(existing: Execution, wanted: Execution): boolean {
  const owners = ({ metadata }: Execution): unknown => metadata.ownerReferences?.map(({ uid }) => uid)
  const isRefused = executionState(existing) === 'CANCELLED'
  return !isRefused && isSame([owners(existing), existing.spec], [owners(wanted), wanted.spec])
}

function wishOf(project: Project | undefined): TaskDelivery['kind'] {
  const wish = project?.spec.onAccept
  return wish === 'None' ? undefined : wish
}

function follow(seen: ObservedTask, execution: Execution | undefined): Step {
  if (execution !== undefined && !isTerminal(execution)) return idle()
  const status = endDelivery(seen.task, execution, seen.now)
  const { state, url, commit, message } = status.delivery ?? {}
  if (state === 'Delivered') {
    return write(seen, status, { type: 'Normal', reason: 'Delivered', message: `delivered: ${url ?? commit ?? ''}` })
  }
  const reason = state === 'Conflict' ? 'DeliveryConflict' : state === 'Moved' ? 'BranchMoved' : 'DeliveryFailed'
  return write(seen, status, { type: 'Warning', reason, message: message ?? 'the delivery failed' })
}

function write({ task }: ObservedTask, status: TaskStatus, note?: Omit<EventRecord, 'regarding'>): Step {
  const event: Action[] = note === undefined ? [] : [{ kind: 'recordEvent', event: { regarding: task, ...note } }]
  return { actions: [{ kind: 'writeTask', task, status }, ...event] }
}
