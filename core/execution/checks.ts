import { type Static, Type } from 'typebox'
import { CHECK_STATE_VALUES } from '../crd/enums.ts'
import { COMMIT_PATTERN, RESOURCE_NAME_PATTERN } from './patterns.ts'
import { RESULT_LIMITS } from './result-limits.ts'

/** How a check ended, without what only the operator knows of it. */
export const CheckVerdict = Type.Object({
  name: Type.String({ maxLength: RESULT_LIMITS.checkNameLength, pattern: RESOURCE_NAME_PATTERN }),
  state: Type.Enum(CHECK_STATE_VALUES),
  required: Type.Boolean(),
  /** The commit that it checked. */
  commit: Type.Optional(Type.String({ maxLength: 64, pattern: COMMIT_PATTERN })),
  /** RFC 3339. */
  startedAt: Type.Optional(Type.String()),
  seconds: Type.Optional(Type.Number({ minimum: 0 })),
  exitCode: Type.Optional(Type.Integer()),
  /** Why it is red where its exit code does not say so, for people. */
  reason: Type.Optional(Type.String({ maxLength: RESULT_LIMITS.checkReasonLength })),
  /** The end of what a red one printed, for the agent: deliver adds it. Secrets are none: a check has none. */
  tail: Type.Optional(Type.String({ maxLength: RESULT_LIMITS.checkTailLength })),
})

/**
 * What a check leaves in its verdict file, in a folder that only its own container writes. Code of the agent runs there and can
 * forge it, as it can have the check succeed; it names no other check. Job and execution tell it from what an earlier Job left.
 */
export const CheckVerdictFile = Type.Object({
  schemaVersion: Type.Literal(1),
  execution: Type.String(),
  jobNumber: Type.Integer({ minimum: 1 }),
  ...CheckVerdict.properties,
})

export type CheckVerdict = Static<typeof CheckVerdict>
export type CheckVerdictFile = Static<typeof CheckVerdictFile>
