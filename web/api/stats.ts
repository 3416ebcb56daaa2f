/** Statistics, and the executions behind a day of them. */
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import type { StatsWindow } from '../../core/enum-values.ts'
import { api } from './client.ts'

/** No message tells of statistics; the server answers from what it has counted, so asking again costs little. */
const REFRESH_MS = 30_000
/** More than one request gives. */
export const MOST_EXECUTIONS = 1_000
const DAY_MS = 86_400_000

const statsOptions = (window: StatsWindow) =>
  queryOptions({
    queryKey: ['stats', window],
    queryFn: ({ signal }) => api.getStats({ query: { window } }, { signal }),
  })

/** The statistics of a window; those of the last one stay until they are there, and equal ones are the same object. */
export function useStats(window: StatsWindow) {
  const placeholderData = keepPreviousData
  return useQuery({
    ...statsOptions(window),
    staleTime: 0,
    refetchInterval: REFRESH_MS,
    placeholderData,
    structuralSharing: true,
  })
}

/** The newest executions that may have ended on that day of UTC or later: also those that began the day before. */
export function useExecutionsSince(day: string) {
  const since = new Date(Date.parse(day) - DAY_MS).toISOString().replace('.000', '')
  return useQuery({
    queryKey: ['executions-since', since],
    queryFn: ({ signal }) => api.listExecutions({ query: { since, limit: MOST_EXECUTIONS } }, { signal }),
    staleTime: 0,
  })
}
