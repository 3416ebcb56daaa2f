/** A conversation as a person reads it in a terminal (docs/conversation.md has the events). */
import { formatSpan } from '../../core/sentences/amounts.ts'
import { asRecord } from '../../core/json.ts'
import { ConversationLine, type ToldRecord } from '../../core/rest/messages.ts'
import { roundWords } from '../../core/sentences/checks.ts'
import { isTimestamp, parseTimestamp } from '../../core/time.ts'
import { compileCheck } from '../../lib/validate.ts'
import { indent, oneLine, printable } from './text.ts'

const MAX_LINE = 160
/** Before each line of what the agent only prints. */
const OUTPUT = '  | '

/** Fields of a tool's input that say what it does, the best first. */
const TELLING = ['command', 'file_path', 'path', 'pattern', 'query', 'url', 'description', 'prompt']

const check = compileCheck(ConversationLine)

/**
 * Prints events one after another; anything else is left out.
 *
 * @param record given to each call: what people said and checks found. An agent can write any event into its file.
 */
export function conversationPrinter(out: (text: string) => void): (data: unknown, record?: ToldRecord) => void {
  let isOpen = false
  return (data, record = {}) => {
    const checked = check(data)
    const text = checked.ok ? formatEvent(checked.value, record) : undefined
    if (!checked.ok || text === undefined) return
    const { value } = checked
    if (isOpen && value.kind !== 'text') out('\n')
    isOpen = value.kind === 'text' && value.is_partial === true
    out(text)
  }
}

/** What to show of an event; undefined for one that people need not see. */
function formatEvent(event: ConversationLine, record: ToldRecord): string | undefined {
  switch (event.kind) {
    case 'session':
      return event.model === undefined ? undefined : `· ${oneLine(event.model, MAX_LINE)}\n`
    case 'text':
      return event.is_partial === true ? printable(event.text) : `${printable(event.text).trimEnd()}\n`
    case 'thinking':
      return `${indent(event.text, '  ~ ')}\n`
    case 'tool_call':
      return `→ ${oneLine(`${event.tool} ${formatInput(event.input)}`, MAX_LINE)}\n`
    case 'tool_result':
      return event.is_error ? `  ✗ ${oneLine(event.text, MAX_LINE)}\n` : undefined
    case 'todo':
      return event.items.map(({ text, state }) => `  ${MARKS[state]} ${oneLine(text, MAX_LINE)}\n`).join('')
    case 'message':
      return `${formatMessage(event, record)}\n`
    case 'checks':
      return formatRound(event.round, record)
    case 'limit':
      return `! ${oneLine(event.message, MAX_LINE)}${limitedFor(event)}\n`
    case 'output':
      return `${indent(event.text, OUTPUT)}\n`
    // The call before, the end of the task or its question shows these.
    case 'edit':
    case 'usage':
    case 'question':
    case 'result':
      return undefined
    default:
      return event satisfies never
  }
}

/** In the words of the record: an agent can write any `message` into its file, under any name. */
function formatMessage(event: { readonly id: string; readonly text: string }, { messages = [] }: ToldRecord): string {
  const said = messages.find(({ id }) => id === event.id)
  return said === undefined ? indent(event.text, OUTPUT) : indent(`${said.by ?? 'somebody'}: ${said.text}`, '> ')
}

/** Nothing of a round in which the record knows nothing red. */
function formatRound(round: number, { checks = [] }: ToldRecord): string | undefined {
  const words = roundWords(checks, round)
  return words === undefined ? undefined : `${indent(`Slipway, after round ${round}: ${words}`, '> ')}\n`
}

/** For how long the provider's limit holds from then on; '' where it does not say so. */
function limitedFor({ at, resets_at = '' }: { readonly at: string; readonly resets_at?: string }): string {
  if (!isTimestamp(resets_at)) return ''
  const ms = parseTimestamp(resets_at).getTime() - parseTimestamp(at).getTime()
  return ms > 0 ? ` (resets in ${formatSpan(ms)})` : ''
}

const MARKS = { pending: '☐', in_progress: '▸', completed: '☑' } as const

function formatInput(input: unknown): string {
  const fields = asRecord(input)
  const telling = TELLING.map((name) => fields[name]).find((value) => typeof value === 'string')
  return telling === undefined ? JSON.stringify(input ?? '') : telling
}
