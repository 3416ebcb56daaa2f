import type { CheckState } from '../crd/types.ts'
import { formatSpan, listOf } from './amounts.ts'

/** A check that is red, as people are told of it. */
export interface RedCheck {
  readonly name: string
  readonly state: CheckState
  readonly exitCode?: number | undefined
  readonly seconds?: number | undefined
  readonly reason?: string | undefined
}

/** `check test is red: exit code 1`, `2 checks are red: test (exit code 1), lint (stopped after 10m00s)`. */
export function redChecksWords(red: readonly RedCheck[]): string {
  const [first] = red
  if (red.length === 1 && first !== undefined) return `check ${first.name} is red: ${whyRed(first)}`
  return `${red.length} checks are red: ${listOf(red.map((check) => `${check.name} (${whyRed(check)})`))}`
}

/** What a person can do about work that its checks hold back. */
export const RED_WAY_OUT =
  'ask the agent for changes (revise), check once more what was red by chance (resume), or have it delivered as it is (waive)'

/** Why a check is red, in a few words. */
export function whyRed({ state, exitCode, seconds, reason }: RedCheck): string {
  if (state === 'TimedOut')
    return seconds === undefined ? 'took too long' : `stopped after ${formatSpan(seconds * 1000)}`
  return reason ?? (exitCode === undefined ? 'was killed' : `exit code ${exitCode}`)
}
