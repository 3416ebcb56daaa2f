/**
 * Which lines of a log are in sight. A browser draws no element of more than some ten million pixels, so the scrolled
 * area of a longer log is shorter than its lines would be, and its scroll bar moves through it faster. Pure.
 */

/** Height of a line in pixels; the style sheet has the same. */
export const LINE_HEIGHT = 18
/** Firefox stops at 17,895,697 pixels. */
const MAX_HEIGHT = 8_000_000

export interface LogPlace {
  /** Number of the first line that is drawn, from 1. */
  readonly first: number
  /** How many lines are drawn. */
  readonly count: number
  /** Where the first line stands in the scrolled area. */
  readonly top: number
}

/** Drawn beyond what is in sight, above and below. */
const AROUND = 20

/** Height of the scrolled area. */
export function logHeight(total: number): number {
  return Math.min(total * LINE_HEIGHT, MAX_HEIGHT)
}

/** Pixels of lines by pixels of the scrolled area. */
function scaleOf(total: number, viewHeight: number): number {
  const [whole, shown] = [total * LINE_HEIGHT - viewHeight, logHeight(total) - viewHeight]
  return whole <= 0 || shown <= 0 ? 1 : whole / shown
}

/** What is drawn at a scroll position. */
export function placeAt(total: number, scrollTop: number, viewHeight: number): LogPlace {
  const offset = Math.max(0, scrollTop) * scaleOf(total, viewHeight)
  const inSight = Math.floor(offset / LINE_HEIGHT)
  const first = Math.max(0, Math.min(inSight - AROUND, total - 1))
  const last = Math.min(total, inSight + Math.ceil(viewHeight / LINE_HEIGHT) + 1 + AROUND)
  return { first: first + 1, count: Math.max(0, last - first), top: scrollTop - (offset - first * LINE_HEIGHT) }
}

/** The scroll position at which a line stands in the middle, or as near to it as the ends allow. */
export function scrollTo(total: number, line: number, viewHeight: number): number {
  const offset = (line - 1) * LINE_HEIGHT - (viewHeight - LINE_HEIGHT) / 2
  const most = Math.max(0, logHeight(total) - viewHeight)
  return Math.max(0, Math.min(offset / scaleOf(total, viewHeight), most))
}

/** Whether the last line is in sight. */
export function isAtEnd(total: number, scrollTop: number, viewHeight: number): boolean {
  return scrollTop + viewHeight >= logHeight(total) - LINE_HEIGHT
}

/** The line of an address such as #L123. */
export function lineOfHash(hash: string): number | undefined {
  const [, digits] = /^#?L([1-9]\d{0,9})$/.exec(hash) ?? []
  return digits === undefined ? undefined : Number(digits)
}
