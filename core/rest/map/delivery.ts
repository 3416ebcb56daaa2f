import type { Bulk, ForeignCommit, HiddenCommit, RebaseReport, TaskDelivery } from '../../crd/types.ts'
import { DELIVERY_WORDS, ON_ACCEPT_WORDS, REBASE_WORDS } from '../../enum-values.ts'
import { withoutAbsent } from '../../omit.ts'

export function toRebaseRecord(report: RebaseReport | undefined) {
  if (report === undefined) return undefined
  const { result, onto, files, message } = report
  return { result: REBASE_WORDS[result], files: [...(files ?? [])], ...withoutAbsent({ onto, message }) }
}

interface Findings {
  readonly foreignCommits?: readonly ForeignCommit[]
  readonly foreignCommitCount?: number
  readonly hiddenCommits?: readonly HiddenCommit[]
  readonly bulk?: readonly Bulk[]
}

/** The fields that tell a reviewer of commits, and of much that they add. */
export function toFindings({ foreignCommits, foreignCommitCount, hiddenCommits, bulk }: Findings) {
  return withoutAbsent({
    foreign_commits: foreignCommits?.map((commit) => ({ ...commit })),
    foreign_commit_count: foreignCommitCount,
    hidden_commits: hiddenCommits?.map((commit) => ({ ...commit })),
    bulk: bulk?.map((one) => ({ ...one })),
  })
}

/** Nothing while it is not known whether there is anything to deliver. */
export function toDeliveryRecord(delivery: TaskDelivery | undefined) {
  if (delivery?.kind === undefined) return undefined
  const { kind, state, execution, reviewed, commit, url, message, files, requestedAt, retryAt, at } = delivery
  return {
    kind: ON_ACCEPT_WORDS[kind],
    state: DELIVERY_WORDS[state],
    files: [...(files ?? [])],
    ...withoutAbsent({
      execution_id: execution,
      reviewed,
      commit,
      url,
      message,
      requested_at: requestedAt,
      retry_at: retryAt,
      at,
    }),
  }
}
