import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { findDueMonths, findForgettable, findOldest } from '../../../core/task/forgetting.ts'
import type { RetentionLimit } from '../../../core/task/retention.ts'

interface Stored {
  readonly month: string
  readonly name: string
  readonly endedAt: Date
}

const DAY_MS = 86_400_000
const NOW = new Date('2026-06-15T00:00:00Z')
const FOR_EVER: RetentionLimit = { ageMs: Infinity, count: Infinity }

/** As the operator does it: names of months first, and times only where they are asked for. */
function forget(stored: readonly Stored[], limit: RetentionLimit) {
  const of = (month: string) => stored.filter((one) => one.month === month)
  const months = [...new Set(stored.map(({ month }) => month))]
  const due = findDueMonths(
    months.map((month) => ({ month, names: of(month).map(({ name }) => name) })),
    limit,
    NOW,
  )
  const gone = due.flatMap((one) => (one.isWhole ? one.names : findForgettable(one, of(one.month))))
  return { gone, due }
}

const aMonth = fc.constantFrom('2025-11', '2025-12', '2026-02', '2026-03', '2026-05', '2026-06')
const aRecord = fc.record({
  month: aMonth,
  // A task is mostly archived after its end; a copy may have lost the times of its files.
  endedAt: fc.integer({ min: -10, max: 250 }).map((days) => new Date(NOW.getTime() - days * DAY_MS)),
})
const anArchive = fc
  .array(aRecord, { maxLength: 30 })
  .map((all) => all.map((one, i) => ({ ...one, name: `task-${i}` })))
const aLimit = fc.record({
  ageMs: fc.oneof(
    fc.constant(Infinity),
    fc.integer({ min: 1, max: 300 }).map((days) => days * DAY_MS),
  ),
  count: fc.oneof(fc.constant(Infinity), fc.nat(35)),
})

/** A record's age the slow way: the end of its last execution, within its month. */
function timeOf({ month, endedAt }: Stored): number {
  const [year = 0, number = 0] = month.split('-').map(Number)
  const [first, next] = [Date.UTC(year, number - 1), Date.UTC(year, number)]
  return Math.min(Math.max(endedAt.getTime(), first), next - 1)
}

describe('what the archive forgets', () => {
  it('is what is too old or beyond the newest, and nothing else, whatever months hold', () => {
    fc.assert(
      fc.property(anArchive, aLimit, (stored, limit) => {
        const oldestFirst = stored.toSorted((a, b) => timeOf(a) - timeOf(b) || (a.name < b.name ? -1 : 1))
        const expected = oldestFirst.filter(
          (one, i) => i < stored.length - limit.count || timeOf(one) < NOW.getTime() - limit.ageMs,
        )
        assert.deepEqual(forget(stored, limit).gone.toSorted(), expected.map(({ name }) => name).toSorted())
      }),
    )
  })

  it('goes the oldest month first, and asks for the times of two months at most', () => {
    fc.assert(
      fc.property(anArchive, aLimit, (stored, limit) => {
        const { due } = forget(stored, limit)
        const months = due.map(({ month }) => month)
        assert.deepEqual(months, months.toSorted())
        assert.ok(due.filter(({ isWhole }) => !isWhole).length <= 2)
      }),
    )
  })

  it('is found by portions as it is in the whole month, up to as many as may go', () => {
    fc.assert(
      fc.property(anArchive, aLimit, fc.integer({ min: 1, max: 20 }), (stored, limit, max) => {
        for (const due of forget(stored, limit).due) {
          const all = stored.filter(({ month }) => month === due.month)
          const oldest = all.reduce<ReturnType<typeof findOldest>>(
            (so, one) => findOldest(due.month, [...so, one], max),
            [],
          )
          assert.ok(oldest.length <= max)
          assert.deepEqual(findForgettable(due, oldest), findForgettable(due, all).slice(0, max))
        }
      }),
    )
  })

  it('goes the oldest of a month first', () => {
    const on = (name: string, day: string): Stored => ({
      month: '2026-05',
      name,
      endedAt: new Date(`2026-05-${day}T00:00:00Z`),
    })
    const stored = [on('c', '20'), on('a', '03'), on('d', '25'), on('b', '02')]
    assert.deepEqual(forget(stored, { ...FOR_EVER, count: 1 }).gone, ['b', 'a', 'c'])
    assert.deepEqual(forget(stored, { ...FOR_EVER, ageMs: 30 * DAY_MS }).gone, ['b', 'a'])
  })

  it('is nothing unless a limit says so', () => {
    const stored = [{ month: '1999-12', name: 'old', endedAt: new Date(0) }]
    assert.deepEqual(forget(stored, FOR_EVER), { gone: [], due: [] })
  })

  it('is not what was restored and archived once more a moment ago, though it ended long ago', () => {
    const stored = [{ month: '2026-06', name: 'again', endedAt: new Date('2024-01-01T00:00:00Z') }]
    assert.deepEqual(forget(stored, { ...FOR_EVER, ageMs: 15 * DAY_MS }).gone, [])
    assert.deepEqual(forget(stored, { ...FOR_EVER, ageMs: 13 * DAY_MS }).gone, ['again'])
  })
})
