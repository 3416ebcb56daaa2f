import { type Static, Type } from 'typebox'
import { COMMIT_PATTERN, RESOURCE_NAME_PATTERN } from './patterns.ts'
import { ExecutionResult } from './result.ts'

/** What stage writes for deliver to staged.json, in a folder that neither the agent's step nor a check sees. */
export const Staged = Type.Object({
  schemaVersion: Type.Literal(1),
  execution: Type.String({ pattern: RESOURCE_NAME_PATTERN }),
  jobNumber: Type.Integer({ minimum: 1 }),
  /** The commit that is checked, and pushed if it is green; absent: there is nothing to check. */
  head: Type.Optional(Type.String({ pattern: COMMIT_PATTERN })),
  /** What the branch was at on the remote, which the push is bound to; absent: the branch was not there. */
  found: Type.Optional(Type.String({ pattern: COMMIT_PATTERN })),
  /** Commits that the remote has, of those that the work goes back to. */
  has: Type.Array(Type.String({ pattern: COMMIT_PATTERN })),
  /** What deliver writes if every check is green; without a head, what it writes in any case. */
  result: ExecutionResult,
})

export type Staged = Static<typeof Staged>
