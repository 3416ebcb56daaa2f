import { fromMicroUSD } from '../money.ts'
import type { ShareRecord } from '../rest/records/stats.ts'
import { instantAt, toTimestamp } from '../time.ts'
import type { Period, Share } from './tally.ts'
import { DAY_MS, runsOf, sumShares } from './tally.ts'

/** What ended in the hours of a window, and in its days, which are numbered since 1970, oldest first. */
export interface Ended {
  readonly hours: readonly Period[]
  readonly days: readonly (readonly [number: number, day: Period])[]
}

/** Rows of a report; more would be a page that nobody reads, and they bound its size. */
const MAX_ROWS = 20

/**
 * What the hours of a window cost and brought by project or by agent: the most expensive first, then the busiest. Beyond
 * {@link MAX_ROWS} one more row adds up the others, so that the rows always add up to the window, and those of a day to
 * the day.
 */
export function reportShares({ hours, days }: Ended, kind: 'projects' | 'agents'): ShareRecord[] {
  const shares = new Map<string, Share[]>()
  for (const hour of hours)
    for (const [id, share] of hour[kind]) {
      const own = shares.get(id)
      if (own === undefined) shares.set(id, [share])
      else own.push(share)
    }
  const ranked = [...shares]
    .map(([id, own]) => ({ id, sum: sumShares(own) }))
    .sort((a, b) => b.sum.costMicroUSD - a.sum.costMicroUSD || runsOf(b.sum) - runsOf(a.sum) || (a.id < b.id ? -1 : 1))
  const [shown, rest] = [ranked.slice(0, MAX_ROWS), ranked.slice(MAX_ROWS)]
  const dailyOf = (ids: readonly string[]): ShareRecord['daily'] =>
    days.flatMap(([number, day]) => {
      const own = ids.flatMap((id) => day[kind].get(id) ?? [])
      const date = toTimestamp(instantAt(number * DAY_MS)).slice(0, 10)
      return own.length === 0 ? [] : [{ date, ...toCounts(sumShares(own)) }]
    })
  const records = shown.map(({ id, sum }) => ({ ...(id === '' ? {} : { id }), ...toRecord(sum), daily: dailyOf([id]) }))
  if (rest.length === 0) return records
  const sum = sumShares(rest.map((each) => each.sum))
  return [...records, { others: rest.length, ...toRecord(sum), daily: dailyOf(rest.map(({ id }) => id)) }]
}

/** Over the runs that report a cost; 0 when none does. */
export function costPerRun({
  pricedRuns,
  pricedRunsMicroUSD,
}: Pick<Share, 'pricedRuns' | 'pricedRunsMicroUSD'>): number {
  return pricedRuns === 0 ? 0 : fromMicroUSD(pricedRunsMicroUSD / pricedRuns)
}

function toRecord(sum: Share): Omit<ShareRecord, 'id' | 'others' | 'daily'> {
  return { ...toCounts(sum), cost_per_run_usd: costPerRun(sum), errors: sum.errors }
}

function toCounts({ costMicroUSD, throughput }: Share) {
  return { cost_usd: fromMicroUSD(costMicroUSD), runs: runsOf({ throughput }), ...throughput }
}
