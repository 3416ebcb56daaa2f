/**
 * Claude Code's `--output-format stream-json` (observed with 2.1.197 and 2.1.329): one JSON object per line.
 *
 * Unknown kinds of lines are skipped: every version adds some. With `--permission-prompt-tool stdio` the CLI asks on
 * stdout and waits for an answer on stdin; a question to the person ends the run, because nobody waits at a pod: the
 * session is kept, and the answer resumes it.
 */
import type { Static } from 'typebox'
import type { Question, Tokens } from '../execution/result.ts'
import { toEdit, toTodo } from './claude-tools.ts'
import type { ConversationEvent } from './events.ts'
import type { Fields } from './fields.ts'
import {
  addTokens,
  amountIn,
  countIn,
  eventInput,
  eventText,
  fieldsIn,
  given,
  listIn,
  numberIn,
  sessionIn,
  textIn,
} from './fields.ts'
import { readJsonLine } from './json-line.ts'
import { clampText } from './summary.ts'
import { usageEvents } from './usage.ts'
import type { Reading, Transcript, TranscriptFacts } from './transcript.ts'
import { millisecondsToTimestamp } from '../time.ts'

/** Model of a line that the CLI wrote itself, to carry an error of the provider. */
const SYNTHETIC_MODEL = '<synthetic>'
const QUESTION_TOOL = 'AskUserQuestion'

/** What an outcome can hold (core/execution/result.ts). */
const [MAX_QUESTIONS, MAX_OPTIONS, MAX_OPTION, MAX_HEADER] = [20, 50, 4096, 200]

/** What was read so far. */
interface State {
  readonly facts: TranscriptFacts
  /** One message of the provider comes as several lines, each with the usage of all. */
  lastMessage?: string | undefined
}

export function createClaudeTranscript(): Transcript {
  const state: State = { facts: {} }
  return { facts: state.facts, read: (line) => readJsonLine(line, (fields) => readLine(state, fields)) }
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
      return { events: listIn(fieldsIn(line, 'message'), 'content').flatMap(readToolResult) }
    case 'rate_limit_event':
      return { events: readLimit(state, fieldsIn(line, 'rate_limit_info')) }
    case 'control_request':
      return readRequest(state, line)
    case 'result':
      return { events: readResult(state, line), isOver: true }
    default:
      return { events: [] }
  }
}

function readSystem({ facts }: State, line: Fields): ConversationEvent[] {
  const subtype = textIn(line, 'subtype')
  if (subtype === 'api_retry') return [toRetry(line)]
  if (subtype !== 'init') return []
  const model = textIn(line, 'model')
  if (model !== undefined) facts.model = model
  return [{ kind: 'session', ...given('session_id', facts.sessionId), ...given('model', model) }]
}

function readAssistant(state: State, line: Fields): ConversationEvent[] {
  const message = fieldsIn(line, 'message')
  const content = listIn(message, 'content')
  if (textIn(message, 'model') !== SYNTHETIC_MODEL) {
    return [...content.flatMap(readContent), ...readUsage(state, message)]
  }
  const code = textIn(line, 'error')
  if (code === undefined) return []
  state.facts.errorCode = code
  state.facts.errorText = content.map((part) => textIn(part, 'text') ?? '').join('\n')
  return []
}

function readUsage(state: State, message: Fields): ConversationEvent[] {
  const id = textIn(message, 'id')
  if (id !== undefined && id === state.lastMessage) return []
  state.lastMessage = id
  const usage = toTokens(fieldsIn(message, 'usage'))
  if (usage === undefined) return []
  const tokens = addTokens(state.facts.tokens, usage)
  state.facts.tokens = tokens
  return usageEvents({ tokens })
}

function readLimit({ facts }: State, info: Fields): ConversationEvent[] {
  const status = textIn(info, 'status')
  if (status === undefined || status === 'allowed') return []
  const isReached = status === 'rejected'
  const seconds = numberIn(info, 'resetsAt')
  const resetsAt = seconds === undefined ? undefined : seconds * 1000
  const kind = textIn(info, 'rateLimitType')
  if (isReached) facts.limit = { ...given('resetsAt', resetsAt), ...given('kind', kind) }
  const resets = resetsAt === undefined ? undefined : millisecondsToTimestamp(resetsAt)
  const message = `${kind?.replaceAll('_', ' ') ?? 'usage'} limit ${isReached ? 'reached' : 'is near'}`
  return [{ kind: 'limit', state: isReached ? 'reached' : 'warning', message, ...given('resets_at', resets) }]
}

function readRequest({ facts }: State, line: Fields): Reading {
  const request = fieldsIn(line, 'request')
  const id = textIn(line, 'request_id') ?? ''
  if (textIn(request, 'subtype') !== 'can_use_tool') return { events: [] }
  const input = fieldsIn(request, 'input')
  if (textIn(request, 'tool_name') !== QUESTION_TOOL) {
    // What is not allowed was never offered: a request for anything else is one that the mode would grant.
    return { events: [], replies: [toReply(id, { behavior: 'allow', updatedInput: input })] }
  }
  const questions = listIn(input, 'questions').slice(0, MAX_QUESTIONS).flatMap(toQuestion)
  if (questions.length > 0) facts.questions = questions
  const deny = { behavior: 'deny', message: 'The question was passed on; the answer comes later.', interrupt: true }
  return { events: [{ kind: 'question', questions }], replies: [toReply(id, deny)] }
}

function readResult({ facts }: State, line: Fields): ConversationEvent[] {
  const text = textIn(line, 'result') ?? listOfTexts(line['errors'])
  const isError = line['is_error'] !== false
  facts.result = { isError, ...given('text', text), ...given('subtype', textIn(line, 'subtype')) }
  Object.assign(facts, {
    ...given('httpStatus', countIn(line, 'api_error_status')),
    ...given('costUSD', amountIn(line, 'total_cost_usd')),
    ...given('turns', countIn(line, 'num_turns')),
    ...given('tokens', toTokens(fieldsIn(line, 'usage'))),
  })
  return [...usageEvents(facts), { kind: 'result', is_error: isError, ...given('text', text && eventText(text)) }]
}

function readContent(part: Fields): ConversationEvent[] {
  const text = textIn(part, 'text') ?? textIn(part, 'thinking') ?? ''
  switch (part['type']) {
    case 'text':
      return text === '' ? [] : [{ kind: 'text', text: eventText(text) }]
    case 'thinking':
      return text === '' ? [] : [{ kind: 'thinking', text: eventText(text) }]
    case 'tool_use': {
      const call = { call_id: textIn(part, 'id') ?? '', tool: textIn(part, 'name') ?? '' }
      const input = fieldsIn(part, 'input')
      const special = [...toEdit(call, input), ...toTodo(call.tool, input)]
      return [{ kind: 'tool_call', ...call, input: eventInput(input) }, ...special]
    }
    default:
      return []
  }
}

function readToolResult(part: Fields): ConversationEvent[] {
  if (part['type'] !== 'tool_result') return []
  const text =
    textIn(part, 'content') ??
    listIn(part, 'content')
      .map((item) => textIn(item, 'text') ?? '')
      .join('\n')
  const call_id = textIn(part, 'tool_use_id') ?? ''
  return [{ kind: 'tool_result', call_id, text: eventText(text), is_error: part['is_error'] === true }]
}

function toRetry(line: Fields): ConversationEvent {
  const [attempt, most] = [countIn(line, 'attempt') ?? 0, countIn(line, 'max_retries') ?? 0]
  const why = textIn(line, 'error') ?? 'an error of the provider'
  const status = countIn(line, 'error_status')
  const message = `${why}${status === undefined ? '' : ` (HTTP ${status})`}, attempt ${attempt} of ${most} failed`
  return { kind: 'limit', state: 'retrying', message }
}

function toReply(id: string, response: Fields): string {
  return JSON.stringify({ type: 'control_response', response: { subtype: 'success', request_id: id, response } })
}

function toQuestion(question: Fields): Question[] {
  const text = textIn(question, 'question')
  if (text === undefined || text.trim() === '') return []
  const labels = listIn(question, 'options').flatMap((option) => textIn(option, 'label') ?? [])
  const options = labels.slice(0, MAX_OPTIONS).map((label) => clampText(label, MAX_OPTION))
  const header = textIn(question, 'header')
  const multiple = question['multiSelect'] === true
  return [
    {
      text: eventText(text),
      ...given('header', header && clampText(header, MAX_HEADER)),
      ...(options.length === 0 ? {} : { options }),
      ...(multiple ? { multiple } : {}),
    },
  ]
}

function toTokens(usage: Fields): Static<typeof Tokens> | undefined {
  const [input, output] = [countIn(usage, 'input_tokens'), countIn(usage, 'output_tokens')]
  if (input === undefined && output === undefined) return undefined
  return {
    input: input ?? 0,
    output: output ?? 0,
    cacheRead: countIn(usage, 'cache_read_input_tokens') ?? 0,
    cacheWrite: countIn(usage, 'cache_creation_input_tokens') ?? 0,
  }
}

function listOfTexts(value: unknown): string | undefined {
  if (!Array.isArray(value)) return undefined
  const texts = value.filter((item) => typeof item === 'string')
  return texts.length === 0 ? undefined : texts.join('\n')
}
