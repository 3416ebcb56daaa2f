import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'
import { STATS_WINDOWS } from '../../../core/enum-values.ts'
import { useSession } from '../../api/session.ts'
import { useStats } from '../../api/stats.ts'
import { EmptyState, ErrorState, NoPermission, Skeleton } from '../../components/view-states.tsx'
import { ViewHeader } from '../../components/view-header.tsx'
import { parseStatsSearch } from './search.ts'
import { type Chosen, StatsReport } from './stats-report.tsx'
import css from './stats.module.css'

const WINDOW_WORDS = { '24h': '24 hours', '7d': '7 days', '30d': '30 days' } as const

/** The view at /stats: what was done, what went wrong and what it cost, down to the executions behind each number. */
export function StatsPage() {
  const search = useSearch({ strict: false, select: parseStatsSearch })
  const { window = '7d' } = search
  const { data, error, refetch, isPlaceholderData } = useStats(window)
  const { phase, name, may } = useSession()
  const navigate = useNavigate()
  const choose = useCallback(
    (chosen: Chosen): void => {
      void navigate({ to: '/stats', search: parseStatsSearch(chosen), resetScroll: false })
    },
    [navigate],
  )
  if (phase === 'signed-in' && !may('read')) return <NoPermission scope="read" name={name} />
  return (
    <>
      <ViewHeader title="Stats">
        <nav aria-label="Time" className={css['windows']}>
          {STATS_WINDOWS.map((option) => (
            <Link
              key={option}
              to="/stats"
              search={parseStatsSearch({ by: search.by, class: search.class, window: option })}
              aria-current={option === window ? 'true' : undefined}
            >
              {WINDOW_WORDS[option]}
            </Link>
          ))}
        </nav>
      </ViewHeader>
      {data === undefined && error === null && <Skeleton rows={6} label="The statistics are being read" />}
      {data === undefined && error !== null && (
        <ErrorState title="The statistics could not be read" error={error} onRetry={() => void refetch()} />
      )}
      {data !== undefined && isEmpty(data) && (
        <EmptyState
          title={`Nothing has ended in the last ${WINDOW_WORDS[window]}`}
          action={<Link to="/tasks">To the tasks</Link>}
        >
          This view shows how many runs succeed, what goes wrong and what it costs, by project and by agent. It begins
          with the first task that runs to its end.
        </EmptyState>
      )}
      {data !== undefined && !isEmpty(data) && (
        <div className={css['page']} aria-busy={isPlaceholderData || undefined}>
          <StatsReport stats={data} search={search} onChoose={choose} />
        </div>
      )}
    </>
  )
}

function isEmpty({ throughput, billing }: NonNullable<ReturnType<typeof useStats>['data']>): boolean {
  const hasRuns = throughput.some(({ completed, failed, other }) => completed + failed + other > 0)
  return !hasRuns && billing.daily.every(({ runs }) => runs === 0)
}
