import { useCallback, useMemo } from 'react'
import { formatUSD } from '../../../core/sentences/amounts.ts'
import type { Stats } from '../../../core/rest/client/client.ts'
import { ERROR_GROUP_LABELS } from '../../../core/sentences/states.ts'
import type { ErrorGroup } from '../../../core/stats/groups.ts'
import { useRecords } from '../../api/queries.ts'
import { Chart } from '../../components/chart.tsx'
import { DayDetails } from './day-details.tsx'
import { Failures } from './failures.tsx'
import { type Share, costBars, shareName, throughputBars, errorClasses, totalsOf } from './model.ts'
import type { StatsSearch } from './search.ts'
import { Shares } from './shares.tsx'
import { capitalised } from '../../model/texts.ts'
import css from './stats.module.css'

/** What a person has chosen; undefined for what they have not. */
export type Chosen = Readonly<Record<keyof StatsSearch, string | undefined>>

interface StatsReportProps {
  readonly stats: Stats
  readonly search: StatsSearch
  readonly onChoose: (chosen: Chosen) => void
}

const count = (value: number): string => (Number.isInteger(value) ? String(value) : '')

/** The statistics of one window. */
export function StatsReport({ stats, search, onChoose }: StatsReportProps) {
  const { by = 'project' } = search
  const names = useNames(by)
  const shares = by === 'project' ? stats.by_project : stats.by_agent
  const nameOf = useCallback(
    (share: Share) => shareName(share, by === 'project' ? 'no project' : 'no agent', (id) => names.get(id) ?? id),
    [names, by],
  )
  const throughput = useMemo(() => throughputBars(stats), [stats])
  const cost = useMemo(() => costBars(stats, shares, nameOf), [stats, shares, nameOf])
  const choose = useCallback(
    (change: Partial<Chosen>) =>
      onChoose({ window: search.window, by: search.by, class: search.class, day: search.day, ...change }),
    [search.window, search.by, search.class, search.day, onChoose],
  )
  // A chart is drawn anew when what a click does changes.
  const openRuns = useCallback((index: number) => choose({ day: throughput.days?.[index] }), [choose, throughput.days])
  const openCost = useCallback((index: number) => choose({ day: cost.days?.[index] }), [choose, cost.days])
  return (
    <>
      <Totals stats={stats} />
      <div className={css['charts']}>
        <Chart
          title={stats.window === '24h' ? 'Runs per hour' : 'Runs per day'}
          labelsAre={stats.window === '24h' ? 'Hour' : 'Day'}
          {...throughput}
          format={count}
          onSelect={throughput.days === undefined ? undefined : openRuns}
        />
        <Chart title={`Cost per day by ${by}`} labelsAre="Day" {...cost} format={formatUSD} onSelect={openCost} />
      </div>
      {search.day !== undefined && (
        <DayDetails key={search.day} day={search.day} onClose={() => choose({ day: undefined })} />
      )}
      <div className={css['charts']}>
        <Shares shares={shares} by={by} nameOf={nameOf} onSplit={(next) => choose({ by: next })} />
        <ErrorClasses
          stats={stats}
          chosen={search.class}
          onChoose={(group) => choose({ class: group === search.class ? undefined : group })}
        />
      </div>
      <Failures stats={stats} group={search.class} />
    </>
  )
}

/** The names of projects by their ids; agents are called by their ids. */
function useNames(by: 'project' | 'agent'): ReadonlyMap<string, string> {
  const { data = [] } = useRecords('projects')
  return useMemo(() => new Map(by === 'project' ? data.map(({ id, name }) => [id, name]) : []), [data, by])
}

interface ErrorClassesProps {
  readonly stats: Stats
  readonly chosen: ErrorGroup | undefined
  readonly onChoose: (group: ErrorGroup) => void
}

/** How many runs failed or stopped at a limit, by class of error; a click shows its failures below. */
function ErrorClasses({ stats, chosen, onChoose }: ErrorClassesProps) {
  const classes = errorClasses(stats)
  const most = Math.max(1, ...classes.map(({ count }) => count))
  return (
    <section className={css['box']} aria-labelledby="stats-errors">
      <div className={css['head']}>
        <h2 id="stats-errors">Error classes</h2>
      </div>
      <ul className={css['classes']}>
        {classes.map(({ group, count }) => (
          <li key={group}>
            <button aria-pressed={group === chosen} disabled={count === 0} onClick={() => onChoose(group)}>
              <span>{capitalised(ERROR_GROUP_LABELS[group])}</span>
              <i aria-hidden>
                <b style={{ width: `${(count / most) * 100}%` }} />
              </i>
              <span>{count}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The numbers that a person looks at first. */
function Totals({ stats }: { readonly stats: Stats }) {
  const { runs, completed, failed, other, limited, success, costUSD } = totalsOf(stats)
  const { cost_per_run_usd, average_per_day_usd } = stats.billing
  const facts = [
    ['Runs', String(runs), `${completed} completed, ${failed} failed, ${other} other`],
    ['Succeeded', success === undefined ? '–' : `${Math.round(success * 100)} %`, 'of those that completed or failed'],
    ['Failed', String(failed), `errors and time-outs${limited > 0 ? `; ${limited} more at a limit` : ''}`],
    ['Cost', formatUSD(costUSD), 'of runs, plans and reviews'],
    ['Per run', formatUSD(cost_per_run_usd), 'mean of 7 days, where known'],
    ['Per day', formatUSD(average_per_day_usd), 'mean of the last 7 days'],
  ] as const
  return (
    <dl className={css['totals']}>
      {facts.map(([name, value, note]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <b>{value}</b>
            <span>{note}</span>
          </dd>
        </div>
      ))}
    </dl>
  )
}
