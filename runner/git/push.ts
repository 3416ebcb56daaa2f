/**
 * Pushes an execution's commits to the task's branch on the remote, never with force and never to the default branch.
 *
 * If the branch has moved since the clone was made, the commits are rebased onto it, and again if it moves between fetch
 * and push, three times at most. If the branch is not on the remote yet, the commits are rebased onto their base, so that
 * a person reviews them as they will be merged; if that conflicts, they stay as they are. Commits that were pushed once
 * are never rewritten, because others may build on them.
 */
import type { RebaseReport } from '../../core/execution/result.ts'
import type { Candidate, Work } from './rebase.ts'
import { makePushable } from './rebase.ts'
import type { Changes } from './changes.ts'
import { compare } from './changes.ts'
import type { StepContext } from '../context.ts'
import { StepFailed } from '../failure.ts'
import type { GitAccess } from './access.ts'
import { listRemoteBranches, pushCommit, refuseBranch } from './remote.ts'

/** How often work is rebased and pushed again after the branch moved during the first push. */
const MAX_REPEATS = 3

/** What is on the remote now, and the commit that it is compared with. */
export interface Published {
  readonly pushed: boolean
  readonly baseCommit: string
  readonly work: Changes
  readonly rebase?: RebaseReport | undefined
}

/**
 * Without a commit since the base there is nothing to push. A branch that is at the right commit already counts as pushed.
 *
 * @throws GitFailed when the remote refuses; StepFailed for the default branch; Conflict
 */
export async function publish(
  context: StepContext,
  access: GitAccess,
  work: Work,
  signal: AbortSignal,
): Promise<Published> {
  const { clone, base } = work
  const { branch, baseBranch } = context.run
  const asked = baseBranch === undefined ? [branch] : [branch, baseBranch]
  for (let repeats = 0; repeats <= MAX_REPEATS; repeats++) {
    const remote = await listRemoteBranches(access, asked, signal)
    if (remote.commits.get(branch) === clone.head) return { pushed: true, baseCommit: base, work: clone }
    if (clone.commits.length === 0) return { pushed: false, baseCommit: base, work: clone }
    refuseBranch(remote, branch, { url: access.url, own: baseBranch })
    const candidate = await makePushable({ context, access, work, signal }, remote)
    if (await push(access, candidate, branch, signal)) return toPublished(context, work, candidate, signal)
    context.say(`branch ${branch} has moved meanwhile`)
  }
  throw new StepFailed(
    'git',
    `branch ${branch} on ${access.url} moves faster than this work can be pushed: tried ${MAX_REPEATS + 1} times; resume the task to push it when the branch is quiet`,
  )
}

async function push(access: GitAccess, candidate: Candidate, branch: string, signal: AbortSignal): Promise<boolean> {
  if (candidate.isThere) return true
  return (await pushCommit(access, { ...candidate, branch }, signal)) === 'pushed'
}

/** A rebased commit has other changes than the clone's, so they are computed again. */
async function toPublished(
  context: StepContext,
  { clone }: Work,
  { gitDir, commit, baseCommit, report }: Candidate,
  signal: AbortSignal,
): Promise<Published> {
  const work = commit === clone.head ? clone : await compare(context, { gitDir, signal }, baseCommit, commit)
  return { pushed: true, baseCommit, work, rebase: report }
}
