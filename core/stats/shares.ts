import { fromMicroUSD } from '../money.ts'
import type { ShareRecord } from '../rest/records/stats.ts'
import { instantAt, toTimestamp } from '../time.ts'
import type { Day, Share } from './tally.ts'
import { DAY_MS, sumShares } from './tally.ts'

/** One day of one project or agent. */
interface ShareOfDay {
  readonly number: number
  readonly share: Share
}

/** Rows of a report; more would be a page that nobody reads, and they bound its size. */
const MAX_ROWS = 20

/**
 * What the days cost and brought by project or by agent: the most expensive first, then the busiest. Beyond
 * {@link MAX_ROWS} one more row adds up the others, so that the rows of a day always add up to the day.
 *
 * @param days the numbers of the window's days since 1970, oldest first, with what ended in them
 */
export function reportShares(
  days: readonly (readonly [number: number, day: Day])[],
  kind: 'projects' | 'agents',
): ShareRecord[] {
  const rows = new Map<string, ShareOfDay[]>()
  for (const [number, day] of days)
    for (const [id, share] of day[kind]) {
      const row = rows.get(id)
      if (row === undefined) rows.set(id, [{ number, share }])
      else row.push({ number, share })
    }
  const ranked = [...rows]
    .map(([id, row]) => ({ id, row, sum: sumShares(row.map(({ share }) => share)) }))
    .sort((a, b) => b.sum.costMicroUSD - a.sum.costMicroUSD || b.sum.runs - a.sum.runs || (a.id < b.id ? -1 : 1))
  const [shown, rest] = [ranked.slice(0, MAX_ROWS), ranked.slice(MAX_ROWS)]
  const records = shown.map(({ id, row }) => ({ ...(id === '' ? {} : { id }), ...toRecord(row) }))
  if (rest.length === 0) return records
  return [...records, { others: rest.length, ...toRecord(rest.flatMap(({ row }) => row)) }]
}

/** @param row several shares of one day are added up */
function toRecord(row: readonly ShareOfDay[]): Omit<ShareRecord, 'id' | 'others'> {
  const { priced, errors, ...sum } = sumShares(row.map(({ share }) => share))
  const numbers = [...new Set(row.map(({ number }) => number))].sort((a, b) => a - b)
  return {
    ...toCounts(sum),
    cost_per_run_usd: priced === 0 ? 0 : fromMicroUSD(sum.costMicroUSD / priced),
    errors,
    daily: numbers.map((number) => ({
      date: toTimestamp(instantAt(number * DAY_MS)).slice(0, 10),
      ...toCounts(sumShares(row.filter((each) => each.number === number).map(({ share }) => share))),
    })),
  }
}

function toCounts({ costMicroUSD, runs, throughput }: Pick<Share, 'costMicroUSD' | 'runs' | 'throughput'>) {
  return { cost_usd: fromMicroUSD(costMicroUSD), runs, ...throughput }
}
