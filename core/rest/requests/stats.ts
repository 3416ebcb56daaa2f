import { closed, maybe } from '../fields.ts'
import { STATS_WINDOWS } from '../enum-values.ts'
import { Type } from 'typebox'

/** Seven days unless it says otherwise. */
export const StatsQuery = closed({ window: maybe(Type.Enum(STATS_WINDOWS)) })
