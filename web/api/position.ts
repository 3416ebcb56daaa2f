/**
 * Where a message or an answer stands among all that this page receives.
 *
 * The server numbers its messages (`<run>-<number>`), from 1 in each run. Runs have random names, so only the order in
 * which this page meets them says which one is later; a connection brings messages of one run alone.
 *
 * An answer is at least as new as every message that was there when it was asked for. So it stands behind the last of
 * them and before the next, and behind all answers that were asked for earlier.
 */
export interface Position {
  /** A message's number, counted on from one run to the next; for an answer, that of the last message before it. */
  readonly message: number
  /** 0 for a message; the answers of this page are numbered from 1. */
  readonly ask: number
}

/** Negative where `a` is the earlier one. */
export function comparePositions(a: Position, b: Position): number {
  return a.message - b.message || a.ask - b.ask
}

export interface Place {
  /** Which run of the server; empty for a form of id that is not known. */
  readonly run: string
  readonly position: Position
}

/** More than a server sends in one run, few enough for nine thousand restarts under an open page. */
const RUN_SIZE = 1e12

/** The place of the message with this id, after the one before it. Source: docs/live.md. */
export function placeAfter(previous: Place | undefined, id: string): Place {
  const [, run = '', number = ''] = /^([^-]+)-(\d{1,12})$/.exec(id) ?? []
  const before = previous?.position.message ?? 0
  // Without a number to go by, the order of arrival is the order.
  if (number === '') return { run, position: { message: before + 1, ask: 0 } }
  const isNewRun = previous !== undefined && previous.run !== run
  const runs = Math.floor(before / RUN_SIZE) + (isNewRun ? 1 : 0)
  return { run, position: { message: runs * RUN_SIZE + Number(number), ask: 0 } }
}

/** The position of the answer number `ask` of this page, asked for after that place. */
export function answerAfter(place: Place | undefined, ask: number): Position {
  return { message: place?.position.message ?? 0, ask }
}
