/** What became of work on its way to the remote: part of the records of tasks and executions. */
import { Type } from 'typebox'
import { Instant, RecordId, closed, maybe } from '../../schema/fields.ts'
import { DELIVERY_WORDS, ON_ACCEPT_WORDS, REBASE_WORDS } from '../../enum-values.ts'

/** How the work stood to the branch that it goes to, or to its base. */
export const RebaseRecord = closed({
  result: Type.Enum(Object.values(REBASE_WORDS)),
  onto: maybe(Type.String()),
  /** Those that conflict. */
  files: Type.Array(Type.String()),
  message: maybe(Type.String()),
})

/** The commit that the branch was brought to last: what is reviewed. */
export const HeadRecord = closed({ commit: Type.String(), at: Instant })

const NAMED_COMMIT = { commit: Type.String(), author: Type.String(), subject: Type.String() }

/** What a reviewer has to know beside the diff: part of the records of tasks, executions and stories. */
export const FINDINGS = {
  /** Commits that no push of ours brought: at most 50, and how many there are. */
  foreign_commits: maybe(Type.Array(closed(NAMED_COMMIT))),
  foreign_commit_count: maybe(Type.Integer()),
  /** Commits that change what the diff does not show, and one such file; at most 50. */
  hidden_commits: maybe(Type.Array(closed({ ...NAMED_COMMIT, path: maybe(Type.String()) }))),
  /** New folders with 1,000 files or more, and files of 50 MiB or more; at most 5. */
  bulk: maybe(Type.Array(closed({ path: Type.String(), files: maybe(Type.Integer()), bytes: maybe(Type.Integer()) }))),
}

/** What became of accepted work. */
export const DeliveryRecord = closed({
  kind: Type.Union([Type.Literal(ON_ACCEPT_WORDS.Merge), Type.Literal(ON_ACCEPT_WORDS.PullRequest)]),
  state: Type.Enum(Object.values(DELIVERY_WORDS)),
  execution_id: maybe(RecordId),
  /** The one that is delivered; after `moved`, the one that the next accept delivers. */
  reviewed: maybe(Type.String()),
  /** The commit that the base is at since, or that the pull request asks for. */
  commit: maybe(Type.String()),
  /** Page of the pull request. */
  url: maybe(Type.String()),
  /** Why it failed, and the way out. */
  message: maybe(Type.String()),
  /** Those that conflict. */
  files: Type.Array(Type.String()),
  requested_at: maybe(Instant),
  /** When it is tried again. */
  retry_at: maybe(Instant),
  at: maybe(Instant),
})
