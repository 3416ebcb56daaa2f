import { closed, maybe } from '../../schema/fields.ts'
import { type Static, Type } from 'typebox'

/** A script that can be run. */
export const ScriptRecord = closed({
  name: Type.String(),
  built_in: Type.Boolean(),
  /** What it says of itself in a comment `slipway-description`. */
  description: maybe(Type.String()),
  /** Variables that callers may set, by query parameters of these names. */
  parameters: Type.Array(Type.String()),
})

/** How a script ended; a code above 128 is a signal's number plus 128. Output is cut at 1 MiB each. */
export const ScriptResult = closed({
  name: Type.String(),
  exit_code: Type.Integer(),
  stdout: Type.String(),
  stderr: Type.String(),
  duration_seconds: Type.Number({ minimum: 0 }),
})

export type ScriptRecord = Static<typeof ScriptRecord>
export type ScriptResult = Static<typeof ScriptResult>
