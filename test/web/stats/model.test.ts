import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import type { Execution, Stats } from '../../../core/rest/client/client.ts'
import { createStatsLedger } from '../../../core/stats/ledger.ts'
import { LABELS } from '../../../core/names.ts'
import { anExecution } from '../../helpers/build.ts'
import {
  costBars,
  dayLabel,
  endedOn,
  errorClasses,
  failuresOf,
  shareName,
  throughputBars,
  totalsOf,
} from '../../../web/features/stats/model.ts'
import { parseStatsSearch } from '../../../web/features/stats/search.ts'
import { runs } from '../../helpers/runs.ts'

const NOW = new Date('2026-03-10T10:30:00Z')
const run = fc.record({
  hoursAgo: fc.integer({ min: 0, max: 800 }),
  state: fc.constantFrom('COMPLETED', 'FAILED', 'TIMED_OUT', 'BLOCKED', 'BUDGET_EXCEEDED'),
  costUSD: fc.option(fc.integer({ min: 0, max: 500 })),
  project: fc.integer({ min: 0, max: 30 }),
})

/** What the server would answer about those runs. */
function statsOf(
  runs: readonly (typeof run extends fc.Arbitrary<infer R> ? R : never)[],
  window: Stats['window'],
): Stats {
  const ledger = createStatsLedger()
  for (const [n, { hoursAgo, state, costUSD, project }] of runs.entries())
    ledger.enter({
      object: anExecution({
        name: `a-${n}`,
        metadata: { labels: { [LABELS.project]: `p${project}` } },
        status: {
          state,
          finishedAt: new Date(NOW.getTime() - hoursAgo * 3_600_000).toISOString().replace('.000', ''),
          ...(costUSD === null ? {} : { costUSD: costUSD / 100 }),
        },
      }),
    })
  return ledger.report(window, NOW)
}
const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0)

describe('the charts of the statistics', () => {
  it('have a value of each series for each label, and lose no cost, however many projects there are', () => {
    const window = fc.constantFrom('24h' as const, '7d' as const, '30d' as const)
    fc.assert(
      fc.property(fc.array(run, { maxLength: 60 }), window, (runs, window) => {
        const stats = statsOf(runs, window)
        const bars = costBars(stats, stats.by_project, (share) => shareName(share, 'none'))
        for (const { labels, series } of [bars, throughputBars(stats)])
          for (const { values } of series) assert.equal(values.length, labels.length)
        assert.ok(bars.series.length <= 7)
        const costs = stats.billing.daily.map(({ cost_usd }) => cost_usd)
        for (const [day, cost] of costs.entries())
          assert.ok(Math.abs(total(bars.series.map(({ values }) => values[day] ?? 0)) - cost) < 1e-6)
        const totals = totalsOf(stats)
        assert.ok(Math.abs(totals.costUSD - total(stats.by_project.map(({ cost_usd }) => cost_usd))) < 1e-6)
        for (const key of ['runs', 'completed', 'failed', 'other'] as const)
          assert.equal(totals[key], total(stats.by_project.map((share) => share[key])), key)
        const { failures: _, ...errors } = stats.errors
        assert.equal(totals.failed + totals.limited, total(Object.values(errors)))
      }),
      { numRuns: runs(50) },
    )
  })

  it('show the hours of a day and the whole days of a week', () => {
    const runs = [{ hoursAgo: 0, state: 'COMPLETED' as const, costUSD: null, project: 1 }]
    assert.equal(throughputBars(statsOf(runs, '24h')).labels.length, 24)
    const week = throughputBars(statsOf(runs, '7d'))
    assert.deepEqual(
      [week.days?.length, week.days?.at(-1), week.labels.at(-1)],
      [7, '2026-03-10', dayLabel('2026-03-10')],
    )
    assert.equal(week.series[0]?.values.at(-1), 1)
  })

  it('name days as UTC has them', () => {
    assert.deepEqual([dayLabel('2026-11-02', 'en-GB'), dayLabel('2026-11-02', 'en-US')], ['2 Nov', 'Nov 2'])
  })

  it('name what is no project, and the rest', () => {
    assert.equal(
      shareName({ id: 'a' }, 'none', (id) => id.toUpperCase()),
      'A',
    )
    assert.equal(shareName({}, 'none'), 'none')
    assert.equal(shareName({ others: 4 }, 'none'), '4 others')
  })
})

describe('the drill-down of the statistics', () => {
  it('gives the failures of a class by the categories that are counted in it', () => {
    const { errors, ...stats } = statsOf([], '7d')
    const failure = (category: 'budget' | 'git') => ({
      task_id: 'a',
      execution_id: `a-${category}`,
      category,
      message: '',
      at: '',
    })
    const given = { ...stats, errors: { ...errors, quota: 1, git: 1, failures: [failure('budget'), failure('git')] } }
    assert.deepEqual(
      failuresOf(given, 'quota').map(({ category }) => category),
      ['budget'],
    )
    assert.equal(failuresOf(given, undefined).length, 2)
    assert.deepEqual(errorClasses(given)[0], { group: 'quota', count: 1 })
  })

  it('gives what ended on a day, latest first, and no delivery', () => {
    const execution = (id: string, finished_at: string, purpose = 'run') =>
      ({ id, finished_at, purpose }) as unknown as Execution
    const executions = [
      execution('a', '2026-03-10T01:00:00Z'),
      execution('b', '2026-03-10T02:00:00Z'),
      execution('c', '2026-03-09T23:59:59Z'),
      execution('d', '2026-03-10T03:00:00Z', 'deliver'),
    ]
    assert.deepEqual(
      endedOn(executions, '2026-03-10').map(({ id }) => id),
      ['b', 'a'],
    )
  })
})

describe('the address of the statistics', () => {
  it('keeps what is known and drops the rest, and reading it again changes nothing', () => {
    const search = { window: '30d', by: 'agent', class: 'git', day: '2026-03-10' }
    assert.deepEqual(parseStatsSearch(search), search)
    assert.deepEqual(parseStatsSearch({ window: '7d', by: 'project', class: 'x', day: '2026-13-40', q: 1 }), {})
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom('window', 'by', 'class', 'day'), fc.anything()), (given) => {
        const parsed = parseStatsSearch(given)
        assert.deepEqual(parseStatsSearch({ ...parsed }), parsed)
      }),
    )
  })
})
