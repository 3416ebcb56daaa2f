import { type Static, Type } from 'typebox'
import { COMMIT_PATTERN } from './patterns.ts'
import { RESULT_LIMITS } from './result-limits.ts'

const Commit = Type.String({ pattern: COMMIT_PATTERN })

/**
 * What became of a branch since a kept clone last knew it: prepare writes it for the agent's step, which brings the clone
 * there (docs/adr/0014-a-voice.md). An agent can write it too, which changes its own clone alone.
 */
export const BranchMove = Type.Object({
  schemaVersion: Type.Literal(1),
  branch: Type.String(),
  /** What the branch is at now; absent: the remote does not have it any more. */
  tip: Type.Optional(Commit),
  /** The clone's last commit that the branch had, in this form or in another: what comes after it is not pushed. */
  since: Type.Optional(Commit),
  /** Whether the branch has lost commits that it had. */
  isRewritten: Type.Boolean(),
  /** Those that the clone does not know, newest first. */
  commits: Type.Array(
    Type.Object({
      commit: Commit,
      author: Type.String({ maxLength: RESULT_LIMITS.commitTextLength }),
      subject: Type.String({ maxLength: RESULT_LIMITS.commitTextLength }),
    }),
    { maxItems: RESULT_LIMITS.namedCommits },
  ),
  /** How many there are of them in all. */
  count: Type.Integer({ minimum: 0 }),
})

export type BranchMove = Static<typeof BranchMove>

/** A moment at which clone and branch were in step: what each of them was at. They differ where a push was rebased. */
export interface InStep {
  readonly clone: string
  readonly branch: string
}

/** How a clone was brought to the tip of its branch. */
export type MoveEnd =
  | { readonly kind: 'followed' }
  /** A rebase has stopped, as git leaves it. */
  | { readonly kind: 'conflict'; readonly files: readonly string[] }
  /** The clone is as it was. */
  | { readonly kind: 'left'; readonly reason: string }
