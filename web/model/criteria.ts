/** The acceptance criteria of a story: pure. */
import type { Story } from '../../core/rest/client/client.ts'

export type Verdict = Story['evaluation']['verdicts'][number]

/** Each criterion with its verdict; before the first evaluation there is none. */
export function criteriaOf({ acceptance_criteria, evaluation }: Story): readonly Verdict[] {
  if (evaluation.verdicts.length > 0) return evaluation.verdicts
  return [...new Set(acceptance_criteria)].map((criterion) => ({ criterion, verdict: 'pending' }))
}
