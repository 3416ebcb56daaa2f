import { type Static, Type } from 'typebox'
import { CACHE_MODE_VALUES } from '../crd/enums.ts'
import { COMMIT_PATTERN, DIGEST_PATTERN } from './patterns.ts'

/** The environment that a commit wants, as prepare has found it. */
export const WantedEnvironment = Type.Object({
  digest: Type.String({ pattern: DIGEST_PATTERN }),
  commit: Type.String({ pattern: COMMIT_PATTERN }),
  /** Whether that is a commit of the remote's default branch: what is prepared at it all tasks of the project share. */
  isShared: Type.Boolean(),
})

export type WantedEnvironment = Static<typeof WantedEnvironment>

/** What prepare writes for deliver to prepared.json, in a folder that the agent step does not see. */
export const Prepared = Type.Object({
  schemaVersion: Type.Literal(1),
  /** The commit that the agent starts from; absent for a clone that was kept. */
  baseCommit: Type.Optional(Type.String({ pattern: COMMIT_PATTERN })),
  /** What the task's branch on the remote was at when a clone was kept; absent: it was not there. */
  found: Type.Optional(Type.String({ pattern: COMMIT_PATTERN })),
  /** Whether that was the task's branch on the remote, rather than its base. */
  isFromBranch: Type.Optional(Type.Boolean()),
  /** The commit of the base branch, or of the remote's HEAD, at that time. */
  tip: Type.Optional(Type.String({ pattern: COMMIT_PATTERN })),
  /** The remote's own branch, which is never pushed to; absent when its HEAD names none. */
  defaultBranch: Type.Optional(Type.String()),
  /** How long it took to have an up-to-date mirror to borrow from; absent: the clone has all its objects itself. */
  mirrorSeconds: Type.Optional(Type.Number({ minimum: 0 })),
  /** How long the clone and its checkout took, without the mirror. */
  cloneSeconds: Type.Optional(Type.Number({ minimum: 0 })),
  /** How long it took to hand out the caches of the environment; absent: there is none. */
  environmentSeconds: Type.Optional(Type.Number({ minimum: 0 })),
  environment: Type.Optional(WantedEnvironment),
  /** What deliver of a Prepare is to seal: the cache of the recipe, which may be the repository's own. */
  cache: Type.Optional(
    Type.Array(Type.Object({ path: Type.String({ maxLength: 1024 }), mode: Type.Enum(CACHE_MODE_VALUES) }), {
      maxItems: 50,
    }),
  ),
  /** Why the agent starts without the environment that its commit wants, for people. */
  environmentProblem: Type.Optional(Type.String({ maxLength: 1024 })),
  /** Files at the top of the default branch that tell what the project installs (core/environment/proposal.ts). */
  lockFiles: Type.Optional(Type.Array(Type.String({ maxLength: 255 }), { maxItems: 20 })),
})

export type Prepared = Static<typeof Prepared>
