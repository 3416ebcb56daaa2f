/** What a person says to an agent that works: who may say it when, and what is kept of it. Source: docs/specification.md §4.34. */
import { messageModesOf } from '../agent/message-modes.ts'
import type { Agent, AgentMessage, Execution, ExecutionStatus, MessageMode, Task } from '../crd/types.ts'
import type { DecisionOutcome } from '../decision.ts'
import { MESSAGE_MODE_WORDS } from '../enum-values.ts'
import { type ApiError, apiError, refusedFromState } from '../errors.ts'
import { withoutAbsent } from '../omit.ts'
import { stateOf } from '../task/decide.ts'
import { fits, utf8Length } from '../text.ts'
import { addMs, parseTimestamp, toMicroTimestamp } from '../time.ts'
import { type WorkAfterAgent, findWorkAfterAgent } from './agent-part.ts'
import { isTerminal } from './state.ts'

/** What a message depends on. */
export interface Addressee {
  readonly task: Task
  /** The one that the task names, where that exists. */
  readonly execution: Execution | undefined
  /** The agent that runs it, where that exists. */
  readonly agent: Agent | undefined
}

/** What a person said. */
export interface Saying {
  readonly id: string
  /** Who, as it is shown: a token's name, or `kubectl (annotation)`. */
  readonly by: string
  readonly at: Date
  readonly text: string
  /** Absent: the most prompt one that stops nothing. */
  readonly mode?: MessageMode | undefined
}

/** Bytes of one message. */
export const MAX_MESSAGE_BYTES = 8192
/** Messages that wait for an agent at once. */
export const MAX_WAITING_MESSAGES = 20
/** Messages of one execution, as many as its status holds. */
export const MAX_MESSAGES = 100
/** Bytes of all messages of one execution. */
export const MAX_MESSAGES_BYTES = 128 * 1024

/** Whether the agent has not got a message, as far as is known; one of which nobody knows is no such. */
export function isWaiting({ deliveredAt, uncertain }: AgentMessage): boolean {
  return deliveredAt === undefined && uncertain !== true
}

/** The modes in which the agent of a task can be told something now; none: not at all. */
export function messageModesNow(addressee: Addressee): readonly MessageMode[] {
  const { agent } = addressee
  return agent === undefined || findClosed(addressee) !== undefined ? [] : messageModesOf(agent.spec)
}

/** Why an agent can be told nothing, whatever it is; undefined where it can. */
export function findSilence(addressee: Addressee): ApiError | undefined {
  const closed = findClosed(addressee)
  if (closed !== undefined) return closed
  const messages = addressee.execution?.status?.messages ?? []
  if (messages.length >= MAX_MESSAGES)
    return refused(`${MAX_MESSAGES} messages were sent in this run, and it takes no more`)
  if (messages.filter(isWaiting).length >= MAX_WAITING_MESSAGES)
    return refused(`${MAX_WAITING_MESSAGES} messages wait for the agent already; wait until it was given one of them`)
  return undefined
}

/**
 * Decides what becomes of one message: the execution's new status, or the refusal. The one with this id that is there
 * already is not added again. Pure: REST and annotations only apply it.
 *
 * @returns the same status where nothing is to be written
 */
export function say(
  addressee: Addressee,
  saying: Saying,
): DecisionOutcome<{ readonly execution: Execution; readonly status: ExecutionStatus }> {
  const { execution } = addressee
  const { status = {} } = execution ?? {}
  const { messages = [] } = status
  const message = 'message sent to the agent'
  if (execution !== undefined && messages.some(({ id }) => id === saying.id))
    return { kind: 'allowed', message, execution, status }
  const silence = findSilence(addressee)
  if (silence !== undefined) return { kind: 'refused', error: silence }
  if (execution === undefined) return { kind: 'refused', error: endedRun() }
  const { text } = saying
  const mode = chooseMode(addressee, saying.mode)
  if (mode === undefined) return { kind: 'refused', error: refuseMode(addressee) }
  if (text.trim() === '') return { kind: 'refused', error: apiError('invalid_request', 'text must not be empty') }
  const bytes = utf8Length(text)
  if (!fits(text, 8192) || bytes > MAX_MESSAGE_BYTES)
    return {
      kind: 'refused',
      error: apiError('invalid_request', `text has ${bytes} bytes, more than ${MAX_MESSAGE_BYTES}`),
    }
  if (messages.reduce((sum, one) => sum + utf8Length(one.text), bytes) > MAX_MESSAGES_BYTES) {
    const error = refused(`the messages of this run would have more than ${MAX_MESSAGES_BYTES / 1024} KiB together`)
    return { kind: 'refused', error }
  }
  const added: AgentMessage = { id: saying.id, at: timeOf(messages, saying.at), mode, text, ...namedBy(saying) }
  return { kind: 'allowed', message, execution, status: { ...status, messages: [...messages, added] } }
}

/** The sender's name, for what tells the agent: absent where nobody is known. */
function namedBy({ by }: Saying): Pick<AgentMessage, 'by'> {
  return withoutAbsent({ by: by === '' ? undefined : by })
}

function findClosed({ task, execution, agent }: Addressee): ApiError | undefined {
  if (stateOf(task) !== 'RUNNING') return refusedFromState('task', 'told anything', stateOf(task))
  if (task.status?.cancelRequestedAt !== undefined) return refused('it is being cancelled')
  if (execution === undefined || isTerminal(execution)) return endedRun()
  if (agent === undefined) return refused(`its agent ${execution.spec.agent ?? ''} does not exist any more`)
  const isDeaf = messageModesOf(agent.spec).length === 0
  if (isDeaf) return refused(`its agent ${agent.metadata.name} runs a script, which takes no messages`)
  const work = findWorkAfterAgent(execution)
  return work && refused(`its agent has done its part, and the work is being ${work}: ${WAYS_OUT[work]}`)
}

const WAYS_OUT: Readonly<Record<WorkAfterAgent, string>> = {
  checked:
    'ask for changes (revise) when that has ended; if a red check sends the agent back to work, it can be told then',
  delivered: 'ask for changes (revise) when that has ended',
}

/** Of a message that was written and is not there: definitions of an earlier version drop what they do not know, silently. */
export function droppedMessage(): ApiError {
  return refused('the definition of executions is of an earlier version; upgrade slipway-crds')
}

function endedRun(): ApiError {
  return refused('its run has just ended')
}

function refused(reason: string): ApiError {
  return apiError('transition_refused', `task cannot be told anything: ${reason}`)
}

function refuseMode({ agent }: Addressee): ApiError {
  const words = (agent === undefined ? [] : messageModesOf(agent.spec)).map((mode) => MESSAGE_MODE_WORDS[mode])
  return refused(`its agent ${agent?.metadata.name ?? ''} takes messages in mode ${words.join(', ')} alone`)
}

function chooseMode({ agent }: Addressee, wanted: MessageMode | undefined): MessageMode | undefined {
  const modes = agent === undefined ? [] : messageModesOf(agent.spec)
  const mode = wanted ?? (modes.includes('Steer') ? 'Steer' : 'Queue')
  return modes.find((one) => one === mode)
}

/** Times tell the order, though the clocks of those who write differ. */
function timeOf(messages: readonly AgentMessage[], at: Date): string {
  const last = messages.at(-1)
  const next = last === undefined ? at : addMs(parseTimestamp(last.at), 1)
  return toMicroTimestamp(next > at ? next : at)
}
