/** Which lanes this person has closed, kept in this browser. */
const KEY = 'slipway.board.closed-lanes'

export function closedLanes(): readonly string[] {
  const stored: unknown = parse(localStorage.getItem(KEY))
  return Array.isArray(stored) ? stored.filter((id): id is string => typeof id === 'string') : []
}

export function rememberClosedLanes(lanes: readonly string[]): void {
  localStorage.setItem(KEY, JSON.stringify(lanes))
}

function parse(text: string | null): unknown {
  if (text === null) return undefined
  try {
    return JSON.parse(text)
  } catch {
    // Written by something else: as if there were nothing.
    return undefined
  }
}
