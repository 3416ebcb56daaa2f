import { Document, Scalar, visit } from 'yaml'
import type { Terminal } from '../command.ts'
import { UsageError } from '../command.ts'
import { escaped, oneLine, printable } from './text.ts'

const FORMS = ['table', 'json', 'yaml'] as const

/** How results are printed; `table` is for people. */
export type OutputForm = (typeof FORMS)[number]

/** @throws UsageError for another form than table, json and yaml */
export function parseForm(text: string | undefined): OutputForm {
  const form = FORMS.find((known) => known === (text ?? 'table'))
  if (form === undefined)
    throw new UsageError(`--output must be one of ${FORMS.join(', ')}, not ${JSON.stringify(text)}`)
  return form
}

/** Prints the server's answer as JSON or YAML, or the text of `forPeople`. */
export function print(terminal: Terminal, form: OutputForm, answer: object, forPeople: () => string): void {
  switch (form) {
    case 'table':
      return terminal.out(forPeople())
    case 'json':
      return terminal.out(`${escaped(JSON.stringify(answer, undefined, 2))}\n`)
    case 'yaml':
      return terminal.out(toYaml(answer))
    default:
      return form satisfies never
  }
}

function toYaml(answer: object): string {
  const document = new Document(answer)
  visit(document, {
    Scalar(_, scalar) {
      // Escapes have a meaning in double quotes alone.
      if (typeof scalar.value === 'string' && printable(scalar.value) !== scalar.value)
        scalar.type = Scalar.QUOTE_DOUBLE
    },
  })
  return escaped(document.toString())
}

const MAX_CELL = 60
/** The last column may be longer, because no column follows it. */
const MAX_LAST_CELL = 400

/** Formats columns under headings, without trailing blanks. Long cells are cut. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const limit = (column: number): number => (column === headings.length - 1 ? MAX_LAST_CELL : MAX_CELL)
  const lines = [headings, ...rows.map((cells) => cells.map((cell, i) => oneLine(cell, limit(i))))]
  const widths = headings.map((_, i) => Math.max(...lines.map((cells) => cells[i]?.length ?? 0)))
  return lines
    .map(
      (cells) =>
        `${cells
          .map((cell, i) => cell.padEnd(widths[i] ?? 0))
          .join('   ')
          .trimEnd()}\n`,
    )
    .join('')
}
