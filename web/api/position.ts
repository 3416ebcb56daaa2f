/**
 * Where a message stands among all that this page receives: a later one is greater.
 *
 * The server numbers its messages (`<run>-<number>`), from 1 in each run. Runs have random names, so only the order in
 * which this page meets them says which one is later; a connection brings messages of one run alone.
 */
export type Position = number

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
  // Without a number to go by, the order of arrival is the order.
  if (number === '') return { run, position: Math.floor(previous?.position ?? 0) + 1 }
  const runs = previous === undefined ? 0 : Math.floor(previous.position / RUN_SIZE)
  const isNewRun = previous !== undefined && previous.run !== run
  return { run, position: (runs + (isNewRun ? 1 : 0)) * RUN_SIZE + Number(number) }
}

/** The position of an answer that was asked for after that place: newer than its message, older than the next one. */
export function answerAfter(place: Place | undefined): Position {
  return (place?.position ?? 0) + 0.5
}
