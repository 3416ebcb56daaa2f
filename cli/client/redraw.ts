/**
 * Text on a terminal that is replaced in place: a page of its own, and one line below what else is printed.
 *
 * Each change is one write of what differs, so nothing flickers. Long lines are not wrapped meanwhile: a character may
 * take more room than it is counted for, and would push everything below it down.
 *
 * Source of the sequences: ECMA-48; "XTerm Control Sequences" for those with a question mark.
 */
import type { Screen } from '../command.ts'
import { oneLine } from './text.ts'

const CSI = '\u001B['
const NO_WRAP = `${CSI}?7l`
const WRAP = `${CSI}?7h`
/** The other screen of the terminal, without a cursor. */
const ENTER_PAGE = `${CSI}?1049h${CSI}?25l${NO_WRAP}`
/** What was there before comes back with the cursor. */
const LEAVE_PAGE = `${WRAP}${CSI}?25h${CSI}?1049l`
const ERASE_SCREEN = `${CSI}2J`
const ERASE_BELOW = `${CSI}J`
const ERASE_REST_OF_LINE = `${CSI}K`

/** Takes away the line of {@link inPlace}. */
export const ERASE_LINE = `\r${ERASE_REST_OF_LINE}`

/** One line in place of the one that the cursor stands in, cut to the width of the terminal. */
export function inPlace(text: string, width: number): string {
  return `${NO_WRAP}\r${oneLine(text, width - 1)}${ERASE_REST_OF_LINE}${WRAP}`
}

/**
 * What makes a page of one set of lines another one; empty if they are the same.
 *
 * @param before undefined: what is there is not known
 */
export function difference(before: readonly string[] | undefined, after: readonly string[]): string {
  const changed = after.map((line, i) => (line === before?.[i] ? '' : `${goTo(i)}${line}${ERASE_REST_OF_LINE}`))
  const end = before !== undefined && before.length > after.length ? `${goTo(after.length)}${ERASE_BELOW}` : ''
  return `${before === undefined ? ERASE_SCREEN : ''}${changed.join('')}${end}`
}

function goTo(line: number): string {
  return `${CSI}${line + 1};1H`
}

/** A page that covers the terminal until it is closed. */
export interface Page {
  redraw(): void
  close(): void
}

/** Opens a page, and draws it anew whenever the terminal changes its size. @param linesFor as many as fit into the size */
export function openPage(
  write: (text: string) => void,
  screen: Screen,
  linesFor: (size: ReturnType<Screen['size']>) => readonly string[],
): Page {
  let shown: readonly string[] | undefined
  const redraw = (): void => {
    const lines = linesFor(screen.size())
    const text = difference(shown, lines)
    shown = lines
    if (text !== '') write(text)
  }
  const redrawAll = (): void => {
    shown = undefined
    redraw()
  }
  const enter = (): void => {
    write(ENTER_PAGE)
    redrawAll()
  }
  const forget = [screen.onResize(redrawAll), screen.onSuspend(() => write(LEAVE_PAGE), enter)]
  enter()
  return {
    redraw,
    close() {
      for (const end of forget) end()
      write(LEAVE_PAGE)
    },
  }
}
