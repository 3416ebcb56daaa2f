import type { Execution } from '../crd/types.ts'
import type { StatsEntry } from './entry.ts'
import type { ErrorGroup } from './groups.ts'

export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS

/** What ended in one hour. */
export interface Hour {
  /** How many entries make it up; at 0 it can go. */
  entries: number
  readonly throughput: { completed: number; failed: number; other: number }
  readonly errors: Record<ErrorGroup, number>
  readonly failures: Map<string, Execution>
}

/** What ended in one day, or the share of it that one project or agent has. */
export interface Share {
  runs: number
  /** Runs that report a cost. */
  priced: number
  costMicroUSD: number
  readonly throughput: Hour['throughput']
  readonly errors: Hour['errors']
}

/** What ended in one day, and whose it was; '' stands for executions of no project, or of no agent. */
export interface Day extends Share {
  readonly projects: Map<string, Share>
  readonly agents: Map<string, Share>
}

/** An hour in which nothing ended. */
export function emptyHour(): Hour {
  return { entries: 0, throughput: noThroughput(), errors: noErrors(), failures: new Map() }
}

/** A share of nothing. */
export function emptyShare(): Share {
  return { runs: 0, priced: 0, costMicroUSD: 0, throughput: noThroughput(), errors: noErrors() }
}

/** A day in which nothing ended. */
export function emptyDay(): Day {
  return { ...emptyShare(), projects: new Map(), agents: new Map() }
}

function noThroughput(): Hour['throughput'] {
  return { completed: 0, failed: 0, other: 0 }
}

function noErrors(): Hour['errors'] {
  return { quota: 0, rate_limit: 0, timeout: 0, git: 0, failed: 0 }
}

/** Puts an entry into a day and into the shares that it belongs to; with -1 it takes it out again. */
export function enterDay(day: Day, entry: StatsEntry, sign: 1 | -1): void {
  addEntry(day, entry, sign)
  for (const [shares, id] of [
    [day.projects, entry.project],
    [day.agents, entry.agent],
  ] as const) {
    const share = shares.get(id) ?? emptyShare()
    addEntry(share, entry, sign)
    if (share.runs === 0) shares.delete(id)
    else shares.set(id, share)
  }
}

function addEntry(share: Share, { outcome, failure, costMicroUSD }: StatsEntry, sign: 1 | -1): void {
  share.runs += sign
  if (outcome !== undefined) share.throughput[outcome] += sign
  if (failure !== undefined) share.errors[failure.group] += sign
  if (costMicroUSD === undefined) return
  share.priced += sign
  share.costMicroUSD += sign * costMicroUSD
}

/** The sum of shares, as a new one. */
export function sumShares(shares: readonly Share[]): Share {
  const sum = emptyShare()
  for (const { runs, priced, costMicroUSD, throughput, errors } of shares) {
    sum.runs += runs
    sum.priced += priced
    sum.costMicroUSD += costMicroUSD
    addCounts(sum.throughput, throughput)
    addCounts(sum.errors, errors)
  }
  return sum
}

function addCounts<K extends string>(sum: Record<K, number>, counts: Readonly<Record<K, number>>): void {
  for (const key in counts) sum[key] += counts[key]
}
