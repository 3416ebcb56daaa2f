/**
 * What people say to an agent that works: from the execution's status into its inbox, and back from the receipts.
 *
 * Source: docs/specification.md §4.34.
 */
import type { AgentMessage, Execution, ExecutionStatus } from '../../core/crd/types.ts'
import type { MessageReceipt } from '../../core/execution/messages.ts'
import { addMs, earliest, isTimestamp, parseTimestamp, toMicroTimestamp } from '../../core/time.ts'
import { isWaiting } from '../../core/execution/say.ts'
import type { Action, Step } from '../action.ts'
import type { ObservedMessages } from '../inbox.ts'
import type { ObservedExecution } from './observe.ts'
import { awaitsReceipt } from './untold.ts'

/**
 * Adds to the step of an execution whose Job runs what its messages ask for: files first, for somebody waits for them. The
 * record of what was given has time until nothing else is to be written.
 */
export function withMessages(seen: ObservedExecution, step: Step): Step {
  const { execution, messages: found, now } = seen
  const { messages = [] } = execution.status ?? {}
  if (found === undefined || !awaitsReceipt(execution)) return step
  // What waits for a volume that does not answer must hold up nothing else of the run.
  if (found === 'unanswered') return { ...step, requeueAt: earliest(step.requeueAt, nextLook(messages, now)) }
  const files = writeMissing(execution, found)
  if (step.actions.length > 0) return { ...step, actions: [...files, ...step.actions] }
  const settled = settle(messages, found, now, false)
  const record: Action[] =
    settled === messages
      ? []
      : [{ kind: 'writeExecution', execution, status: { ...execution.status, messages: settled } }]
  return { actions: [...files, ...record], requeueAt: earliest(step.requeueAt, nextLook(messages, now)) }
}

/**
 * The messages of an execution whose Job has ended, for its status: what was not given by then never is. Of what the volume
 * does not tell, nobody knows.
 */
export function endMessages({ execution, messages: found, now }: ObservedExecution): Pick<ExecutionStatus, 'messages'> {
  const { messages, jobs = 0 } = execution.status ?? {}
  if (messages === undefined || found === undefined) return {}
  if (found !== 'unanswered') return { messages: settle(messages, found, now, true) }
  return jobs === 0 ? {} : { messages: messages.map((one) => (isWaiting(one) ? { ...one, uncertain: true } : one)) }
}

function writeMissing(
  { metadata, status }: Execution,
  { inbox, receipts, isBeingWritten }: ObservedMessages,
): Action[] {
  if (isBeingWritten) return []
  const isMissing = ({ id }: AgentMessage): boolean => !inbox.has(id) && !receipts.has(id)
  const messages = (status?.messages ?? []).filter((one) => one.deliveredAt === undefined && isMissing(one))
  return messages.length === 0 ? [] : [{ kind: 'writeMessages', execution: metadata.name, messages }]
}

/** @returns the same list where nothing is new */
function settle(
  messages: readonly AgentMessage[],
  { receipts }: ObservedMessages,
  now: Date,
  hasEnded: boolean,
): readonly AgentMessage[] {
  const settled = messages.map((message): AgentMessage => {
    const receipt = message.deliveredAt === undefined ? receipts.get(message.id) : undefined
    if (receipt?.state === 'given') {
      const { uncertain: _, ...given } = message
      return { ...given, deliveredAt: timeOf(receipt, message, now) }
    }
    const isLost = receipt?.state === 'giving' && hasEnded && message.uncertain !== true
    return isLost ? { ...message, uncertain: true } : message
  })
  return settled.every((message, n) => message === messages[n]) ? messages : settled
}

/** As the agent's step says it, where that can be so. */
function timeOf({ at }: MessageReceipt, message: AgentMessage, now: Date): string {
  const isTrue = isTimestamp(at) && parseTimestamp(at) >= parseTimestamp(message.at) && parseTimestamp(at) <= now
  return toMicroTimestamp(isTrue ? parseTimestamp(at) : now)
}

const FIRST_LOOK_MS = 250
const LAST_LOOK_MS = 2000

/** Nothing tells of a new receipt: looked at often at first, and seldom while a message waits for the end of a turn. */
function nextLook(messages: readonly AgentMessage[], now: Date): Date {
  const newest = Math.max(...messages.map(({ at }) => parseTimestamp(at).getTime()))
  const wait = Math.min(LAST_LOOK_MS, Math.max(FIRST_LOOK_MS, (now.getTime() - newest) / 10))
  return addMs(now, wait)
}
