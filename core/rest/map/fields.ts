import type { AgentMessage, ExecutionError, Question } from '../../crd/types.ts'
import { MESSAGE_MODE_WORDS } from '../../enum-values.ts'
import { roundUSD } from '../../money.ts'
import { withoutAbsent } from '../../omit.ts'
import { inWholeSeconds, isTimestamp } from '../../time.ts'

export function toErrorFields(error: ExecutionError | undefined) {
  return { error: error?.message, error_category: error?.category }
}

/** Dollars as they are shown; older statuses hold sums that were not rounded. */
export function toCost(costUSD: number | undefined): number | undefined {
  return costUSD === undefined ? undefined : roundUSD(costUSD)
}

export function toQuestionRecord({ text, header, options, multiple }: Question) {
  return { text, ...withoutAbsent({ header, options: copy(options), multiple }) }
}

export function toMessageRecord({ id, by, at, mode, text, deliveredAt, uncertain }: AgentMessage) {
  const rest = withoutAbsent({
    by,
    delivered_at: toShownTime(deliveredAt),
    uncertain: uncertain === true ? true : undefined,
  })
  return { id, at: toShownTime(at), mode: MESSAGE_MODE_WORDS[mode], text, ...rest }
}

/** An instant as REST shows it; what is none is left as it is. */
export function toShownTime(at: string): string
export function toShownTime(at: string | undefined): string | undefined
export function toShownTime(at: string | undefined): string | undefined {
  return at === undefined || !isTimestamp(at) ? at : inWholeSeconds(at)
}

/** A list that the caller may keep: resources are frozen and their lists read-only. */
export function copy<T>(list: readonly T[] | undefined): T[] | undefined {
  return list === undefined ? undefined : [...list]
}
