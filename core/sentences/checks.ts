/** What people read of the checks that work must pass before it is reviewed. */
import type { CheckState } from '../crd/types.ts'
import { CHECK_STATE_WORDS, type CheckStateWord } from '../enum-values.ts'
import { withoutAbsent } from '../omit.ts'
import { shortCommit } from '../text.ts'
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
  readonly reason?: string | undefined
}

/** The same as resources and the runner have it. */
interface CheckFacts {
  readonly name: string
  readonly state: CheckState
  readonly required?: boolean | undefined
  readonly exitCode?: number | undefined
  readonly seconds?: number | undefined
  readonly reason?: string | undefined
}

/** A check of a resource or of the runner, to be read. */
export function toReadCheck({ name, state, required = true, exitCode, seconds, reason }: CheckFacts): Check {
  return { name, state: CHECK_STATE_WORDS[state], required, ...withoutAbsent({ seconds, exit_code: exitCode, reason }) }
}

const CHECK_STATE_LABELS: Readonly<Record<CheckStateWord, string>> = {
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

/** `check test is red: exit code 1`, `2 checks are red: test (exit code 1), lint (stopped after 10m00s)`. */
export function redChecksWords(red: readonly Check[]): string {
  const [first] = red
  if (red.length === 1 && first !== undefined) return `check ${first.name} is red: ${whyRed(first)}`
  return `${red.length} checks are red: ${listOf(red.map((check) => `${check.name} (${whyRed(check)})`))}`
}

interface Rounds {
  readonly rounds?: number | undefined
  readonly round_started_at?: string | undefined
  readonly finished_at?: string | undefined
}

/** In which round an execution is, or how many it had, and the time of that one; undefined where there is but one. */
export function roundsWords({ rounds, round_started_at, finished_at }: Rounds, nowMs: number): string | undefined {
  if (rounds === undefined || rounds < 2) return undefined
  const endMs = finished_at === undefined ? nowMs : parseTimestamp(finished_at).getTime()
  const spanMs = round_started_at === undefined ? undefined : endMs - parseTimestamp(round_started_at).getTime()
  const took = spanMs === undefined ? '' : formatSpan(Math.max(0, spanMs))
  if (finished_at === undefined) return `round ${rounds}${took === '' ? '' : ` for ${took}`}`
  return `${rounds} rounds${took === '' ? '' : `, the last ${took}`}`
}

/** A check with the round that it belongs to, and the commit that it saw. */
type CheckOfRound = Check & { readonly round: number; readonly commit?: string | undefined }

/**
 * What an agent was asked to mend after a round, and at which commit its work was then; undefined where nothing is known to
 * have been red in it.
 */
export function roundWords(checks: readonly CheckOfRound[], round: number): string | undefined {
  const red = checks.filter((check) => check.round === round && check.required && isRedCheck(check))
  if (red.length === 0) return undefined
  const [commit] = red.flatMap((check) => check.commit ?? [])
  return `${redChecksWords(red)}${commit === undefined ? '' : ` (commit ${shortCommit(commit)})`}`
}

/** The commits that the rounds made, each with its round: `c0ffee12 in round 1, beef1234 in round 2`; undefined for one round alone. */
export function roundCommitsWords(checks: readonly CheckOfRound[]): string | undefined {
  const commits = new Map(
    checks.flatMap(({ round, commit }): (readonly [number, string])[] =>
      commit === undefined ? [] : [[round, commit]],
    ),
  )
  if (commits.size < 2) return undefined
  const inOrder = [...commits].toSorted(([a], [b]) => a - b)
  return inOrder.map(([round, commit]) => `${shortCommit(commit)} in round ${round}`).join(', ')
}

const RED_MOVES = [
  ['ask the agent for changes', 'revise'],
  ['check once more what was red by chance', 'resume'],
  ['have it delivered as it is', 'waive'],
] as const

const [REVISE, RESUME, WAIVE] = RED_MOVES.map(([does, move]) => `${does} (${move})`)

/** What a person can do about work that its checks hold back. */
export const RED_WAY_OUT = `${REVISE}, ${RESUME}, or ${WAIVE}`

/** A failure without the names of the moves in it, for pages, where buttons stand beside it. */
export function withoutMoves(text: string): string {
  return RED_MOVES.reduce((words, [does, move]) => words.replaceAll(`${does} (${move})`, does), text)
}

/** Why a check is red, in a few words. */
export function whyRed({ state, exit_code, seconds, reason }: Check): string {
  if (state === 'timed_out')
    return seconds === undefined ? 'took too long' : `stopped after ${formatSpan(seconds * 1000)}`
  return reason ?? (exit_code === undefined ? 'was killed' : `exit code ${exit_code}`)
}

/** Who overruled the checks, and why. */
export function waivedWords({ by, reason }: { readonly by?: string | undefined; readonly reason: string }): string {
  return `checks waived by ${by ?? 'a person'}: ${reason}`
}

/** As on a badge. */
export function protectedWords({ count }: { readonly count: number }): string {
  return `changes ${countOf(count, 'protected file')}`
}
