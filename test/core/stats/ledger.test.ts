import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import type { ErrorCategory, Execution, ExecutionPurpose, ExecutionState } from '../../../core/crd/types.ts'
import { LABELS } from '../../../core/names.ts'
import type { StatsRecord } from '../../../core/stats/record.ts'
import { type StatsLedger, createStatsLedger } from '../../../core/stats/ledger.ts'
import { anExecution } from '../../helpers/build.ts'
import { runs } from '../../helpers/runs.ts'

const HOUR_MS = 3_600_000
const NOW = new Date('2026-03-10T10:30:00Z')

function ended(name: string, state: ExecutionState, hoursAgo: number, more: object = {}): Execution {
  const finishedAt = `${new Date(NOW.getTime() - hoursAgo * HOUR_MS).toISOString().slice(0, 19)}Z`
  return anExecution({ name, status: { state, finishedAt, ...more } })
}

function ledgerOf(...executions: Execution[]): StatsLedger {
  const ledger = createStatsLedger()
  for (const object of executions) ledger.enter({ object })
  return ledger
}

/** The same report the slow way: by looking at every execution. */
function rescan(executions: readonly Execution[], windowDays: number, now: Date) {
  const hourOf = (at: Date): number => Math.floor(at.getTime() / HOUR_MS)
  const endOf = ({ status }: Execution): Date => new Date(status?.finishedAt ?? '')
  const over = executions.filter(
    ({ spec, status }) => spec.purpose !== 'Deliver' && !['PENDING', 'RUNNING', undefined].includes(status?.state),
  )
  const ageHours = (execution: Execution): number => hourOf(now) - hourOf(endOf(execution))
  const ageDays = (execution: Execution): number =>
    Math.floor(now.getTime() / (24 * HOUR_MS)) - Math.floor(endOf(execution).getTime() / (24 * HOUR_MS))
  const inWindow = over.filter(
    (execution) =>
      ageHours(execution) >= 0 &&
      ageHours(execution) < windowDays * 24 &&
      ['Run', 'Resume'].includes(execution.spec.purpose),
  )
  const micro = (list: readonly Execution[]): number =>
    list.reduce((sum, { status }) => sum + Math.round((status?.costUSD ?? 0) * 1e6), 0)
  // The hours of the last day begin on the day before.
  const listedDays = Math.max(windowDays, 2)
  const billed = over.filter((execution) => ageDays(execution) >= 0 && ageDays(execution) < 7)
  const priced = billed.filter((each) => isRun(each) && each.status?.costUSD !== undefined)
  const states = (hour: number, wanted: readonly string[]): number =>
    inWindow.filter((execution) => ageHours(execution) === hour && wanted.includes(execution.status?.state ?? ''))
      .length
  return {
    failures: inWindow.filter(({ status }) => ['FAILED', 'TIMED_OUT', 'BUDGET_EXCEEDED'].includes(status?.state ?? ''))
      .length,
    throughput: Array.from({ length: windowDays * 24 }, (_, i) => windowDays * 24 - 1 - i).map((hour) => ({
      completed: states(hour, ['COMPLETED']),
      failed: states(hour, ['FAILED', 'TIMED_OUT']),
      other: states(hour, ['CANCELLED', 'BLOCKED', 'BUDGET_EXCEEDED']),
    })),
    total: micro(billed) / 1e6,
    perRun: priced.length === 0 ? 0 : Math.round(micro(priced) / priced.length) / 1e6,
    daily: Array.from({ length: listedDays }, (_, i) => listedDays - 1 - i).map((day) => {
      const list = over.filter((execution) => ageDays(execution) === day)
      return { cost_usd: micro(list) / 1e6, runs: list.filter(isRun).length }
    }),
    byProject: rescanShares(over, { isOfHours, isOfDays }, ({ metadata }) => metadata.labels?.[LABELS.project]),
    byAgent: rescanShares(over, { isOfHours, isOfDays }, ({ spec }) => spec.agent),
  }

  function isOfHours(execution: Execution): boolean {
    return ageHours(execution) >= 0 && ageHours(execution) < windowDays * 24
  }

  function isOfDays(execution: Execution): boolean {
    return ageDays(execution) >= 0 && ageDays(execution) < listedDays
  }
}

function isRun({ spec }: Execution): boolean {
  return ['Run', 'Resume'].includes(spec.purpose)
}

/** By the id of the project or agent: how many, with which outcome, on which days, and what they cost. */
function rescanShares(
  executions: readonly Execution[],
  { isOfHours, isOfDays }: Record<'isOfHours' | 'isOfDays', (execution: Execution) => boolean>,
  idOf: (execution: Execution) => string | undefined,
) {
  const listed = executions.filter((execution) => isOfHours(execution) || isOfDays(execution))
  const ids = [...new Set(listed.map(idOf))].sort((a, b) => ((a ?? '~') < (b ?? '~') ? -1 : 1))
  const count = (list: readonly Execution[]) => {
    const work = list.filter(isRun)
    const states = (...wanted: string[]) => work.filter(({ status }) => wanted.includes(status?.state ?? '')).length
    const cost_usd = list.reduce((sum, { status }) => sum + Math.round((status?.costUSD ?? 0) * 1e6), 0) / 1e6
    return {
      cost_usd,
      runs: work.length,
      completed: states('COMPLETED'),
      failed: states('FAILED', 'TIMED_OUT'),
      other: states('CANCELLED', 'BLOCKED', 'BUDGET_EXCEEDED'),
      errors: states('FAILED', 'TIMED_OUT', 'BUDGET_EXCEEDED'),
    }
  }
  return ids.map((id) => {
    const own = executions.filter((execution) => idOf(execution) === id)
    const dates = [...new Set(own.filter(isOfDays).map(({ status }) => status?.finishedAt?.slice(0, 10) ?? ''))].sort()
    const daily = dates.map((date) => {
      const { errors: _, ...counts } = count(own.filter(({ status }) => status?.finishedAt?.startsWith(date)))
      return { date, ...counts }
    })
    return { id, ...count(own.filter(isOfHours)), daily }
  })
}

function outlineShares(rows: StatsRecord['by_project']): ReturnType<typeof rescanShares> {
  return rows
    .map(({ id, cost_usd, runs, completed, failed, other, errors, daily }) => {
      const failures = Object.values(errors).reduce((sum, number) => sum + number, 0)
      return { id, cost_usd, runs, completed, failed, other, errors: failures, daily }
    })
    .sort((a, b) => ((a.id ?? '~') < (b.id ?? '~') ? -1 : 1))
}

function outline({ errors, throughput, billing, by_project, by_agent }: StatsRecord): ReturnType<typeof rescan> {
  const { failures: _, ...counts } = errors
  return {
    failures: Object.values(counts).reduce((sum, count) => sum + count, 0),
    throughput: throughput.map(({ completed, failed, other }) => ({ completed, failed, other })),
    total: billing.total_7d_usd,
    perRun: billing.cost_per_run_usd,
    daily: billing.daily.map(({ cost_usd, runs }) => ({ cost_usd, runs })),
    byProject: outlineShares(by_project),
    byAgent: outlineShares(by_agent),
  }
}

const version: fc.Arbitrary<(name: string) => Execution> = fc
  .record({
    state: fc.constantFrom<ExecutionState>(
      ...(['RUNNING', 'COMPLETED', 'FAILED', 'TIMED_OUT', 'CANCELLED', 'BUDGET_EXCEEDED', 'BLOCKED'] as const),
    ),
    category: fc.option(fc.constantFrom<ErrorCategory>('git', 'quota', 'rate_limit', 'lost', 'budget')),
    purpose: fc.constantFrom<ExecutionPurpose>('Run', 'Resume', 'Elaborate', 'Deliver'),
    hoursAgo: fc.integer({ min: -2, max: 900 }),
    costUSD: fc.option(fc.double({ min: 0, max: 50, noNaN: true })),
    project: fc.option(fc.constantFrom('shop', 'search')),
    agent: fc.constantFrom('claude', 'gemini'),
  })
  .map(({ state, category, purpose, hoursAgo, costUSD, project, agent }) => (name: string) => {
    const error = category === null ? {} : { error: { category, message: category } }
    const execution = ended(name, state, hoursAgo, { ...error, ...(costUSD === null ? {} : { costUSD }) })
    const labels = project === null ? {} : { [LABELS.project]: project }
    return {
      ...execution,
      metadata: { ...execution.metadata, labels },
      spec: { ...execution.spec, purpose, agent },
    }
  })
const change = fc.record({ name: fc.constantFrom('a-1', 'a-2', 'b-1', 'c-1'), version: fc.option(version) })

describe('statistics that are kept', () => {
  it('equal those of a look at every execution, after any changes and however much time has passed', () => {
    const hoursLater = fc.integer({ min: 0, max: 800 })
    fc.assert(
      fc.property(fc.array(change, { maxLength: 40 }), hoursLater, (changes, hours) => {
        const ledger = createStatsLedger()
        const stored = new Map<string, Execution>()
        for (const { name, version } of changes) {
          const [previous, object] = [stored.get(name), version?.(name)]
          ledger.enter({ previous, object })
          if (object === undefined) stored.delete(name)
          else stored.set(name, object)
        }
        const now = new Date(NOW.getTime() + hours * HOUR_MS)
        for (const [window, days] of [
          ['24h', 1],
          ['7d', 7],
          ['30d', 30],
        ] as const) {
          const report = ledger.report(window, now)
          assert.deepEqual(report, ledgerOf(...[...stored.values()].toReversed()).report(window, now))
          assert.deepEqual(outline(report), rescan([...stored.values()], days, now))
        }
      }),
      { numRuns: runs(30) },
    )
  })

  it('drop what no report counts any more, and nothing else, whatever changes afterwards', () => {
    const step = fc.record({
      name: fc.constantFrom('a-1', 'a-2', 'b-1'),
      version: fc.option(version),
      hours: fc.nat(300),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const [ledger, whole] = [createStatsLedger(), createStatsLedger()]
        const stored = new Map<string, Execution>()
        let now = NOW
        for (const { name, version, hours } of steps) {
          const [previous, object] = [stored.get(name), version?.(name)]
          for (const one of [ledger, whole]) one.enter({ previous, object })
          if (object === undefined) stored.delete(name)
          else stored.set(name, object)
          now = new Date(now.getTime() + hours * HOUR_MS)
          ledger.forget(now)
        }
        for (const window of ['24h', '7d', '30d'] as const)
          assert.deepEqual(ledger.report(window, now), whole.report(window, now))
      }),
      { numRuns: runs(30) },
    )
    const [old, other] = [ended('a-1', 'FAILED', 1, { costUSD: 0.5 }), ended('a-2', 'COMPLETED', 1, { costUSD: 0.25 })]
    const ledger = ledgerOf(old)
    ledger.forget(new Date(NOW.getTime() + 31 * 24 * HOUR_MS))
    for (const change of [{}, { previous: old }, { object: other }]) {
      ledger.enter(change)
      assert.deepEqual(ledger.report('24h', NOW), createStatsLedger().report('24h', NOW))
    }
  })

  it('count queries in billing alone, and deliveries nowhere', () => {
    const asked = (purpose: ExecutionPurpose) => {
      const execution = ended(`${purpose.toLowerCase()}-a`, 'FAILED', 1, { costUSD: 0.5 })
      return { ...execution, spec: { agent: 'claude', purpose } }
    }
    const purposes = ['Elaborate', 'Validate', 'Classify', 'Evaluate', 'Deliver'] as const
    const { errors, throughput, billing } = ledgerOf(...purposes.map(asked)).report('24h', NOW)
    assert.deepEqual([errors.failed, errors.failures], [0, []])
    assert.ok(throughput.every(({ completed, failed, other }) => completed + failed + other === 0))
    assert.deepEqual([billing.total_7d_usd, billing.cost_per_run_usd, billing.daily[0]?.runs], [2, 0, 0])
  })

  it('count the same runs in throughput, in the shares of projects and of agents, and among the errors', () => {
    fc.assert(
      fc.property(fc.array(version, { maxLength: 60 }), fc.constantFrom('24h', '7d', '30d'), (versions, window) => {
        const report = ledgerOf(...versions.map((make, n) => make(`a-${n}`))).report(window, NOW)
        const sum = (rows: readonly object[], key: string): number =>
          rows.reduce((total, row) => total + Number(Object.entries(row).find(([name]) => name === key)?.[1]), 0)
        for (const rows of [report.by_project, report.by_agent]) {
          for (const key of ['completed', 'failed', 'other'])
            assert.equal(sum(rows, key), sum(report.throughput, key), key)
          for (const { runs, completed, failed, other } of rows) assert.equal(runs, completed + failed + other)
          const errors = rows.map((row) => row.errors)
          for (const group of ['quota', 'rate_limit', 'timeout', 'git', 'failed'] as const)
            assert.equal(sum(errors, group), report.errors[group], group)
        }
        assert.equal(sum(report.by_project, 'cost_usd').toFixed(4), sum(report.by_agent, 'cost_usd').toFixed(4))
      }),
    )
  })

  it('are those of nothing once everything that was entered is taken out', () => {
    const executions = [ended('a-1', 'FAILED', 1, { costUSD: 0.1 }), ended('a-2', 'COMPLETED', 2, { costUSD: 0.2 })]
    const ledger = ledgerOf(...executions)
    for (const previous of executions) ledger.enter({ previous })
    assert.deepEqual(ledger.report('7d', NOW), createStatsLedger().report('7d', NOW))
  })

  it('cover whole hours and days of UTC up to now, oldest first, zero-filled', () => {
    for (const [window, days, firstHour, firstDate] of [
      ['24h', 1, '2026-03-09T11:00:00Z', '2026-03-09'],
      ['7d', 7, '2026-03-03T11:00:00Z', '2026-03-04'],
      ['30d', 30, '2026-02-08T11:00:00Z', '2026-02-09'],
    ] as const) {
      const { throughput, billing } = createStatsLedger().report(window, NOW)
      assert.deepEqual([throughput.length, billing.daily.length], [days * 24, Math.max(days, 2)])
      assert.deepEqual(throughput[0], { hour: firstHour, completed: 0, failed: 0, other: 0 })
      assert.equal(throughput.at(-1)?.hour, '2026-03-10T10:00:00Z')
      assert.deepEqual(billing.daily[0], { date: firstDate, cost_usd: 0, runs: 0 })
      assert.equal(billing.daily.at(-1)?.date, '2026-03-10')
    }
  })

  it('count each error category in its group, and list the category itself', () => {
    const groups = { quota: 'quota', budget: 'quota', rate_limit: 'rate_limit', git: 'git', auth: 'failed' } as const
    for (const [category, group] of Object.entries(groups)) {
      const error = { category, message: 'because' }
      const { errors } = ledgerOf(ended('a-1', 'FAILED', 1, { error })).report('24h', NOW)
      const { failures, ...counts } = errors
      assert.deepEqual(counts, { quota: 0, rate_limit: 0, timeout: 0, git: 0, failed: 0, [group]: 1 })
      const at = '2026-03-10T09:30:00Z'
      assert.deepEqual(failures, [{ task_id: 'a', execution_id: 'a-1', category, message: 'because', at }])
    }
    const { errors } = ledgerOf(ended('a-1', 'TIMED_OUT', 1), ended('a-2', 'CANCELLED', 1)).report('24h', NOW)
    assert.deepEqual([errors.timeout, errors.failures.length], [1, 1])
  })

  it('list the newest hundred failures, newest first, while the counts are complete', () => {
    const executions = Array.from({ length: 150 }, (_, n) => ended(`a-${n}`, 'FAILED', n / 20))
    const { errors } = ledgerOf(...executions).report('24h', NOW)
    assert.deepEqual([errors.failed, errors.failures.length], [150, 100])
    const ids = errors.failures.map(({ execution_id }) => execution_id)
    assert.deepEqual(
      ids,
      executions.slice(0, 100).map(({ metadata }) => metadata.name),
    )
  })

  it('cost per run what the runs that report a cost have cost, over seven days whatever the window', () => {
    const day = 24
    const ledger = ledgerOf(
      ended('a-1', 'COMPLETED', 1, { costUSD: 0.1 }),
      ended('a-2', 'FAILED', 3 * day, { costUSD: 0.2 }),
      ended('a-3', 'FAILED', 3 * day),
      ended('a-4', 'COMPLETED', 9 * day, { costUSD: 7 }),
    )
    for (const window of ['24h', '7d', '30d'] as const) {
      const { daily: _, ...totals } = ledger.report(window, NOW).billing
      assert.deepEqual(totals, { total_7d_usd: 0.3, average_per_day_usd: 0.042857, cost_per_run_usd: 0.15 })
    }
    assert.deepEqual(
      ledger.report('7d', NOW).billing.daily.filter(({ runs }) => runs > 0),
      [
        { date: '2026-03-07', cost_usd: 0.2, runs: 2 },
        { date: '2026-03-10', cost_usd: 0.1, runs: 1 },
      ],
    )
  })

  it('name the most expensive projects first, and add up the others behind the twentieth', () => {
    const executions = Array.from({ length: 25 }, (_, n) => {
      const execution = ended(`a-${n}`, 'COMPLETED', n < 23 ? 0 : 24, { costUSD: n / 100 })
      return { ...execution, metadata: { ...execution.metadata, labels: { [LABELS.project]: `p${n}` } } }
    })
    const rows = ledgerOf(...executions).report('7d', NOW).by_project
    assert.equal(rows.length, 21)
    assert.deepEqual(
      rows.slice(0, 2).map(({ id, cost_usd }) => [id, cost_usd]),
      [
        ['p24', 0.24],
        ['p23', 0.23],
      ],
    )
    const last = rows.at(-1)
    assert.deepEqual([last?.id, last?.others, last?.runs, last?.cost_usd], [undefined, 5, 5, 0.1])
    const counts = { runs: 5, completed: 5, failed: 0, other: 0 }
    assert.deepEqual(last?.daily, [{ date: '2026-03-10', cost_usd: 0.1, ...counts }])
  })

  it('count a query for the project that it is about', () => {
    const execution = ended('elaborate-a', 'COMPLETED', 1, { costUSD: 0.5 })
    const spec = { agent: 'claude', purpose: 'Elaborate' as const, projectRef: { name: 'shop' } }
    const { by_project, by_agent } = ledgerOf({ ...execution, spec }).report('24h', NOW)
    assert.deepEqual([by_project[0]?.id, by_project[0]?.runs, by_project[0]?.completed], ['shop', 0, 0])
    assert.deepEqual([by_agent[0]?.id, by_agent[0]?.cost_per_run_usd], ['claude', 0])
  })
})
