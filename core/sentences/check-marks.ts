/** What people read of the checks that work must pass before it is reviewed. */
import type { CheckStateWord } from '../enum-values.ts'
import { parseTimestamp } from '../time.ts'
import { countOf, formatSpan, listOf } from './amounts.ts'

/** What is looked at of a check, as records have it. */
interface Check {
  readonly name: string
  readonly state: CheckStateWord
  readonly required: boolean
  readonly started_at?: string | undefined
  readonly seconds?: number | undefined
  readonly last_seconds?: number | undefined
  readonly exit_code?: number | undefined
}

export const CHECK_STATE_LABELS: Readonly<Record<CheckStateWord, string>> = {
  running: 'Running',
  passed: 'Green',
  failed: 'Red',
  timed_out: 'Timed out',
  skipped: 'Nothing to check',
}

/** A few words on checks, and what they mean for their reader. */
export interface ChecksMark {
  readonly kind: 'running' | 'green' | 'red'
  readonly words: string
}

/** Whether a check has found something, or could not find out. */
export function isRedCheck({ state }: Pick<Check, 'state'>): boolean {
  return state === 'failed' || state === 'timed_out'
}

/**
 * How the checks of one round stand, as on a badge: `3 checks green`, `test is red`, `check test, 40s, last time 55s`. Undefined
 * where nothing was checked.
 *
 * @param nowMs for how long the one that runs has run
 */
export function checksMark(checks: readonly Check[] | undefined, nowMs?: number): ChecksMark | undefined {
  const ran = (checks ?? []).filter(({ state }) => state !== 'skipped')
  if (ran.length === 0) return undefined
  const running = ran.find(({ state }) => state === 'running')
  if (running !== undefined) return { kind: 'running', words: runningWords(running, nowMs) }
  const red = ran.filter((check) => isRedCheck(check) && check.required)
  if (red.length > 0) return { kind: 'red', words: redWords(red) }
  const optional = ran.filter(isRedCheck)
  const green = ran.length - optional.length
  const words = [
    ...(green === 0 ? [] : [`${countOf(green, 'check')} green`]),
    ...(optional.length === 0 ? [] : [`${redWords(optional)} (optional)`]),
  ]
  return { kind: green === 0 ? 'red' : 'green', words: words.join(', ') }
}

function runningWords({ name, started_at, last_seconds }: Check, nowMs: number | undefined): string {
  const ranMs =
    started_at === undefined || nowMs === undefined ? undefined : nowMs - parseTimestamp(started_at).getTime()
  const parts = [
    `check ${name}`,
    ...(ranMs === undefined ? [] : [formatSpan(ranMs)]),
    ...(last_seconds === undefined ? [] : [`last time ${formatSpan(last_seconds * 1000)}`]),
  ]
  return parts.join(', ')
}

const MAX_NAMED = 3

function redWords(red: readonly Check[]): string {
  return `${listOf(
    red.map(({ name }) => name),
    { most: MAX_NAMED },
  )} ${red.length === 1 ? 'is' : 'are'} red`
}

/** How one check ended or for how long it runs: `Red, exit code 1, 12s`. */
export function checkWords(check: Check, nowMs?: number): string {
  const { state, seconds, exit_code, required } = check
  if (state === 'running') return runningWords(check, nowMs).replace(/^check /, 'Running: ')
  const parts = [
    CHECK_STATE_LABELS[state],
    ...(state === 'failed' && exit_code !== undefined ? [`exit code ${exit_code}`] : []),
    ...(seconds === undefined ? [] : [formatSpan(seconds * 1000)]),
    ...(required ? [] : ['optional']),
  ]
  return parts.join(', ')
}

/** Who overruled the checks, and why. */
export function waivedWords({ by, reason }: { readonly by?: string | undefined; readonly reason: string }): string {
  return `checks waived by ${by ?? 'a person'}: ${reason}`
}

/** As on a badge. */
export function protectedWords({ count }: { readonly count: number }): string {
  return `changes ${countOf(count, 'protected file')}`
}
