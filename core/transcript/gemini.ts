/**
 * Gemini CLI's `--output-format stream-json` (observed with 0.61.0): one JSON object per line. It reports no cost,
 * and an error of the provider only as text.
 */
import type { ConversationEvent } from './events.ts'
import { type Fields, countIn, eventInput, eventText, fieldsIn, optionalField, sessionIn, textIn } from './fields.ts'
import { readJsonLine } from './json-line.ts'
import { usageEvents } from './usage.ts'
import type { Reading, Transcript, TranscriptFacts } from './transcript.ts'

/** What was read so far. */
interface State {
  readonly facts: TranscriptFacts
  /** What the agent said last, of which a new piece may follow. */
  text: string
}

export function createGeminiTranscript(): Transcript {
  const state: State = { facts: {}, text: '' }
  return { facts: state.facts, read: (line) => readJsonLine(line, (fields) => readLine(state, fields)) }
}

function readLine(state: State, line: Fields): Reading {
  switch (line['type']) {
    case 'init':
      return { events: readInit(state, line) }
    case 'message':
      return { events: readMessage(state, line) }
    case 'tool_use':
      state.text = ''
      return { events: readToolUse(line) }
    case 'tool_result':
      return { events: readToolResult(line) }
    case 'error':
      return { events: readError(line) }
    case 'result':
      return { events: readResult(state, line), isOver: true }
    default:
      return { events: [] }
  }
}

function readInit({ facts }: State, line: Fields): ConversationEvent[] {
  const found = {
    ...optionalField('sessionId', sessionIn(line, 'session_id')),
    ...optionalField('model', textIn(line, 'model')),
  }
  Object.assign(facts, found)
  return [{ kind: 'session', ...optionalField('session_id', found.sessionId), ...optionalField('model', found.model) }]
}

/** The last thing said is the summary of a run, so it is kept up to the length of an event. */
function readMessage(state: State, line: Fields): ConversationEvent[] {
  const text = textIn(line, 'content') ?? ''
  if (line['role'] !== 'assistant' || text === '') return []
  const isPartial = line['delta'] === true
  state.text = eventText(isPartial ? state.text + text : text)
  return [{ kind: 'text', text: eventText(text), ...(isPartial ? { is_partial: true } : {}) }]
}

function readToolUse(line: Fields): ConversationEvent[] {
  const call = { call_id: textIn(line, 'tool_id') ?? '', tool: textIn(line, 'tool_name') ?? '' }
  const input = fieldsIn(line, 'parameters')
  return [{ kind: 'tool_call', ...call, input: eventInput(input) }, ...toEdit(call, input)]
}

function toEdit(
  { call_id, tool }: { readonly call_id: string; readonly tool: string },
  input: Fields,
): ConversationEvent[] {
  const path = textIn(input, 'file_path')
  if (path === undefined) return []
  const after = textIn(input, tool === 'write_file' ? 'content' : 'new_string')
  const before = textIn(input, 'old_string')
  if (tool !== 'write_file' && tool !== 'replace') return []
  return [
    {
      kind: 'edit',
      call_id,
      path,
      ...optionalField('before', tool === 'replace' && before !== undefined ? eventText(before) : undefined),
      ...optionalField('after', after === undefined ? undefined : eventText(after)),
    },
  ]
}

function readToolResult(line: Fields): ConversationEvent[] {
  const text = textIn(line, 'output') ?? textIn(fieldsIn(line, 'error'), 'message') ?? ''
  const call_id = textIn(line, 'tool_id') ?? ''
  return [{ kind: 'tool_result', call_id, text: eventText(text), is_error: line['status'] === 'error' }]
}

function readError(line: Fields): ConversationEvent[] {
  const text = textIn(line, 'message')
  return text === undefined ? [] : [{ kind: 'output', text: eventText(text) }]
}

function readResult({ facts, text }: State, line: Fields): ConversationEvent[] {
  const isError = line['status'] !== 'success'
  const message = textIn(fieldsIn(line, 'error'), 'message')
  const said = isError ? message : text
  facts.result = { isError, ...optionalField('text', said === '' ? undefined : said) }
  if (isError && message !== undefined) facts.errorText = message
  const stats = fieldsIn(line, 'stats')
  const [input, output] = [countIn(stats, 'input_tokens'), countIn(stats, 'output_tokens')]
  const end: ConversationEvent = {
    kind: 'result',
    is_error: isError,
    ...optionalField('text', said && eventText(said)),
  }
  if (input === undefined || output === undefined) return [end]
  const cacheRead = countIn(stats, 'cached') ?? 0
  // What it thinks is charged as what it says, and is in the total alone.
  const written = Math.max(output, (countIn(stats, 'total_tokens') ?? 0) - input)
  // `input_tokens` counts the cached ones too; ours, as claude's, do not.
  facts.tokens = { input: Math.max(0, input - cacheRead), output: written, cacheRead, cacheWrite: 0 }
  return [...usageEvents(facts), end]
}
