import { Type } from 'typebox'
import { CI_STATES } from '../../enum-values.ts'
import { closed, Instant, maybe } from '../../schema/fields.ts'

/** What the CI of the git host says of a task's commit. */
export const CiRecord = closed({
  commit: Type.String(),
  /** `failed` if one run failed; else `pending` while one goes on; else `passed`. */
  state: Type.Enum(CI_STATES),
  /** Number of runs that the host names. */
  total: Type.Integer(),
  /** At most 20: failed ones first, then those that go on. */
  runs: Type.Array(
    closed({
      name: Type.String(),
      state: Type.Enum(CI_STATES),
      /** Its page, with the log. */
      url: maybe(Type.String()),
    }),
  ),
  /** When the host first said so. */
  at: Instant,
})
