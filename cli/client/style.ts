/** What a terminal can show: colours and a width. What goes to a program has neither. */
import type { WriteStream } from 'node:tty'
import { styleText } from 'node:util'
import { UsageError } from '../command.ts'

export interface Style {
  /** Whether a person reads the output rather than a program. */
  readonly isTerminal: boolean
  readonly hasColor: boolean
  /** Columns of the terminal; absent: lines may have any length. */
  readonly width?: number | undefined
}

const CHOICES = ['auto', 'always', 'never'] as const

/**
 * Style of an output. `auto` is what Node finds out about a terminal, which honours NO_COLOR, FORCE_COLOR and TERM.
 *
 * @param color of `--color`
 * @throws UsageError for another choice than auto, always and never
 */
export function styleOf(color = 'auto', stream: Pick<WriteStream, 'isTTY' | 'columns' | 'hasColors'>): Style {
  const choice = CHOICES.find((known) => known === color)
  if (choice === undefined)
    throw new UsageError(`--color must be one of ${CHOICES.join(', ')}, not ${JSON.stringify(color)}`)
  const isTerminal = stream.isTTY
  const hasColor = choice === 'always' || (choice === 'auto' && isTerminal && stream.hasColors())
  return { isTerminal, hasColor, width: isTerminal && stream.columns > 0 ? stream.columns : undefined }
}

type Color = Parameters<typeof styleText>[0]

/** States of tasks, executions, stories and agents, in any case: what needs a person stands out. */
const STATE_COLORS: Readonly<Record<string, Color>> = {
  RUNNING: 'blue',
  READY: 'yellow',
  BLOCKED: 'yellow',
  VALIDATING: 'yellow',
  COMPLETED: 'green',
  DONE: 'green',
  FAILED: 'red',
  TIMED_OUT: 'red',
  BUDGET_EXCEEDED: 'red',
  RATE_LIMITED: 'red',
  DRAINED: 'red',
  UNAVAILABLE: 'gray',
  CANCELLED: 'gray',
}

/** A text in the colour of the state that it names; blanks behind the name stay. */
export function paintState(text: string, { hasColor }: Style): string {
  const color = STATE_COLORS[text.trim().toUpperCase()]
  return hasColor && color !== undefined ? paint(color, text) : text
}

/** Lines that may be out of date. */
export function paintStale(text: string, { hasColor }: Style): string {
  return hasColor ? paint('gray', text) : text
}

/** What a person should know before they read on. */
export function paintWarning(text: string, { hasColor }: Style): string {
  return hasColor ? paint('yellow', text) : text
}

/** A git diff in the colours that git gives it. */
export function paintDiff(diff: string, { hasColor }: Style): string {
  if (!hasColor) return diff
  let isHeader = false
  return diff
    .split('\n')
    .map((line) => {
      if (line.startsWith('diff --git ')) isHeader = true
      else if (line.startsWith('@@')) isHeader = false
      const color = isHeader ? 'bold' : DIFF_COLORS[line[0] ?? '']
      return color === undefined ? line : paint(color, line)
    })
    .join('\n')
}

const DIFF_COLORS: Readonly<Record<string, Color>> = { '+': 'green', '-': 'red', '@': 'cyan' }

// Whether to colour is decided above, for --color too; Node would decide anew by its own stdout.
function paint(color: Color, text: string): string {
  return text === '' ? '' : styleText(color, text, { validateStream: false })
}
