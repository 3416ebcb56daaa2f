import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { lengthOf, stripOf, WINDOW_MS } from '../../../web/features/agents/strip.ts'

const NOW = Date.parse('2030-01-02T00:00:00Z')
const HOUR = 3_600_000
const ago = (hours: number): string => new Date(NOW - hours * HOUR).toISOString()
const event = (kind: 'rate_limited' | 'recovered' | 'drained' | 'undrained', hours: number, agent = 'claude') => ({
  agent,
  kind,
  at: ago(hours),
  message: '',
})
const hoursOf = (spans: readonly { fromMs: number; toMs: number }[]) =>
  spans.map(({ fromMs, toMs }) => [(NOW - fromMs) / HOUR, (NOW - toMs) / HOUR])

describe('the strip of an agent', () => {
  it('shows work, also of two executions at a time, as one span', () => {
    const executions = [
      { agent: 'claude', started_at: ago(5), finished_at: ago(3) },
      { agent: 'claude', started_at: ago(4), finished_at: ago(2) },
      { agent: 'claude', started_at: ago(1) },
      { agent: 'gemini', started_at: ago(9), finished_at: ago(8) },
    ]
    const { busy } = stripOf('claude', { events: [], executions, atMs: NOW })
    assert.deepEqual(hoursOf(busy), [
      [5, 2],
      [1, 0],
    ])
  })

  it('shows limits and drains until they end, and those from before the window', () => {
    // Newest first, as the server gives them.
    const events = [event('drained', 1), event('recovered', 6), event('rate_limited', 8), event('undrained', 20)]
    const { limited, drained } = stripOf('claude', { events, executions: [], atMs: NOW })
    assert.deepEqual(hoursOf(limited), [[8, 6]])
    assert.deepEqual(hoursOf(drained), [
      [24, 20],
      [1, 0],
    ])
  })

  it('never leaves the window, nor overlaps itself, whatever the events are', () => {
    const hours = fc.double({ min: 0, max: 30, noNaN: true })
    const kind = fc.constantFrom('rate_limited', 'recovered', 'drained', 'undrained')
    const some = fc
      .array(fc.tuple(kind, hours))
      .map((all) => all.toSorted((a, b) => a[1] - b[1]).map(([name, at]) => event(name, at)))
    const runs = fc.array(fc.tuple(hours, hours).map(([a, b]) => [Math.max(a, b), Math.min(a, b)] as const))
    fc.assert(
      fc.property(some, runs, (events, spans) => {
        const executions = spans.map(([from, to]) => ({ agent: 'claude', started_at: ago(from), finished_at: ago(to) }))
        const { atMs: _, ...kinds } = stripOf('claude', { events, executions, atMs: NOW })
        for (const all of Object.values(kinds)) {
          assert.ok(lengthOf(all) <= WINDOW_MS)
          all.forEach((span: { fromMs: number; toMs: number }, at: number) => {
            assert.ok(span.fromMs >= NOW - WINDOW_MS && span.toMs <= NOW && span.fromMs < span.toMs)
            const next = all[at + 1]
            if (next !== undefined) assert.ok(next.fromMs > span.toMs)
          })
        }
      }),
    )
  })
})
