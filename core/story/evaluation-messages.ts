import type { StoryStatus } from '../crd/types.ts'
import { listOf } from '../sentences/amounts.ts'
import { type Evaluator, cannotEvaluateReason } from './evaluators.ts'
import type { Standing } from './tally.ts'
import { clip } from '../text.ts'

/** What a person can do with a story that no agent evaluates. */
export const DECIDED_BY_PEOPLE =
  'move the story to REVIEW_READY or back to IN_PROGRESS, or record verdicts of your own (event eval_verdict)'

/** The same for one that an evaluation does not bring further. */
export const LEFT_TO_PEOPLE = `${DECIDED_BY_PEOPLE}; moving it by IN_PROGRESS and SHIPPABLE to VALIDATING evaluates it anew`

/** Why a story in VALIDATING is not evaluated that did not come from SHIPPABLE. */
export function formatNoRoundMessage(movedFrom: StoryStatus | undefined): string {
  const origin = movedFrom === undefined ? 'this one began here' : `this one came from ${movedFrom}`
  return `not evaluated: that is done when a SHIPPABLE story is moved to VALIDATING, and ${origin}; move it to IN_PROGRESS, SHIPPABLE and VALIDATING to have it evaluated, or to REVIEW_READY when you have judged it yourself`
}

const MAX_NAMED = 5
const MAX_CRITERION = 200

/** Which criteria keep a story in VALIDATING, and what to do about it. */
export function formatOpenCriteriaMessage(standings: readonly Standing[]): string {
  const failed = standings.filter(({ verdict }) => verdict === 'failed')
  const pending = standings.filter(({ verdict }) => verdict === 'pending')
  const parts = [
    failed.length === 0 ? '' : `${failed.length} of ${standings.length} criteria do not hold: ${name(failed)}`,
    pending.length === 0 ? '' : `${pending.length} of ${standings.length} criteria have no verdict: ${name(pending)}`,
  ]
  return `${parts.filter((part) => part !== '').join('; ')}; ${LEFT_TO_PEOPLE}`
}

function name(standings: readonly Standing[]): string {
  return listOf(
    standings.map(({ criterion }) => `“${clip(criterion.text, MAX_CRITERION)}”`),
    { most: MAX_NAMED },
  )
}

/** Why nobody can be asked. */
export function formatNoEvaluatorMessage(evaluators: readonly Evaluator[], now: Date): string {
  const reasons = evaluators.flatMap((evaluator) => cannotEvaluateReason(evaluator, now) ?? [])
  const reason = reasons.length === 0 ? 'there is no agent' : reasons.join('; ')
  return `no agent can evaluate the story (${reason}): it is evaluated as soon as one can, or ${LEFT_TO_PEOPLE}`
}
