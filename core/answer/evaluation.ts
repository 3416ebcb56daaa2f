import type { Static } from 'typebox'
import { Type } from 'typebox'
import { crdField } from '../crd-field.ts'
import { closed, maybe } from '../rest/fields.ts'

const { maxItems = 50 } = crdField('Story', 'spec.acceptanceCriteria')

/** One verdict per acceptance criterion, named by its place in the list, counted from 1. */
export const Evaluation = closed({
  verdicts: Type.Array(
    closed({
      criterion: Type.Integer({ minimum: 1, maximum: maxItems }),
      verdict: Type.Enum(['pass', 'fail', 'unknown']),
      /** What was run or read, and what it showed. */
      evidence: Type.String({ minLength: 1, maxLength: 8192 }),
    }),
    { maxItems },
  ),
  /** Work that the story leaves for a later one. */
  follow_up: maybe(
    closed({
      title: Type.String({ minLength: 1, maxLength: 200 }),
      description: Type.String({ maxLength: 8192 }),
    }),
  ),
})

export type Evaluation = Static<typeof Evaluation>
