import { type Static, Type } from 'typebox'
import { crdField } from '../crd-field.ts'
import { crdName } from '../schema/crd-limits.ts'
import { closed, maybe } from '../schema/fields.ts'
import { CRITERION_ID } from '../story/criteria.ts'
import { OPINION_VERDICTS } from '../story/opinions.ts'

const { maxItems = 50 } = crdField('Story', 'spec.acceptanceCriteria')

/** One verdict per acceptance criterion, named by the id that the prompt gives it (core/story/criteria.ts). */
export const Evaluation = closed({
  verdicts: Type.Array(
    closed({
      criterion: Type.String({
        pattern: CRITERION_ID,
        maxLength: 9,
        description: 'The id of the criterion, such as c0a1b2c3d.',
      }),
      verdict: Type.Enum(OPINION_VERDICTS),
      /** What was run or read, and what it showed. */
      evidence: Type.String({ minLength: 1, maxLength: 8192 }),
    }),
    { maxItems },
  ),
  /** Work that the story leaves for a later one. */
  follow_up: maybe(
    closed({
      title: crdName('Epic', 'spec.title'),
      description: Type.String({ maxLength: 8192 }),
    }),
  ),
})

export type Evaluation = Static<typeof Evaluation>
