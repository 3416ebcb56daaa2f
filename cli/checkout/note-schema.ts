import { type Static, Type } from 'typebox'
import { COMMIT_PATTERN } from '../../core/execution/patterns.ts'
import { type Check, compileCheck } from '../../lib/validate.ts'

const CheckoutNoteSchema = Type.Object({
  task: Type.String(),
  url: Type.String(),
  branch: Type.String(),
  isShared: Type.Boolean(),
  /** Whether the checkout began with all that the branch had. */
  hasTip: Type.Boolean(),
  /** What the branch was at; absent: it was not there, or out of reach. */
  tip: Type.Optional(Type.String({ pattern: COMMIT_PATTERN })),
  /** Since when the task was held. */
  heldAt: Type.Optional(Type.String()),
})

export type CheckoutNote = Static<typeof CheckoutNoteSchema>

export const checkNote: Check<CheckoutNote> = compileCheck(CheckoutNoteSchema)
