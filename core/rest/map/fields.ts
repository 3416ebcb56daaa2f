import type { ExecutionError, Question, RunPolicy } from '../../crd/types.ts'
import { roundUSD } from '../../money.ts'
import { formatDuration, inWholeSeconds, isTimestamp, parseDuration } from '../../time.ts'
import { RUN_POLICY_WORDS } from '../enum-values.ts'
import type { RunPolicyWord } from '../enum-values.ts'

export function toErrorFields(error: ExecutionError | undefined) {
  return { error: error?.message, error_category: error?.category }
}

export function toRunPolicyWord(policy: RunPolicy | undefined): RunPolicyWord | undefined {
  return policy === undefined ? undefined : RUN_POLICY_WORDS[policy]
}

export function toRunPolicy(word: RunPolicyWord | undefined): RunPolicy | undefined {
  return word === undefined ? undefined : word === 'auto' ? 'Auto' : 'Manual'
}

/** The CRD's value for one of REST's words. */
export function fromWord<K extends string, W extends string>(words: Readonly<Record<K, W>>, word: W): K | undefined {
  for (const key in words) if (words[key] === word) return key
  return undefined
}

/** Dollars as they are shown; older statuses hold sums that were not rounded. */
export function toCost(costUSD: number | undefined): number | undefined {
  return costUSD === undefined ? undefined : roundUSD(costUSD)
}

export function toQuestionRecord({ text, header, options, multiple }: Question) {
  return { text, ...defined({ header, options: copy(options), multiple }) }
}

/** An instant as REST shows it; what is none is left as it is. */
export function toShownTime(at: string): string
export function toShownTime(at: string | undefined): string | undefined
export function toShownTime(at: string | undefined): string | undefined {
  return at === undefined || !isTimestamp(at) ? at : inWholeSeconds(at)
}

/** Seconds of a Go-style duration. */
export function toSeconds(duration: string | undefined): number | undefined {
  return duration === undefined ? undefined : parseDuration(duration) / 1000
}

/** Go-style duration of seconds, exact to the millisecond. */
export function toDuration(seconds: number | undefined): string | undefined {
  return seconds === undefined ? undefined : formatDuration(Math.round(seconds * 1000))
}

/** A list that the caller may keep: resources are frozen and their lists read-only. */
export function copy<T>(list: readonly T[] | undefined): T[] | undefined {
  return list === undefined ? undefined : [...list]
}

type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>
}

/** The same object without the members that are undefined. */
export function defined<T extends object>(members: T): Defined<T>
export function defined(members: object): object {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))
}
