import type { Route } from '../core/rest/route.ts'

/** The row of the route table that a request is for. */
export interface FoundRoute {
  readonly row: Route
  /** Values of the path's parameters, decoded. */
  readonly params: Readonly<Record<string, string>>
}

/**
 * Looks requests up in the route table: paths are matched as they are written, also in case; of several rows that fit
 * the first one counts, and HEAD is answered as GET.
 *
 * Rows are kept by method, resource and number of segments, so that only a handful are compared with a request: trying
 * all of them one after another took a fifth of a small answer's time.
 */
export function createRouteFinder(rows: readonly Route[]): (method: string, path: string) => FoundRoute | undefined {
  const candidates = new Map<string, Candidate[]>()
  for (const row of rows) {
    const texts = row.path.split('/')
    const key = keyOf(row.method, texts)
    candidates.set(key, [...(candidates.get(key) ?? []), { row, segments: texts.map(toSegment) }])
  }
  return (method, path) => {
    const segments = path.split('/')
    const key = keyOf(method === 'HEAD' ? 'GET' : method, segments)
    const found = candidates.get(key)?.find((candidate) => matches(candidate.segments, segments))
    return found && { row: found.row, params: readParams(found.segments, segments) }
  }
}

/** A segment of a path in the table: `{id}` is a parameter, anything else stands for itself. */
interface Segment {
  readonly text: string
  readonly param: string | undefined
}

interface Candidate {
  readonly row: Route
  readonly segments: readonly Segment[]
}

function toSegment(text: string): Segment {
  return { text, param: /^\{(\w+)\}$/.exec(text)?.[1] }
}

/** No row has a parameter in the first two segments of its path. */
function keyOf(method: string, segments: readonly string[]): string {
  return `${method} ${segments.length} ${segments[1] ?? ''}/${segments[2] ?? ''}`
}

function matches(wanted: readonly Segment[], segments: readonly string[]): boolean {
  return wanted.every(({ text, param }, i) => (param === undefined ? segments[i] === text : segments[i] !== ''))
}

function readParams(wanted: readonly Segment[], segments: readonly string[]): Record<string, string> {
  const params: Record<string, string> = {}
  for (const [i, { param }] of wanted.entries()) if (param !== undefined) params[param] = decode(segments[i] ?? '')
  return params
}

/** What is not percent-encoded properly stands for itself: the row's schema judges it. */
function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch (error) {
    if (error instanceof URIError) return segment
    throw error
  }
}
