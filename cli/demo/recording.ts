/**
 * A recording of a real agent CLI: the lines that it printed, of one run after the other in one session. What belongs to
 * the run that is played (its session, its times, a person's answer) is put in for what belonged to the recorded one.
 */
import { asRecord, parseObject } from '../../core/json.ts'
import { fieldsIn, listIn, textIn } from '../../core/transcript/fields.ts'
import { addMs, toTimestamp } from '../../core/time.ts'

/** What stands in recordings (test/agents/record-demo.ts, test/agents/scrub.ts) for what each run has of its own. */
export const RECORDED = {
  session: '00000000-0000-4000-8000-000000000001',
  clone: '/recording/volume/sandboxes/demo/repo',
  answer: 'THE ANSWER OF THE PERSON',
  at: '2026-01-01T00:00:00.000Z',
  limitEnds: '"resetsAt":1767225600',
  limitText: 'resets 1am (UTC)',
} as const

/** How long the recorded limit lasts. */
const LIMIT_MS = 10_000

/** What a run has of its own. */
export interface Run {
  readonly session: string
  readonly clone: string
  /** What a person answered; "" if nobody has. */
  readonly answer: string
  readonly now: Date
}

/** A recorded line as it is printed in this run. */
export function toPlayed(line: string, { session, clone, answer, now }: Run): string {
  const ends = addMs(now, LIMIT_MS + 999)
  const time = toTimestamp(ends).slice(11, 16)
  return line
    .replaceAll(RECORDED.session, session)
    .replaceAll(RECORDED.clone, () => quoted(clone))
    .replaceAll(RECORDED.answer, () => quoted(answer))
    .replaceAll(RECORDED.at, now.toISOString())
    .replaceAll(RECORDED.limitEnds, `"resetsAt":${Math.floor(ends.getTime() / 1000)}`)
    .replaceAll(RECORDED.limitText, `resets ${time} (UTC)`)
}

/** As in a string of JSON. */
function quoted(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}

/** What a tool call does to the clone. */
export type Deed =
  | { readonly kind: 'write'; readonly path: string; readonly content: string }
  | { readonly kind: 'edit'; readonly path: string; readonly from: string; readonly to: string }
  | { readonly kind: 'run'; readonly command: string }

/** What the tool calls in a line of claude's or codex' output do; other lines do nothing. */
export function deedsOf(line: string): readonly Deed[] {
  const fields = parseObject(line)
  const item = fieldsIn(fields, 'item')
  if (fields['type'] === 'item.started' && item['type'] === 'command_execution')
    // codex tells the shell that it starts as well; one that logs in would look for programs elsewhere than we do.
    return [{ kind: 'run', command: (textIn(item, 'command') ?? '').replace(/^\/bin\/bash -lc /, 'bash -c ') }]
  return listIn(fieldsIn(fields, 'message'), 'content').flatMap((part) =>
    part['type'] === 'tool_use' ? toDeed(textIn(part, 'name') ?? '', asRecord(part['input'])) : [],
  )
}

function toDeed(tool: string, input: Readonly<Record<string, unknown>>): readonly Deed[] {
  const text = (name: string): string => textIn(input, name) ?? ''
  switch (tool) {
    case 'Write':
      return [{ kind: 'write', path: text('file_path'), content: text('content') }]
    case 'Edit':
      return [{ kind: 'edit', path: text('file_path'), from: text('old_string'), to: text('new_string') }]
    case 'Bash':
      return [{ kind: 'run', command: text('command') }]
    default:
      return []
  }
}

/** With what the real CLI exited after it had printed these lines. */
export function exitCodeOf(lines: readonly string[]): number {
  const end = parseObject(lines.at(-1) ?? '')
  return end['is_error'] === true || end['type'] === 'turn.failed' ? 1 : 0
}

/** The session that the arguments of claude or codex ask to resume; undefined: a new one begins. */
export function findResumed(args: readonly string[]): string | undefined {
  if (args.includes('--resume')) return args[args.indexOf('--resume') + 1]
  return args[0] === 'exec' && args.includes('resume') ? args.at(-2) : undefined
}
