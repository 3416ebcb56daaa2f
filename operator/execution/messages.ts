/**
 * What people say to an agent that works: from the execution's status into its inbox, and back from the receipts.
 *
 * Source: docs/specification.md §4.34.
 */
import type { AgentMessage, Execution, ExecutionStatus, Task } from '../../core/crd/types.ts'
import type { MessageReceipt } from '../../core/execution/messages.ts'
import { isTerminal } from '../../core/execution/state.ts'
import { executionName } from '../../core/names.ts'
import { addMs, isTimestamp, parseTimestamp, toMicroTimestamp } from '../../core/time.ts'
import type { Action, Step } from '../action.ts'
import type { Views } from '../context.ts'
import type { ObservedExecution } from './observe.ts'

/** What the volume says of the messages of an execution. */
export interface ObservedMessages {
  /** Ids of those that are in the inbox. */
  readonly inbox: ReadonlySet<string>
  /** The last one of each message that the agent's step has left. The agent can have forged them. */
  readonly receipts: ReadonlyMap<string, MessageReceipt>
}

/** Whether the agent may still be given a message of the execution, so that its files say something new. */
export function awaitsReceipt(execution: Execution): boolean {
  return (
    !isTerminal(execution) && (execution.status?.messages ?? []).some(({ deliveredAt }) => deliveredAt === undefined)
  )
}

/**
 * Adds to the step of an execution whose Job runs what its messages ask for: files first, for somebody waits for them. The
 * record of what was given has time until nothing else is to be written.
 */
export function withMessages(seen: ObservedExecution, step: Step): Step {
  const { execution, messages: found, now } = seen
  const { messages = [] } = execution.status ?? {}
  if (found === undefined || !awaitsReceipt(execution)) return step
  const files = writeMissing(execution, found)
  if (step.actions.length > 0) return { ...step, actions: [...files, ...step.actions] }
  const settled = settle(messages, found, now, false)
  const record: Action[] =
    settled === messages
      ? []
      : [{ kind: 'writeExecution', execution, status: { ...execution.status, messages: settled } }]
  return { actions: [...files, ...record], requeueAt: earlier(step.requeueAt, nextLook(messages, now)) }
}

/** The messages of an execution whose Job has ended, for its status: what was not given by then never is. */
export function endMessages({ execution, messages: found, now }: ObservedExecution): Pick<ExecutionStatus, 'messages'> {
  const { messages } = execution.status ?? {}
  return messages === undefined || found === undefined ? {} : { messages: settle(messages, found, now, true) }
}

/**
 * What people said in earlier executions of a task and no agent was told, oldest first; with what may have been told.
 * An execution whose agent began was told all that was left over before.
 */
export function findUntold(views: Pick<Views, 'executions'>, task: Task, { metadata }: Execution): AgentMessage[] {
  const { namespace } = metadata
  const find = (name: string): Execution | undefined => views.executions.get({ namespace, name })
  const untold: AgentMessage[] = []
  for (let n = (task.status?.executions ?? 0) - 1; n >= 1; n--) {
    const before = find(executionName(task.metadata.name, n))
    if (before === undefined || before.metadata.name === metadata.name) continue
    untold.unshift(...(before.status?.messages ?? []).filter(({ deliveredAt }) => deliveredAt === undefined))
    if (wasTold(before, find)) break
  }
  return untold
}

/** One that only repeated a delivery told its agent nothing. */
function wasTold({ spec, status }: Execution, find: (name: string) => Execution | undefined): boolean {
  const hasBegun = (status?.phases ?? []).some(({ name, startedAt }) => name === 'agent' && startedAt !== undefined)
  const resumed = spec.resumes === undefined ? undefined : find(spec.resumes)
  return hasBegun && (spec.revision !== undefined || resumed?.status?.agentOutcome !== 'succeeded')
}

function writeMissing({ metadata, status }: Execution, { inbox, receipts }: ObservedMessages): Action[] {
  const isMissing = ({ id }: AgentMessage): boolean => !inbox.has(id) && !receipts.has(id)
  return (status?.messages ?? [])
    .filter((message) => message.deliveredAt === undefined && isMissing(message))
    .map((message) => ({ kind: 'writeMessage', execution: metadata.name, message }))
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

function earlier(a: Date | undefined, b: Date): Date {
  return a === undefined || b < a ? b : a
}
