import { Type } from 'typebox'
import { STATS_WINDOWS } from '../../enum-values.ts'
import { closed, maybe } from '../../schema/fields.ts'
import { StatsRecord } from '../../stats/record.ts'
import { json, route } from '../route.ts'

/** Seven days unless it says otherwise. */
const StatsQuery = closed({ window: maybe(Type.Enum(STATS_WINDOWS)) })

/** Rows of the route table about statistics. */
export const STATS_ROUTES = [
  route({
    id: 'getStats',
    method: 'GET',
    path: '/api/stats',
    summary: 'Errors, throughput and cost of the executions that ended in a window, also by project and by agent',
    query: StatsQuery,
    responses: { 200: json(StatsRecord) },
    errors: [400],
  }),
] as const
