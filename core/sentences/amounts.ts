/** Amounts as people read them, in the same words on every surface: counts, sizes, costs and times. */
import { parseTimestamp } from '../time.ts'

/**
 * Each is made once, because that takes longer than to render the row that shows it, and only for an amount that needs it:
 * the first one costs a process 10 ms of processor time and 7 MB of memory (Node 20), and three runners start per task.
 */
let numbers: Intl.NumberFormat | undefined
let dollars: Intl.NumberFormat | undefined

/** `1,204`. */
export function formatCount(count: number): string {
  if (Number.isInteger(count) && Math.abs(count) < 1000) return String(count)
  return (numbers ??= new Intl.NumberFormat('en-US')).format(count)
}

/** `1 file`, `1,204 files`. @param many where that is not `one` with an s */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`
}

/** `a, b and 3 more`. @param total of which `named` are the first; at most `most` of them are named */
export function listOf(named: readonly string[], { most = Infinity, total = named.length } = {}): string {
  const shown = named.slice(0, most)
  const rest = total - shown.length
  return `${shown.join(', ')}${rest > 0 ? ` and ${formatCount(rest)} more` : ''}`
}

interface Changes {
  readonly files: number
  readonly insertions: number
  readonly deletions: number
}

/** `3 files changed, +10 -2`; undefined if nothing changed. */
export function formatChanges(changes: Changes | undefined): string | undefined {
  if (changes === undefined || changes.files === 0) return undefined
  const { files, insertions, deletions } = changes
  return `${countOf(files, 'file')} changed, +${formatCount(insertions)} -${formatCount(deletions)}`
}

/** Tokens of a model: `999`, `188 k`, `1.2 M`. */
export function formatTokens(count: number): string {
  if (count < 1_000) return String(count)
  return count < 1_000_000 ? `${Math.round(count / 1_000)} k` : `${(count / 1_000_000).toFixed(1)} M`
}

const SIZE_UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const

/** `512 B`, `3.4 KiB`, `4 GiB`. */
export function formatSize(bytes: number): string {
  const power = bytes < 1024 ? 0 : Math.min(SIZE_UNITS.length - 1, Math.floor(Math.log2(bytes) / 10))
  return `${formatCount(Math.round((10 * bytes) / 1024 ** power) / 10)} ${SIZE_UNITS[power]}`
}

/** US dollars: `$3.05`, `< $0.01`. */
export function formatUSD(amount: number): string {
  if (amount > 0 && amount < 0.005) return '< $0.01'
  return (dollars ??= new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })).format(amount)
}

/** What was spent; undefined where nothing was. */
export function formatCost(costUSD: number | undefined): string | undefined {
  return costUSD === undefined || costUSD === 0 ? undefined : formatUSD(costUSD)
}

/** What was spent of a budget: `$0.40 of $2.00`, the cost alone where there is no budget, undefined for neither. */
export function formatSpending(costUSD: number | undefined, budgetUSD: number | undefined): string | undefined {
  const cost = formatCost(costUSD)
  return budgetUSD === undefined ? cost : `${cost ?? formatUSD(0)} of ${formatUSD(budgetUSD)}`
}

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** How long something takes or has taken, as far as it tells something: `42s`, `7m05s`, `3h07m`, `12d`. */
export function formatSpan(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  if (seconds < MINUTE || seconds >= DAY) return formatAge(ms)
  const [whole, rest] = seconds < HOUR ? [MINUTE, 1] : [HOUR, MINUTE]
  return `${formatAge(ms)}${String(Math.floor((seconds % whole) / rest)).padStart(2, '0')}${whole === MINUTE ? 's' : 'm'}`
}

/** How long ago something was, in the largest unit alone: `42s`, `7m`, `3h`, `12d`. */
export function formatAge(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  if (seconds < MINUTE) return `${seconds}s`
  if (seconds < HOUR) return `${Math.floor(seconds / MINUTE)}m`
  return seconds < DAY ? `${Math.floor(seconds / HOUR)}h` : `${Math.floor(seconds / DAY)}d`
}

/** How long ago an instant was. */
export function ageOf(timestamp: string, now: Date): string {
  return formatAge(now.getTime() - parseTimestamp(timestamp).getTime())
}

/** How long ago something was, for a page that looks once a minute: `just now`, then as {@link formatAge} says. */
export function sayAge(ms: number): string {
  return ms < MINUTE * 1000 ? 'just now' : formatAge(ms)
}

/** How long something goes on by now, likewise: `since just now` is no English. */
export function sayFor(ms: number): string {
  return ms < MINUTE * 1000 ? 'just now' : `for ${formatAge(ms)}`
}

/** Begin and end of a run (RFC 3339), as records have them. */
export interface Times {
  readonly started_at?: string | undefined
  readonly finished_at?: string | undefined
}

/** Milliseconds that a run took; with `nowMs` also those that it has taken so far. Undefined where that is not known. */
export function findSpan({ started_at, finished_at }: Times, nowMs?: number): number | undefined {
  const endMs = finished_at === undefined ? nowMs : parseTimestamp(finished_at).getTime()
  return started_at === undefined || endMs === undefined ? undefined : endMs - parseTimestamp(started_at).getTime()
}

/** The same in words. */
export function formatTook(times: Times, nowMs?: number): string | undefined {
  const spanMs = findSpan(times, nowMs)
  return spanMs === undefined ? undefined : formatSpan(spanMs)
}
