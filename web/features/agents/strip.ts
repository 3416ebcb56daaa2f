/** What an agent did in the last 24 hours, as spans on a line: pure. */
import type { Answer, Execution } from '../../../core/rest/client/client.ts'

type AgentEvent = Awaited<Answer<'getAgentsStatus'>>['events'][number]

export type SpanKind = 'busy' | 'limited' | 'drained'

/** Times in milliseconds. */
export interface Span {
  readonly kind: SpanKind
  readonly fromMs: number
  readonly toMs: number
}

/** The spans of each kind that touch the window, in order and without overlap. */
export interface Strip {
  /** The end of the window. */
  readonly atMs: number
  readonly busy: readonly Span[]
  readonly limited: readonly Span[]
  readonly drained: readonly Span[]
}

export const WINDOW_MS = 24 * 3_600_000

export interface History {
  readonly events: readonly AgentEvent[]
  readonly executions: readonly Pick<Execution, 'agent' | 'started_at' | 'finished_at'>[]
  /** When it was read, by the server's clock. */
  readonly atMs: number
}

/** Begins, and what ends it, of each state that events tell of. An undrain ends a limit as well. */
const STATES = [
  { kind: 'limited', begins: 'rate_limited', ends: ['recovered', 'undrained', 'drained'] },
  { kind: 'drained', begins: 'drained', ends: ['undrained'] },
] as const

/**
 * The strip of one agent. A state whose begin lies before the window begins with it; one that has no end yet lasts
 * until the history was read.
 */
export function stripOf(agent: string, { events, executions, atMs }: History): Strip {
  const fromMs = atMs - WINDOW_MS
  const own = events
    .filter((event) => event.agent === agent)
    .map(({ kind, at }) => ({ kind, atMs: Date.parse(at) }))
    .toReversed()
  const [limited, drained] = STATES.map(({ kind, begins, ends }) => {
    const spans: Span[] = []
    let sinceMs: number | undefined
    let isFirst = true
    for (const event of own) {
      const isEnd = ends.some((end) => end === event.kind)
      if (event.kind === begins) sinceMs ??= event.atMs
      if (isEnd && (sinceMs !== undefined || (isFirst && isPlainEnd(event.kind, kind))))
        spans.push({ kind, fromMs: sinceMs ?? fromMs, toMs: event.atMs })
      if (isEnd) sinceMs = undefined
      if (isEnd || event.kind === begins) isFirst = false
    }
    if (sinceMs !== undefined) spans.push({ kind, fromMs: sinceMs, toMs: atMs })
    return merge(spans, fromMs, atMs)
  })
  const busy = executions
    .filter((execution) => execution.agent === agent)
    .flatMap(({ started_at, finished_at }): Span[] =>
      started_at === undefined
        ? []
        : [
            {
              kind: 'busy',
              fromMs: Date.parse(started_at),
              toMs: finished_at === undefined ? atMs : Date.parse(finished_at),
            },
          ],
    )
  return { atMs, busy: merge(busy, fromMs, atMs), limited: limited ?? [], drained: drained ?? [] }
}

/** An end without a begin tells of a state from before the window, unless it ends several kinds. */
function isPlainEnd(end: string, kind: SpanKind): boolean {
  return kind === 'drained' ? end === 'undrained' : end === 'recovered'
}

/** Cut to the window, ordered, and joined where they touch. */
function merge(spans: readonly Span[], fromMs: number, toMs: number): readonly Span[] {
  const cut = spans
    .map((span) => ({ ...span, fromMs: Math.max(span.fromMs, fromMs), toMs: Math.min(span.toMs, toMs) }))
    .filter((span) => span.toMs > span.fromMs)
    .toSorted((a, b) => a.fromMs - b.fromMs)
  const merged: Span[] = []
  for (const span of cut) {
    const last = merged.at(-1)
    if (last !== undefined && span.fromMs <= last.toMs)
      merged.splice(-1, 1, { ...last, toMs: Math.max(last.toMs, span.toMs) })
    else merged.push(span)
  }
  return merged
}

/** How long the spans last together, in milliseconds. */
export function lengthOf(spans: readonly Span[]): number {
  return spans.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0)
}
