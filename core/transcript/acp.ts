/**
 * The Agent Client Protocol, version 1, from the client's side: JSON-RPC 2.0 on stdio, one message a line. It leads the
 * program to its session and through one prompt, and reads what it says meanwhile.
 *
 * As with the other programs it is a reader of lines that gives events and replies, so that a recorded run can be read
 * again; the authors' library, which holds both ends of a live connection, cannot do that (docs/dependencies.md).
 *
 * Source: agentclientprotocol.com, protocol/v1.
 */
import type { AcpDialect } from '../crd/types.ts'
import { RESULT_LIMITS } from '../execution/result-limits.ts'
import { isJsonObject } from '../json.ts'
import { clip } from '../text.ts'
import { type AcpFault, faultIn, faultOf, isFailure, readable, toError } from './acp-dialect.ts'
import { readQuestions } from './acp-questions.ts'
import { readTokens } from './acp-tokens.ts'
import type { ConversationEvent, TodoItem } from './events.ts'
import {
  type Fields,
  amountIn,
  eventInput,
  eventText,
  fieldsIn,
  listIn,
  optionalField,
  sessionIn,
  textIn,
} from './fields.ts'
import { readJsonLine } from './json-line.ts'
import { type PartialText, createPartialText } from './partial-text.ts'
import type { Reading, Transcript, TranscriptFacts } from './transcript.ts'
import { addTokens } from './tokens.ts'
import { usageEvents } from './usage.ts'

/** How a run begins, and what the client says of itself. */
export interface AcpRun {
  readonly prompt: string
  /** Of the session to take up; absent: a new one. */
  readonly sessionId?: string | undefined
  /** Absolute path of the clone. */
  readonly cwd: string
  /** As session/new takes them. */
  readonly mcpServers: readonly object[]
  readonly model?: string | undefined
  /** What the session had cost before, in US dollars: the program tells the cost of the whole session. */
  readonly spentUSD?: number | undefined
  readonly dialect: AcpDialect
}

/** Reads one run of such a program, which can be told more meanwhile. */
export interface AcpTranscript extends Transcript {
  /** The line of one more prompt; its id is `taken` when the program has begun with it. */
  say(text: string, id: string): string
  /** The line that makes it end its turn. */
  cancel(): string
}

/** What a request of ours was, by which its answer is read. */
type Asked = 'initialize' | 'new' | 'resume' | 'load' | 'mode' | 'model' | 'prompt'

interface Call {
  readonly tool: string
  readonly input: unknown
  isTold: boolean
}

/** A prompt that came after the first one. */
interface Said {
  readonly id: string
  /** What the model says next, it says to this. */
  isNext: boolean
}

/** What was read so far. */
interface State {
  readonly run: AcpRun
  readonly facts: TranscriptFacts
  readonly saying: PartialText
  /** Requests of ours that wait for an answer. */
  readonly asked: Map<number | string, Asked>
  readonly calls: Map<string, Call>
  nextId: number
  /** Empty until it is open. */
  sessionId: string
  /** The prompt whose answer ends the turn. */
  lastPrompt?: number | string
  /** Further prompts with which the program has not begun, as far as is known. */
  further: Said[]
  /** What it thinks, until it says or does something. */
  thought: string
  /** The last thing that it said, which is the summary of a run. */
  said: string
  /** Before the prompt, a session that is loaded tells its whole past. */
  isPast: boolean
  /** What the session takes of those that are asked for, in turn, before the prompt. */
  options: Fields
}

/** The first line of a run, for stdin. */
export function acpBeginning(): string {
  return toRequest(1, 'initialize', {
    protocolVersion: 1,
    clientInfo: { name: 'slipway', title: 'Slipway', version: '1' },
    // Files and commands are the program's own: it works in the clone, as the other programs do.
    clientCapabilities: {
      fs: { readTextFile: false, writeTextFile: false },
      terminal: false,
      elicitation: { form: {} },
    },
  })
}

export function createAcpTranscript(run: AcpRun): AcpTranscript {
  const state: State = {
    run,
    facts: {},
    saying: createPartialText(),
    asked: new Map([[1, 'initialize']]),
    calls: new Map(),
    nextId: 2,
    sessionId: '',
    further: [],
    thought: '',
    said: '',
    isPast: true,
    options: {},
  }
  return {
    facts: state.facts,
    read: (line) => readJsonLine(line, (fields) => readMessage(state, fields)),
    // The list of slash commands: up to 40 kB, at every start.
    isPiece: (line) => line.includes('"available_commands_update"') && line.startsWith('{"jsonrpc"'),
    say: (text, id) => {
      const isIdle = state.lastPrompt === undefined || !state.asked.has(state.lastPrompt)
      // The turn before is over, and how it ended says nothing any more.
      if (isIdle) delete state.facts.result
      state.further.push({ id, isNext: isIdle })
      return toPrompt(state, id, text)
    },
    cancel: () => toCancel(state),
  }
}

function readMessage(state: State, message: Fields): Reading {
  const method = textIn(message, 'method')
  const { id } = message
  if (method === 'session/update') {
    if (state.isPast) return { events: [] }
    const update = fieldsIn(fieldsIn(message, 'params'), 'update')
    return { ...takeFurther(state, update), events: readUpdate(state, update) }
  }
  if (typeof id !== 'number' && typeof id !== 'string') return { events: [] }
  if (method === undefined) return readAnswer(state, id, message)
  return readRequest(state, { id, method, params: fieldsIn(message, 'params') })
}

/* What the program answers to our requests. */

function readAnswer(state: State, id: number | string, message: Fields): Reading {
  const asked = state.asked.get(id)
  if (asked === undefined) return { events: [] }
  state.asked.delete(id)
  if (asked !== 'prompt') return readBeginning(state, asked, message)
  // With whatever it was told in this turn it begins now, or has begun.
  const taken = state.further.splice(0).map((said) => said.id)
  // A prompt that was joined by another, or cancelled by it, does not end the turn.
  if (id !== state.lastPrompt) return { events: [], taken }
  const { error } = message
  const last = isJsonObject(error)
    ? end(state, { ...toFault(state, asked, error), isError: true })
    : readStop(state, fieldsIn(message, 'result'))
  return { ...last, taken }
}

/** The answers to what comes before the prompt. */
function readBeginning(state: State, asked: Exclude<Asked, 'prompt'>, message: Fields): Reading {
  const { error } = message
  if (isJsonObject(error)) return end(state, { ...toFault(state, asked, error), isError: true })
  const result = fieldsIn(message, 'result')
  switch (asked) {
    case 'initialize':
      return openSession(state, fieldsIn(result, 'agentCapabilities'))
    case 'new':
    case 'resume':
    case 'load':
      return goOnInSession(state, result)
    case 'mode':
      return askForModel(state)
    case 'model':
      return askPrompt(state)
    default:
      return asked satisfies never
  }
}

function openSession(state: State, capabilities: Fields): Reading {
  const { sessionId, cwd, mcpServers } = state.run
  const params = { cwd, mcpServers }
  if (sessionId === undefined) return ask(state, 'new', 'session/new', params)
  if (isJsonObject(fieldsIn(capabilities, 'sessionCapabilities')['resume']))
    return ask(state, 'resume', 'session/resume', { ...params, sessionId })
  if (capabilities['loadSession'] === true) return ask(state, 'load', 'session/load', { ...params, sessionId })
  return end(state, { fault: 'lostSession', text: 'the program takes up no sessions', isError: true })
}

function goOnInSession(state: State, result: Fields): Reading {
  const { run } = state
  const sessionId = run.sessionId ?? sessionIn(result, 'sessionId')
  state.sessionId = sessionId ?? ''
  state.options = result
  const event: ConversationEvent = {
    kind: 'session',
    ...optionalField('session_id', sessionId),
    ...optionalField('model', run.model),
  }
  const { mode } = run.dialect
  const next =
    mode === undefined
      ? askForModel(state)
      : ask(state, 'mode', 'session/set_mode', { sessionId: state.sessionId, modeId: mode })
  return { ...next, events: [event, ...next.events] }
}

function askForModel(state: State): Reading {
  const { run, facts, options, sessionId } = state
  if (run.model === undefined) return askPrompt(state)
  facts.model = run.model
  const choice = listIn(options, 'configOptions').find((option) => option['category'] === 'model')
  const configId = choice === undefined ? undefined : textIn(choice, 'id')
  if (configId !== undefined)
    return ask(state, 'model', 'session/set_config_option', { sessionId, configId, value: run.model })
  // Older than options, and never part of the stable protocol: gemini 0.61.0 has it alone.
  if (isJsonObject(options['models']))
    return ask(state, 'model', 'session/set_model', { sessionId, modelId: run.model })
  const text = `the program offers no choice of model, so it cannot be ${run.model}`
  return end(state, { fault: 'other', text, isError: true })
}

/** From here on it can be told more. */
function askPrompt(state: State): Reading {
  const { run, facts, sessionId } = state
  state.isPast = false
  if (sessionId !== '') facts.sessionId = sessionId
  const id = state.nextId
  state.nextId += 1
  return { events: [], replies: [toPrompt(state, id, run.prompt)] }
}

/** Those of the further prompts that the program has begun with, by what its model says now. */
function takeFurther(state: State, update: Fields): Pick<Reading, 'taken'> {
  if (state.further.length === 0) return {}
  const kind = textIn(update, 'sessionUpdate') ?? ''
  const status = textIn(update, 'status') ?? ''
  if (kind === 'tool_call_update' && ENDED.includes(status)) for (const said of state.further) said.isNext = true
  else if (BY_MODEL.includes(kind)) {
    const taken = state.further.filter(({ isNext }) => isNext).map(({ id }) => id)
    state.further = state.further.filter(({ isNext }) => !isNext)
    return { taken }
  }
  return {}
}

const ENDED: readonly string[] = ['completed', 'failed']
const BY_MODEL: readonly string[] = ['agent_message_chunk', 'agent_thought_chunk', 'tool_call', 'plan']

/** Only the end of a turn is a success; `failure` are words by which this program tells in it that it failed. */
function readStop(state: State, result: Fields): Reading {
  const reason = textIn(result, 'stopReason') ?? ''
  const tokens = readTokens(result)
  if (tokens !== undefined) state.facts.tokens = addTokens(state.facts.tokens, tokens)
  if (reason !== 'end_turn')
    return end(state, { fault: 'other', text: STOPPED[reason] ?? reason, subtype: reason, isError: true })
  const text = state.said.trim()
  const { dialect } = state.run
  if (!isFailure(text, dialect)) return end(state, { text, isError: false })
  return end(state, { fault: faultIn(text, dialect) ?? 'other', text, isError: true })
}

const STOPPED: Readonly<Record<string, string>> = {
  cancelled: 'the turn was cancelled',
  max_tokens: 'the model wrote as much as it may in one answer',
  max_turn_requests: 'the agent used all its turns',
  refusal: 'the model refused to go on',
}

interface End {
  readonly text: string
  readonly isError: boolean
  readonly fault?: AcpFault | undefined
  readonly subtype?: string | undefined
}

function end(state: State, { text, isError, fault, subtype }: End): Reading {
  const { facts } = state
  const told = [...flush(state), ...usageEvents(facts)]
  state.said = ''
  facts.result = {
    isError,
    ...optionalField('text', text === '' ? undefined : text),
    ...optionalField('subtype', subtype),
  }
  if (fault !== undefined) Object.assign(facts, { errorCode: fault, errorText: text })
  // A question ended the turn, and we cancelled it.
  const isAsked = facts.questions !== undefined
  const last: ConversationEvent = isAsked
    ? { kind: 'result', is_error: false }
    : { kind: 'result', is_error: isError, ...optionalField('text', text === '' ? undefined : eventText(text)) }
  return { events: [...told, last], isOver: true }
}

/** A refusal of the session itself, in whatever words, means that it is gone: a fresh start is the way on. */
function toFault(state: State, asked: Asked, error: Fields): Pick<End, 'fault' | 'text'> {
  const found = toError(error)
  const fault = faultOf(found, state.run.dialect)
  const isSession = asked === 'resume' || asked === 'load'
  return { fault: isSession && fault === 'other' ? 'lostSession' : fault, text: readable(found.text) }
}

/* What the program tells while it works. */

function readUpdate(state: State, update: Fields): ConversationEvent[] {
  const text = textIn(fieldsIn(update, 'content'), 'text') ?? ''
  switch (update['sessionUpdate']) {
    case 'agent_message_chunk': {
      const thought = flushThought(state)
      state.said = eventText(state.said + text)
      return [...thought, ...state.saying.push(text)]
    }
    case 'agent_thought_chunk': {
      const said = state.saying.end()
      state.thought = eventText(state.thought + text)
      return said
    }
    case 'tool_call':
    case 'tool_call_update':
      return readCall(state, update)
    case 'plan':
      return [...flush(state), { kind: 'todo', items: listIn(update, 'entries').map(toTodoItem) }]
    case 'usage_update':
      return readCost(state, fieldsIn(update, 'cost'))
    default:
      return []
  }
}

/** A call is told once its input is known: when it is begun, or with its result. */
function readCall(state: State, update: Fields): ConversationEvent[] {
  const call_id = textIn(update, 'toolCallId') ?? ''
  const before = state.calls.get(call_id)
  const call: Call = {
    tool: textIn(update, 'name') ?? before?.tool ?? textIn(update, 'kind') ?? 'other',
    input: isJsonObject(update['rawInput'])
      ? eventInput(update['rawInput'])
      : (before?.input ?? optionalField('title', textIn(update, 'title'))),
    isTold: before?.isTold ?? false,
  }
  state.calls.set(call_id, call)
  if (state.calls.size > MAX_CALLS) for (const [oldest] of [...state.calls].slice(0, 1)) state.calls.delete(oldest)
  const status = textIn(update, 'status') ?? 'pending'
  if (status === 'pending') return []
  const told: ConversationEvent[] = [...flush(state)]
  if (!call.isTold) {
    call.isTold = true
    state.said = ''
    told.push({ kind: 'tool_call', call_id, tool: clip(call.tool, MAX_TOOL_NAME), input: call.input })
  }
  if (status !== 'completed' && status !== 'failed') return told
  state.calls.delete(call_id)
  const content = listIn(update, 'content')
  const edits = content.filter((part) => part['type'] === 'diff').map((part) => toEdit(call_id, part))
  const text = resultText(content, fieldsIn(update, 'rawOutput'))
  return [...told, ...edits, { kind: 'tool_result', call_id, text: eventText(text), is_error: status === 'failed' }]
}

const MAX_TOOL_NAME = 200
/** Calls that wait for their end. Of more than so many at once, the oldest are told without name and input. */
const MAX_CALLS = 100

function resultText(content: readonly Fields[], raw: Fields): string {
  const texts = content.flatMap((part) => textIn(fieldsIn(part, 'content'), 'text') ?? [])
  return texts.length > 0 ? texts.join('\n') : (textIn(raw, 'output') ?? textIn(raw, 'error') ?? '')
}

function toEdit(call_id: string, part: Fields): ConversationEvent {
  const [before, after] = [textIn(part, 'oldText'), textIn(part, 'newText')]
  return {
    kind: 'edit',
    call_id,
    path: textIn(part, 'path') ?? '',
    ...optionalField('before', before === undefined ? undefined : eventText(before)),
    ...optionalField('after', after === undefined ? undefined : eventText(after)),
  }
}

function toTodoItem(entry: Fields): TodoItem {
  const status = textIn(entry, 'status')
  const state = status === 'in_progress' || status === 'completed' ? status : 'pending'
  return { text: eventText(textIn(entry, 'content') ?? ''), state }
}

/** The cost of the whole session so far. */
function readCost({ facts, run }: State, cost: Fields): ConversationEvent[] {
  const amount = amountIn(cost, 'amount')
  if (amount !== undefined && cost['currency'] === 'USD') facts.costUSD = Math.max(0, amount - (run.spentUSD ?? 0))
  return []
}

function flush(state: State): ConversationEvent[] {
  return [...flushThought(state), ...state.saying.end()]
}

function flushThought(state: State): ConversationEvent[] {
  const { thought } = state
  state.thought = ''
  return thought === '' ? [] : [{ kind: 'thinking', text: thought }]
}

/* What the program asks of us. */

interface Request {
  readonly id: number | string
  readonly method: string
  readonly params: Fields
}

function readRequest(state: State, { id, method, params }: Request): Reading {
  switch (method) {
    case 'session/request_permission':
      return { events: [], replies: [toAnswer(id, { outcome: permit(state, listIn(params, 'options')) })] }
    case 'elicitation/create':
      return readElicitation(state, id, params)
    default:
      // The capabilities that we gave say that we have none of these.
      return { events: [], replies: [toRefusal(id, `Method not found: ${method}`)] }
  }
}

function permit({ run }: State, options: readonly Fields[]): object {
  const kinds = run.dialect.permissions === 'Refuse' ? ['reject_once', 'reject_always'] : ['allow_always', 'allow_once']
  const [option] = kinds.flatMap((kind) => options.filter((each) => each['kind'] === kind))
  const optionId = option === undefined ? undefined : textIn(option, 'optionId')
  return optionId === undefined ? { outcome: 'cancelled' } : { outcome: 'selected', optionId }
}

/** The person's answer comes with the next run: the question is passed on, and the turn ended. */
function readElicitation(state: State, id: number | string, params: Fields): Reading {
  const questions = readQuestions(params)
  if (questions.length === 0) return { events: [], replies: [toAnswer(id, { action: 'decline' })] }
  const { facts } = state
  facts.questions = [...(facts.questions ?? []), ...questions].slice(0, RESULT_LIMITS.questions)
  return {
    events: [...flush(state), { kind: 'question', questions }],
    replies: [toAnswer(id, { action: 'cancel' }), toCancel(state)],
  }
}

/* What we write. */

function ask(state: State, asked: Asked, method: string, params: object): Reading {
  const id = state.nextId
  state.nextId += 1
  state.asked.set(id, asked)
  return { events: [], replies: [toRequest(id, method, params)] }
}

function toRequest(id: number | string, method: string, params: object): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params })
}

function toPrompt(state: State, id: number | string, text: string): string {
  state.asked.set(id, 'prompt')
  state.lastPrompt = id
  return toRequest(id, 'session/prompt', { sessionId: state.sessionId, prompt: [{ type: 'text', text }] })
}

function toCancel({ sessionId }: State): string {
  return JSON.stringify({ jsonrpc: '2.0', method: 'session/cancel', params: { sessionId } })
}

function toAnswer(id: number | string, result: object): string {
  return JSON.stringify({ jsonrpc: '2.0', id, result })
}

function toRefusal(id: number | string, message: string): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message } })
}
