import { asRecord } from '../../core/json.ts'
import { type Terminal, UsageError, wrap } from '../command.ts'
import { type Style, paintState } from './style.ts'
import { escaped, oneLine, printable } from './text.ts'

/** Makes a text of an answer and of the records in it. */
export type Select = (answer: object, records: () => readonly object[]) => string

/** How results are printed: `table` for people, `name` as ids for the next command, YAML by what makes it. */
export type OutputForm = 'table' | 'name' | 'json' | { readonly toYaml: (answer: object) => string } | Select

/**
 * Prints the server's answer as JSON, YAML or ids, by what a script chose, or the text of `forPeople`.
 *
 * @param records those in the answer, if it is neither one itself nor a list of them
 * @throws UsageError for ids of what has none
 */
export function print(
  terminal: Terminal,
  form: OutputForm,
  answer: object,
  forPeople: () => string,
  records: () => readonly object[] = () => [answer].flat(),
): void {
  if (typeof form === 'function') return terminal.out(form(answer, records))
  if (typeof form === 'object') return terminal.out(form.toYaml(answer))
  switch (form) {
    case 'table':
      return terminal.out(forPeople())
    case 'name':
      return terminal.out(records().map(idLine).join(''))
    case 'json':
      return terminal.out(formatJson(answer))
    default:
      return form satisfies never
  }
}

function idLine(record: object): string {
  const { id, task_id, execution, agent, name } = asRecord(record)
  const found = [id, task_id, execution, agent, name].find((value) => typeof value === 'string')
  if (found === undefined) throw new UsageError('-o name: what this prints has no names; use -o json')
  return `${printable(found)}\n`
}

export function formatJson(answer: object): string {
  return `${escaped(JSON.stringify(answer, undefined, 2))}\n`
}

const MAX_CELL = 60
/** The last column may be longer, because no column follows it. */
const MAX_LAST_CELL = 400
/** To this a column shrinks on a narrow terminal, and not below its heading. */
const MIN_CELL = 8
/** The last column says why and what to do: it is wrapped, never cut. */
const MIN_LAST_CELL = 30
const GAP = '   '

/**
 * Formats columns under headings, without trailing blanks. Long cells are cut. On a terminal lines keep to its width, if
 * they can; the first column, which people copy, and states, which have
 * their colours, stay whole.
 *
 * @param isOneLine each row takes one line: the last column is cut, too
 */
export function table(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  style: Style,
  isOneLine = false,
): string {
  const last = headings.length - 1
  const full = rows.map((cells) => cells.map((cell, i) => oneLine(cell, i === last ? MAX_LAST_CELL : MAX_CELL)))
  const widths = headings.map((heading, i) => Math.max(heading.length, ...full.map((cells) => cells[i]?.length ?? 0)))
  const isState = headings.map((heading) => heading === 'STATE' || heading === 'STATUS')
  if (style.width !== undefined) {
    const least = headings.map(({ length }, i) =>
      i === last && !isOneLine ? MIN_LAST_CELL : Math.max(length, MIN_CELL),
    )
    const isWhole = (i: number): boolean => i === 0 || isState[i] === true
    shrink(widths, style.width - GAP.length * last, (i) => (isWhole(i) ? Infinity : (least[i] ?? 0)))
  }
  const format = (cells: readonly string[], paint: typeof paintState): string => {
    const before = cells.slice(0, last).map((cell, i) => {
      const padded = oneLine(cell, widths[i] ?? 0).padEnd(widths[i] ?? 0)
      return (isState[i] === true ? paint(padded, style) : padded) + GAP
    })
    const indent = ' '.repeat(sum(widths.slice(0, last)) + GAP.length * last)
    const [end, room] = [cells[last] ?? '', widths[last] ?? 0]
    const ending = isOneLine ? oneLine(end, room) : wrap(end, room).join(`\n${indent}`)
    return `${`${before.join('')}${ending}`.trimEnd()}\n`
  }
  return [format(headings, (cell) => cell), ...full.map((cells) => format(cells, paintState))].join('')
}

/** Takes from the columns that can give most, until all have room or none can. */
function shrink(widths: number[], room: number, least: (column: number) => number): void {
  for (let spare = sum(widths) - room; spare > 0; spare--) {
    const left = widths.map((width, i) => width - least(i))
    const most = Math.max(...left)
    if (most <= 0) return
    const i = left.indexOf(most)
    widths[i] = (widths[i] ?? 0) - 1
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)
