import type { Decision as DecisionRecord } from '../crd/types.ts'
import { rememberDecision } from '../decisions.ts'
import { toMicroTimestamp } from '../time.ts'
import type { HumanTrigger } from './transitions.ts'

/** Longest comment of a remembered decision; the schema's limit. */
export const MAX_COMMENT_LENGTH = 4096

/** The decisions with one more at the end, the oldest dropped where there are too many. */
export function appendDecision(
  before: readonly DecisionRecord[] | undefined,
  made: {
    readonly action: HumanTrigger
    readonly by: string
    readonly at: Date
    readonly comment?: string | undefined
  },
): DecisionRecord[] {
  const newest = { action: made.action, by: made.by, at: toMicroTimestamp(made.at) }
  const comment = made.comment?.slice(0, MAX_COMMENT_LENGTH)
  return rememberDecision(before, comment === undefined ? newest : { ...newest, comment })
}
