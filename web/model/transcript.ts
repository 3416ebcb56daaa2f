/**
 * The conversation of an execution as it is read: entries instead of events. Pure: the same events give the same
 * transcript, in whatever order and however often they arrive, since each has its position in the file.
 */
import type { MessageRecord } from '../../core/rest/records/task.ts'
import { roundWords } from '../../core/sentences/checks.ts'
import type { ConversationLine, ToldRecord } from '../../core/rest/messages.ts'
import type { TodoItem } from '../../core/transcript/events.ts'

/** An event with its place in the file of the execution, which grows. */
export interface PlacedLine {
  readonly position: number
  readonly line: ConversationLine
}

type Of<K extends ConversationLine['kind']> = Extract<ConversationLine, { readonly kind: K }>

export interface Edit {
  readonly path: string
  readonly before?: string
  readonly after?: string
}

export interface ToolEntry {
  readonly kind: 'tool'
  readonly tool: string
  readonly input: unknown
  /** The first of them: one event of a hostile agent may name any number. */
  readonly edits: readonly Edit[]
  /** Undefined while the tool works. */
  readonly result?: { readonly at: string; readonly text: string; readonly isError: boolean }
}

export type Entry = { readonly id: number; readonly at: string } & (
  | { readonly kind: 'text'; readonly text: string; /** The agent has not ended it. */ readonly isOpen: boolean }
  | { readonly kind: 'thinking'; readonly text: string }
  | ToolEntry
  | { readonly kind: 'question'; readonly questions: Of<'question'>['questions'] }
  | { readonly kind: 'limit'; readonly state: Of<'limit'>['state']; readonly message: string }
  | { readonly kind: 'result'; readonly isError: boolean; readonly text: string | undefined }
  | {
      readonly kind: 'message'
      /** Its id in the records of task and execution. */
      readonly message: string
      readonly by: string | undefined
      readonly mode: Of<'message'>['mode']
      readonly text: string
    }
  | {
      readonly kind: 'checks'
      /** Whose findings the agent is asked to mend. */
      readonly round: number
      readonly text: string
    }
  | { readonly kind: 'output'; readonly text: string }
  | { readonly kind: 'session'; readonly model: string | undefined }
)

export interface Transcript {
  readonly entries: readonly Entry[]
  /** The agent's own list of steps, as it wrote it last. */
  readonly todo: readonly TodoItem[]
  readonly usage: Of<'usage'> | undefined
}

/** A person's answer to what the agent asked at the end. */
export interface GivenAnswer {
  readonly by?: string | undefined
  readonly text: string
}

/** A block of output of more characters is followed by another one. */
const MAX_OUTPUT = 20_000
/** Edits that are kept of one use of a tool; the diff has the outcome of all. */
const MAX_EDITS = 200

/** All lines that are known, in the order of the file, each once. */
export function joinLines(known: readonly PlacedLine[], added: readonly PlacedLine[]): readonly PlacedLine[] {
  let last = known.at(-1)?.position ?? -1
  const isBehind = added.every(({ position }) => {
    const isNext = position > last
    last = position
    return isNext
  })
  if (isBehind) return [...known, ...added]
  const lines = new Map([...known, ...added].map((placed) => [placed.position, placed]))
  return [...lines.values()].sort((a, b) => a.position - b.position)
}

/** @param lines in the order of the file, each once */
export function transcriptOf(
  lines: readonly PlacedLine[],
  { messages = [], checks = [] }: ToldRecord = {},
): Transcript {
  const entries: Entry[] = []
  const said = new Map(messages.map((message) => [message.id, message]))
  const tools = new Map<string, number>()
  let todo: readonly TodoItem[] = []
  let usage: Of<'usage'> | undefined
  for (const { position, line } of lines) {
    if (line.kind === 'todo') todo = line.items
    else if (line.kind === 'usage') usage = line
    else if (line.kind === 'tool_call' || line.kind === 'edit' || line.kind === 'tool_result')
      putTool(entries, tools, position, line)
    else if (line.kind === 'checks') putRound(entries, position, line, roundWords(checks, line.round))
    else putSaid(entries, position, line.kind === 'message' ? toSaid(line, said.get(line.id)) : line)
  }
  return { entries, todo, usage }
}

function putTool(
  entries: Entry[],
  tools: Map<string, number>,
  id: number,
  line: Of<'tool_call' | 'edit' | 'tool_result'>,
): void {
  const at = line.kind === 'tool_call' ? undefined : tools.get(line.call_id)
  const found = at === undefined ? undefined : entries[at]
  const before = found?.kind === 'tool' ? found : { id, at: line.at, ...toolOf(line) }
  const place = found?.kind === 'tool' && at !== undefined ? at : entries.length
  entries[place] = addToTool(before, line)
  tools.set(line.call_id, place)
}

/** What is known of a tool by the first event about it. */
function toolOf(line: Of<'tool_call' | 'edit' | 'tool_result'>): ToolEntry {
  switch (line.kind) {
    case 'tool_call':
      return { kind: 'tool', tool: line.tool, input: line.input, edits: [] }
    case 'edit':
      return { kind: 'tool', tool: 'Edit', input: undefined, edits: [] }
    case 'tool_result':
      return { kind: 'tool', tool: 'A tool', input: undefined, edits: [] }
    default:
      return line satisfies never
  }
}

function addToTool(
  entry: Extract<Entry, { kind: 'tool' }>,
  line: Of<'tool_call' | 'edit' | 'tool_result'>,
): Extract<Entry, { kind: 'tool' }> {
  if (line.kind === 'tool_result') return { ...entry, result: { at: line.at, text: line.text, isError: line.is_error } }
  if (line.kind === 'tool_call' || entry.edits.length >= MAX_EDITS) return entry
  const { path, before, after } = line
  const edit = { path, ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) }
  return { ...entry, edits: [...entry.edits, edit] }
}

type Said = Exclude<ConversationLine, Of<'tool_call' | 'edit' | 'tool_result' | 'todo' | 'usage' | 'checks'>>

/** In the words of the record; what it does not know is output of the agent. */
function toSaid({ at, text }: Of<'message'>, message: MessageRecord | undefined): Of<'message' | 'output'> {
  if (message === undefined) return { at, kind: 'output', text }
  const { id, by, mode } = message
  return { at, kind: 'message', id, mode, text: message.text, ...(by === undefined ? {} : { by }) }
}

/** Nothing of a round in which the record knows nothing red. */
function putRound(entries: Entry[], id: number, { at, round }: Of<'checks'>, text: string | undefined): void {
  if (text !== undefined) entries.push({ id, at, kind: 'checks', round, text })
}

/** Adds to the last entry what goes on with it, and else a new entry. */
function putSaid(entries: Entry[], id: number, line: Said): void {
  const last = entries.at(-1)
  const { at } = line
  if (line.kind === 'text' && last?.kind === 'text' && last.isOpen)
    entries[entries.length - 1] = { ...last, text: last.text + line.text, isOpen: line.is_partial === true }
  else if (line.kind === 'thinking' && last?.kind === 'thinking')
    entries[entries.length - 1] = { ...last, text: `${last.text}\n\n${line.text}` }
  else if (line.kind === 'output' && last?.kind === 'output' && last.text.length < MAX_OUTPUT)
    entries[entries.length - 1] = { ...last, text: `${last.text}\n${line.text}` }
  else entries.push({ id, at, ...entryOf(line) })
}

function entryOf(line: Said) {
  switch (line.kind) {
    case 'text':
      return { kind: 'text', text: line.text, isOpen: line.is_partial === true } as const
    case 'thinking':
      return { kind: 'thinking', text: line.text } as const
    case 'question':
      return { kind: 'question', questions: line.questions } as const
    case 'limit':
      return { kind: 'limit', state: line.state, message: line.message } as const
    case 'message':
      return { kind: 'message', message: line.id, by: line.by, mode: line.mode, text: line.text } as const
    case 'result':
      return { kind: 'result', isError: line.is_error, text: line.text } as const
    case 'output':
      return { kind: 'output', text: line.text } as const
    case 'session':
      return { kind: 'session', model: line.model } as const
    default:
      return line satisfies never
  }
}

/** Where a failed conversation is read first: what the provider or the program says, else the first tool that failed. */
export function findFirstError({ entries }: Transcript): number | undefined {
  const isEnd = (entry: Entry): boolean =>
    (entry.kind === 'result' && entry.isError) || (entry.kind === 'limit' && entry.state === 'reached')
  const end = entries.findIndex(isEnd)
  const tool = entries.findIndex((entry) => entry.kind === 'tool' && entry.result?.isError === true)
  return [end, tool].find((index) => index !== -1)
}

/** The question that was asked at the end. None before all is here, because what is last until then may be an earlier one. */
export function findLastQuestion({ entries }: Transcript, isWhole: boolean): number | undefined {
  return isWhole ? entries.findLastIndex(({ kind }) => kind === 'question') : undefined
}
