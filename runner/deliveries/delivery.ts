import type { RunSpec } from '../../core/execution/run-spec.ts'
import type { StepContext } from '../context.ts'
import { StepFailed } from '../failure.ts'
import type { GitAccess } from '../git/access.ts'
import type { RemoteBranches } from '../../lib/git-remote.ts'

export type DeliverySpec = NonNullable<RunSpec['delivery']>

/** The input of a delivery. */
export interface DeliveryJob {
  readonly context: StepContext
  readonly access: GitAccess
  readonly spec: DeliverySpec
  /** Objects of the repository's mirror, by the path of their folder; absent: all is fetched. */
  readonly borrowed?: string | undefined
  readonly signal: AbortSignal
}

/** Its result. */
export interface Delivered {
  /** Full hash. */
  readonly commit?: string
  /** Page of the pull request. */
  readonly url?: string
}

/** The branch that a delivery comes from or goes into, and its commit. @throws StepFailed when there is none */
export function getBase({ spec, access }: DeliveryJob, remote: RemoteBranches): { branch: string; commit: string } {
  const branch = spec.base ?? remote.defaultBranch
  const commit = branch === undefined ? undefined : remote.commits.get(branch)
  if (branch !== undefined && commit !== undefined) return { branch, commit }
  const what = branch === undefined ? 'no default branch: its HEAD names none' : `no branch ${branch}`
  throw new StepFailed(
    'git',
    `repository ${access.url} has ${what}; create it, or change the task's base_branch or the project's default branch, then try again`,
  )
}

/** Branches that the remote is asked for. */
export function branchesOf({ branch, base }: DeliverySpec): string[] {
  return base === undefined ? [branch] : [branch, base]
}
