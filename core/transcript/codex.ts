/** `codex exec --json` (observed with 0.169.0): one JSON object per line. It reports no cost. */
import type { Tokens } from '../crd/types.ts'
import type { ConversationEvent } from './events.ts'
import { type Fields, eventInput, eventText, fieldsIn, optionalField, listIn, sessionIn, textIn } from './fields.ts'
import { readJsonLine } from './json-line.ts'
import { toCodexTokens } from './session-usage.ts'
import { NO_TOKENS, subtractTokens } from './tokens.ts'
import { usageEvents } from './usage.ts'
import type { Reading, Transcript, TranscriptFacts } from './transcript.ts'

/** What was read so far. */
interface State {
  readonly facts: TranscriptFacts
  readonly before: Tokens
  /** What the agent said last: the summary of a run. */
  text?: string
}

/** @param before what the session had used before this run: codex tells that of the whole session */
export function createCodexTranscript(before: Tokens = NO_TOKENS): Transcript {
  const state: State = { facts: {}, before }
  return { facts: state.facts, read: (line) => readJsonLine(line, (fields) => readLine(state, fields)) }
}

function readLine(state: State, line: Fields): Reading {
  switch (line['type']) {
    case 'thread.started':
      return { events: readThread(state, line) }
    case 'item.started':
      return { events: readStarted(fieldsIn(line, 'item')) }
    case 'item.updated':
      return { events: readTodo(fieldsIn(line, 'item')) }
    case 'item.completed':
      return { events: readCompleted(state, fieldsIn(line, 'item')) }
    case 'turn.completed':
      return { events: readTurn(state, line), isOver: true }
    case 'turn.failed':
      return { events: readFailure(state, textIn(fieldsIn(line, 'error'), 'message')), isOver: true }
    case 'error':
      return { events: readError(state, textIn(line, 'message') ?? '') }
    default:
      return { events: [] }
  }
}

/** An error that it meets again and again; what ends the turn is told once more as turn.failed. */
function readError({ facts }: State, message: string): ConversationEvent[] {
  facts.errorText = message
  return message.startsWith('Reconnecting') ? [{ kind: 'limit', state: 'retrying', message: eventText(message) }] : []
}

function readThread({ facts }: State, line: Fields): ConversationEvent[] {
  const id = sessionIn(line, 'thread_id')
  if (id !== undefined) facts.sessionId = id
  return [{ kind: 'session', ...optionalField('session_id', id) }]
}

function readStarted(item: Fields): ConversationEvent[] {
  if (item['type'] === 'todo_list') return readTodo(item)
  const call_id = textIn(item, 'id') ?? ''
  if (item['type'] === 'command_execution') {
    return [{ kind: 'tool_call', call_id, tool: 'shell', input: { command: eventInput(item['command']) } }]
  }
  if (item['type'] !== 'mcp_tool_call') return []
  const tool = [textIn(item, 'server'), textIn(item, 'tool')].filter((name) => name !== undefined).join('.')
  return [{ kind: 'tool_call', call_id, tool, input: eventInput(item['arguments'] ?? {}) }]
}

function readCompleted(state: State, item: Fields): ConversationEvent[] {
  const call_id = textIn(item, 'id') ?? ''
  const text = textIn(item, 'text') ?? ''
  switch (item['type']) {
    case 'agent_message':
      state.text = text
      return text === '' ? [] : [{ kind: 'text', text: eventText(text) }]
    case 'reasoning':
      return text === '' ? [] : [{ kind: 'thinking', text: eventText(text) }]
    case 'command_execution': {
      const output = eventText(textIn(item, 'aggregated_output') ?? '')
      return [{ kind: 'tool_result', call_id, text: output, is_error: item['exit_code'] !== 0 }]
    }
    case 'file_change':
      return listIn(item, 'changes').flatMap((change) => toEdit(call_id, change))
    case 'mcp_tool_call':
      return [{ kind: 'tool_result', call_id, text: '', is_error: item['status'] === 'failed' }]
    case 'todo_list':
      return readTodo(item)
    // Often only a warning; what ended the turn comes as turn.failed.
    case 'error':
      return [{ kind: 'output', text: eventText(textIn(item, 'message') ?? '') }]
    default:
      return []
  }
}

function toEdit(call_id: string, change: Fields): ConversationEvent[] {
  const path = textIn(change, 'path')
  return path === undefined ? [] : [{ kind: 'edit', call_id, path }]
}

function readTodo(item: Fields): ConversationEvent[] {
  if (item['type'] !== 'todo_list') return []
  const items = listIn(item, 'items').map((step) => ({
    text: eventText(textIn(step, 'text') ?? ''),
    state: step['completed'] === true ? ('completed' as const) : ('pending' as const),
  }))
  return [{ kind: 'todo', items }]
}

function readTurn(state: State, line: Fields): ConversationEvent[] {
  const { facts, text } = state
  facts.result = { isError: false, ...optionalField('text', text) }
  facts.turns = (facts.turns ?? 0) + 1
  facts.tokens = subtractTokens(toCodexTokens(fieldsIn(line, 'usage')), state.before)
  return [...usageEvents(facts), { kind: 'result', is_error: false, ...optionalField('text', text && eventText(text)) }]
}

function readFailure({ facts }: State, message: string | undefined): ConversationEvent[] {
  const text = message ?? facts.errorText
  facts.result = { isError: true, ...optionalField('text', text) }
  if (text !== undefined) facts.errorText = text
  return [...limitEvents(text), { kind: 'result', is_error: true, ...optionalField('text', text && eventText(text)) }]
}

function limitEvents(text = ''): ConversationEvent[] {
  return USAGE_LIMIT.test(text) ? [{ kind: 'limit', state: 'reached', message: eventText(text) }] : []
}

/** A subscription's limit; its text says until when (codex-exit.ts). */
const USAGE_LIMIT = /usage limit/i
