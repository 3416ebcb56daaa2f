import { StatsRecord } from '../records/stats.ts'
import { StatsQuery } from '../requests/stats.ts'
import { json, route } from '../route.ts'

/** Rows of the route table about statistics. */
export const STATS_ROUTES = [
  route({
    id: 'getStats',
    method: 'GET',
    path: '/api/stats',
    summary: 'Errors, throughput and cost of the executions that ended in a window',
    query: StatsQuery,
    responses: { 200: json(StatsRecord) },
    errors: [400],
  }),
] as const
