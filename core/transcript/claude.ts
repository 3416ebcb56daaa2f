/**
 * Claude Code's `--output-format stream-json` (observed with 2.1.197 and 2.1.329): one JSON object per line.
 *
 * Unknown kinds of lines are skipped: every version adds some. With `--permission-prompt-tool stdio` the CLI asks on
 * stdout and waits for an answer on stdin; a question to the person ends the run, because nobody waits at a pod: the
 * session is kept, and the answer resumes it.
 */
import { type ClaudeUsage, createClaudeUsage } from './claude-usage.ts'
import { joinQuestions } from '../execution/questions.ts'
import type { Question } from '../execution/result.ts'
import { QUESTION_TOOL, readQuestions } from './claude-questions.ts'
import { toEdit, toTodo } from './claude-tools.ts'
import type { ConversationEvent } from './events.ts'
import {
  type Fields,
  countIn,
  eventInput,
  eventText,
  fieldsIn,
  optionalField,
  listIn,
  numberIn,
  sessionIn,
  textIn,
} from './fields.ts'
import { isMessageOfType, readJsonLine } from './json-line.ts'
import { type PartialText, createPartialText } from './partial-text.ts'
import { usageEvents } from './usage.ts'
import type { Reading, Transcript, TranscriptFacts } from './transcript.ts'
import { RESULT_LIMITS } from '../execution/result-limits.ts'
import { failedServerEvents, ownWords } from './own-words.ts'
import { clip } from '../text.ts'
import { millisecondsToTimestamp } from '../time.ts'

/** Model of a line that the CLI wrote itself, to carry an error of the provider. */
const SYNTHETIC_MODEL = '<synthetic>'
/** The type of lines with a piece of a provider's message; a line with the whole message follows. */
const PIECES = 'stream_event'

/** What was read so far. */
interface State {
  readonly facts: TranscriptFacts
  readonly usage: ClaudeUsage
  /** What the main agent is saying; subagents are heard when they have said it. */
  readonly saying: PartialText
  /** Ids of the messages that are being told piece by piece, by the call that the agent is at work for. */
  readonly telling: Map<string, string>
  /** One message of the provider comes as several lines, each with the usage of all. */
  lastMessage?: string | undefined
  /** Calls that ask a person, with the questions of those that have no result yet. */
  readonly asking: Map<string, readonly Question[]>
  /**
   * Whether it may go on after a result. A subagent in the background (2.1.332) brings another turn; a command there may
   * never end. An older CLI does not tell what it has in the background.
   */
  mayGoOn: boolean
}

export function createClaudeTranscript(): Transcript {
  const facts: TranscriptFacts = {}
  const reading = { usage: createClaudeUsage(facts), saying: createPartialText() }
  const state: State = { facts, ...reading, telling: new Map(), asking: new Map(), mayGoOn: true }
  return {
    facts,
    read: (line) => readJsonLine(line, (fields) => readLine(state, fields)),
    isPiece: (line) => isMessageOfType(line, PIECES),
  }
}

function readLine(state: State, line: Fields): Reading {
  const session = sessionIn(line, 'session_id')
  if (session !== undefined) state.facts.sessionId = session
  switch (line['type']) {
    case 'system':
      return { events: readSystem(state, line) }
    case 'assistant':
      return { events: readAssistant(state, line) }
    case 'user':
      return { events: listIn(fieldsIn(line, 'message'), 'content').flatMap((part) => readToolResult(state, part)) }
    case PIECES:
      return { events: readPiece(state, line) }
    case 'rate_limit_event':
      return { events: readLimit(state, fieldsIn(line, 'rate_limit_info')) }
    case 'control_request':
      return readRequest(state, line)
    case 'command_lifecycle':
      return readLifecycle(state, line)
    case 'result': {
      const end = { events: readResult(state, line), isOver: true, mayGoOn: state.mayGoOn }
      return isStopped(state, line) ? { ...end, isStopped: true } : end
    }
    default:
      return { events: [] }
  }
}

/** What became of a line on its stdin: a message that it has started on is in the prompt of its next request. */
function readLifecycle({ facts }: State, line: Fields): Reading {
  const taken = textIn(line, 'command_uuid')
  if (line['state'] !== 'started' || taken === undefined) return { events: [] }
  // Another turn begins, or this one goes on: how it ends is not known yet.
  delete facts.result
  return { events: [], taken: [taken] }
}

/** An interrupt ends a turn as an error, but none of the provider or of a limit. */
function isStopped({ facts }: State, line: Fields): boolean {
  const { questions, errorCode } = facts
  return line['subtype'] === 'error_during_execution' && questions === undefined && errorCode === undefined
}

function readSystem(state: State, line: Fields): ConversationEvent[] {
  switch (line['subtype']) {
    case 'init':
      return readInit(state, line)
    case 'api_retry':
      return [toRetry(line)]
    case 'compact_boundary':
      return [toCompaction(fieldsIn(line, 'compact_metadata'))]
    case 'background_tasks_changed':
      state.mayGoOn = listIn(line, 'tasks').some((task) => task['task_type'] !== 'local_bash')
      return []
    default:
      return []
  }
}

function readInit({ facts }: State, line: Fields): ConversationEvent[] {
  const model = textIn(line, 'model')
  if (model !== undefined) facts.model = model
  const failed = listIn(line, 'mcp_servers').filter((server) => server['status'] === 'failed')
  const names = failed.map((server) => clip(textIn(server, 'name') ?? '', RESULT_LIMITS.failedServerLength))
  const fresh = names.filter((name) => facts.failedServers?.includes(name) !== true)
  if (fresh.length > 0)
    facts.failedServers = [...(facts.failedServers ?? []), ...fresh].slice(0, RESULT_LIMITS.failedServers)
  const session = { ...optionalField('session_id', facts.sessionId), ...optionalField('model', model) }
  return [{ kind: 'session', ...session }, ...failedServerEvents(fresh)]
}

/** From here on the agent knows a summary of what came before. */
function toCompaction(metadata: Fields): ConversationEvent {
  const [before, after] = [countIn(metadata, 'pre_tokens'), countIn(metadata, 'post_tokens')]
  const from = before === undefined ? '' : ` from ${before} tokens`
  return ownWords(`the conversation was compacted${from}${after === undefined ? '' : ` to ${after}`}`)
}

function readAssistant(state: State, line: Fields): ConversationEvent[] {
  const message = fieldsIn(line, 'message')
  const content = listIn(message, 'content')
  if (textIn(message, 'model') !== SYNTHETIC_MODEL) {
    const isMain = agentOf(line) === MAIN
    return [...content.flatMap((part) => readContent(state, part, isMain)), ...readUsage(state, message)]
  }
  const code = textIn(line, 'error')
  if (code === undefined) return []
  state.facts.errorCode = code
  state.facts.errorText = content.map((part) => textIn(part, 'text') ?? '').join('\n')
  return []
}

/** Where messages come in pieces, their last piece tells what they used. */
function readUsage(state: State, message: Fields): ConversationEvent[] {
  const id = textIn(message, 'id')
  if (id === undefined || id === state.lastMessage) return []
  state.lastMessage = id
  state.usage.count(id, fieldsIn(message, 'usage'))
  return [...state.telling.values()].includes(id) ? [] : usageEvents(withoutCost(state.facts))
}

/** While it runs: what an earlier result told of the cost is not what it is by now. */
function withoutCost({ tokens }: TranscriptFacts): TranscriptFacts {
  return tokens === undefined ? {} : { tokens }
}

const MAIN = ''

/** The call that a subagent is at work for. */
function agentOf(line: Fields): string {
  return textIn(line, 'parent_tool_use_id') ?? MAIN
}

function readPiece(state: State, line: Fields): ConversationEvent[] {
  const agent = agentOf(line)
  const event = fieldsIn(line, 'event')
  switch (event['type']) {
    case 'message_start': {
      const message = fieldsIn(event, 'message')
      const id = textIn(message, 'id') ?? ''
      state.telling.set(agent, id)
      state.usage.count(id, fieldsIn(message, 'usage'))
      // An answer that broke off is told anew.
      return agent === MAIN ? state.saying.end() : []
    }
    case 'content_block_delta': {
      const delta = fieldsIn(event, 'delta')
      return agent === MAIN && delta['type'] === 'text_delta' ? state.saying.push(textIn(delta, 'text') ?? '') : []
    }
    case 'message_delta':
      state.usage.count(state.telling.get(agent) ?? '', fieldsIn(event, 'usage'))
      return usageEvents(withoutCost(state.facts))
    case 'message_stop':
      state.telling.delete(agent)
      return []
    default:
      return []
  }
}

function readLimit({ facts }: State, info: Fields): ConversationEvent[] {
  const status = textIn(info, 'status')
  if (status === undefined || status === 'allowed') return []
  const isReached = status === 'rejected'
  const seconds = numberIn(info, 'resetsAt')
  const resetsAt = seconds === undefined ? undefined : seconds * 1000
  const kind = textIn(info, 'rateLimitType')
  if (isReached) facts.limit = { ...optionalField('resetsAt', resetsAt), ...optionalField('kind', kind) }
  const resets = resetsAt === undefined ? undefined : millisecondsToTimestamp(resetsAt)
  const message = `${kind?.replaceAll('_', ' ') ?? 'usage'} limit ${isReached ? 'reached' : 'is near'}`
  return [{ kind: 'limit', state: isReached ? 'reached' : 'warning', message, ...optionalField('resets_at', resets) }]
}

function readRequest(state: State, line: Fields): Reading {
  const request = fieldsIn(line, 'request')
  const id = textIn(line, 'request_id') ?? ''
  if (textIn(request, 'subtype') !== 'can_use_tool') return { events: [] }
  const input = fieldsIn(request, 'input')
  if (textIn(request, 'tool_name') !== QUESTION_TOOL) {
    // Tools that are not allowed were never offered, so the mode would grant any other request.
    return { events: [], replies: [toReply(id, { behavior: 'allow', updatedInput: input })] }
  }
  state.asking.set(textIn(request, 'tool_use_id') ?? id, readQuestions(input))
  const deny = { behavior: 'deny', message: 'The question was passed on; the answer comes later.', interrupt: true }
  return { events: ask(state), replies: [toReply(id, deny)] }
}

/** Asks what all open calls ask: the first refusal ends the run, and the CLI may not get to request the others. */
function ask({ facts, asking }: State): ConversationEvent[] {
  const asked = facts.questions ?? []
  const all = joinQuestions(asked, ...asking.values())
  if (all.length === asked.length) return []
  facts.questions = all
  return [{ kind: 'question', questions: all.slice(asked.length) }]
}

function readResult({ facts, usage, saying }: State, line: Fields): ConversationEvent[] {
  const text = textIn(line, 'result') ?? listOfTexts(line['errors'])
  const isError = line['is_error'] !== false
  facts.result = { isError, ...optionalField('text', text), ...optionalField('subtype', textIn(line, 'subtype')) }
  usage.addResult(line)
  facts.turns = (facts.turns ?? 0) + (countIn(line, 'num_turns') ?? 0)
  Object.assign(facts, optionalField('httpStatus', countIn(line, 'api_error_status')))
  // The refusal by which its question ended the run is ours.
  const end: ConversationEvent =
    facts.questions === undefined
      ? { kind: 'result', is_error: isError, ...optionalField('text', text && eventText(text)) }
      : { kind: 'result', is_error: false }
  return [...saying.end(), ...usageEvents(facts), end]
}

function readContent(state: State, part: Fields, isMain: boolean): ConversationEvent[] {
  const text = textIn(part, 'text') ?? textIn(part, 'thinking') ?? ''
  switch (part['type']) {
    case 'text':
      if (isMain && state.saying.isOpen) return state.saying.end()
      return text === '' ? [] : [{ kind: 'text', text: eventText(text) }]
    case 'thinking':
      return text === '' ? [] : [{ kind: 'thinking', text: eventText(text) }]
    case 'tool_use': {
      const call = { call_id: textIn(part, 'id') ?? '', tool: textIn(part, 'name') ?? '' }
      const input = fieldsIn(part, 'input')
      if (call.tool === QUESTION_TOOL) state.asking.set(call.call_id, readQuestions(input))
      const questions = state.facts.questions === undefined ? [] : ask(state)
      const special = [...toEdit(call, input), ...toTodo(call.tool, input), ...questions]
      return [{ kind: 'tool_call', ...call, input: eventInput(input) }, ...special]
    }
    default:
      return []
  }
}

function readToolResult({ asking }: State, part: Fields): ConversationEvent[] {
  const call_id = textIn(part, 'tool_use_id') ?? ''
  if (part['type'] !== 'tool_result') return []
  // A question is no tool that was refused: its event has it, and the person's answer comes with the next run.
  if (asking.has(call_id)) {
    asking.set(call_id, [])
    return []
  }
  const text =
    textIn(part, 'content') ??
    listIn(part, 'content')
      .map((item) => textIn(item, 'text') ?? '')
      .join('\n')
  return [{ kind: 'tool_result', call_id, text: eventText(text), is_error: part['is_error'] === true }]
}

function toRetry(line: Fields): ConversationEvent {
  const [attempt, most] = [countIn(line, 'attempt') ?? 0, countIn(line, 'max_retries') ?? 0]
  const reason = textIn(line, 'error') ?? 'an error of the provider'
  const status = countIn(line, 'error_status')
  const message = `${reason}${status === undefined ? '' : ` (HTTP ${status})`}, attempt ${attempt} of ${most} failed`
  return { kind: 'limit', state: 'retrying', message }
}

function toReply(id: string, response: Fields): string {
  return JSON.stringify({ type: 'control_response', response: { subtype: 'success', request_id: id, response } })
}

function listOfTexts(value: unknown): string | undefined {
  if (!Array.isArray(value)) return undefined
  // What the CLI notes for its makers, at each turn that is interrupted (2.1.332).
  const texts = value.filter((item) => typeof item === 'string' && !item.startsWith('[ede_diagnostic]'))
  return texts.length === 0 ? undefined : texts.join('\n')
}
