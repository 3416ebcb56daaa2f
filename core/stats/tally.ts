import type { Execution } from '../crd/types.ts'
import type { StatsEntry } from './entry.ts'
import type { ErrorGroup } from './groups.ts'

export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS

/** What ended in a period, or the share of it that one project or agent has. */
export interface Share {
  /** How many entries make it up; at 0 it can go. */
  entries: number
  /** Everything's, also that of queries. */
  costMicroUSD: number
  /** Runs that report a cost, and theirs. */
  pricedRuns: number
  pricedRunsMicroUSD: number
  readonly throughput: { completed: number; failed: number; other: number }
  readonly errors: Record<ErrorGroup, number>
}

/** What ended in one hour or day, and whose it was; '' stands for executions of no project, or of no agent. */
export interface Period extends Share {
  readonly projects: Map<string, Share>
  readonly agents: Map<string, Share>
}

export interface Hour extends Period {
  readonly failures: Map<string, Execution>
}

/** An hour in which nothing ended. */
export function emptyHour(): Hour {
  return { ...emptyPeriod(), failures: new Map() }
}

/** A share of nothing. */
export function emptyShare(): Share {
  return {
    entries: 0,
    costMicroUSD: 0,
    pricedRuns: 0,
    pricedRunsMicroUSD: 0,
    throughput: { completed: 0, failed: 0, other: 0 },
    errors: { quota: 0, rate_limit: 0, timeout: 0, git: 0, failed: 0 },
  }
}

/** A period in which nothing ended. */
export function emptyPeriod(): Period {
  return { ...emptyShare(), projects: new Map(), agents: new Map() }
}

/** Puts an entry into a period and into the shares that it belongs to; with -1 it takes it out again. */
export function enterPeriod(period: Period, entry: StatsEntry, sign: 1 | -1): void {
  addEntry(period, entry, sign)
  for (const [shares, id] of [
    [period.projects, entry.project],
    [period.agents, entry.agent],
  ] as const) {
    const share = shares.get(id) ?? emptyShare()
    addEntry(share, entry, sign)
    if (share.entries === 0) shares.delete(id)
    else shares.set(id, share)
  }
}

function addEntry(share: Share, { outcome, failure, costMicroUSD }: StatsEntry, sign: 1 | -1): void {
  share.entries += sign
  share.costMicroUSD += sign * (costMicroUSD ?? 0)
  if (failure !== undefined) share.errors[failure.group] += sign
  if (outcome === undefined) return
  share.throughput[outcome] += sign
  if (costMicroUSD === undefined) return
  share.pricedRuns += sign
  share.pricedRunsMicroUSD += sign * costMicroUSD
}

/** Runs: executions that did a task's work and ended, however they ended (specification §8.24). */
export function runsOf({ throughput: { completed, failed, other } }: Pick<Share, 'throughput'>): number {
  return completed + failed + other
}

/** The sum of shares, as a new one. */
export function sumShares(shares: readonly Share[]): Share {
  const sum = emptyShare()
  for (const share of shares) {
    sum.entries += share.entries
    sum.costMicroUSD += share.costMicroUSD
    sum.pricedRuns += share.pricedRuns
    sum.pricedRunsMicroUSD += share.pricedRunsMicroUSD
    addCounts(sum.throughput, share.throughput)
    addCounts(sum.errors, share.errors)
  }
  return sum
}

function addCounts<K extends string>(sum: Record<K, number>, counts: Readonly<Record<K, number>>): void {
  for (const key in counts) sum[key] += counts[key]
}
