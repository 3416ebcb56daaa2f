import { formatCost } from '../../../core/amounts.ts'
import { useCallback, useMemo } from 'react'
import type { Stats } from '../../../core/rest/client/client.ts'
import { useRecords } from '../../api/queries.ts'
import { Chart } from '../../components/chart.tsx'
import { DayDetails } from './day-details.tsx'
import { ErrorClasses } from './error-classes.tsx'
import { Failures } from './failures.tsx'
import type { Share } from './model.ts'
import { costBars, shareName, throughputBars } from './model.ts'
import type { StatsSearch } from './search.ts'
import { Shares } from './shares.tsx'
import css from './stats.module.css'
import { Totals } from './totals.tsx'

/** What a person has chosen; undefined for what they have not. */
export type Chosen = Readonly<Record<keyof StatsSearch, string | undefined>>

interface StatsReportProps {
  readonly stats: Stats
  readonly search: StatsSearch
  readonly onChoose: (chosen: Chosen) => void
}

const money = (value: number): string => formatCost(value) ?? '$0'
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
        <Chart title={`Cost per day by ${by}`} labelsAre="Day" {...cost} format={money} onSelect={openCost} />
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
