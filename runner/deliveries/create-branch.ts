import { shortCommit } from '../../core/text.ts'
import { StepFailed } from '../failure.ts'
import { listRemoteBranches, pushCommit, refuseBranch } from '../git/remote.ts'
import { isAncestor } from '../../lib/git.ts'
import { type ScratchRepository, fetchBranch, openScratchRepository } from '../git/scratch-repository.ts'
import { type Delivered, type DeliveryJob, branchesOf, getBase } from './delivery.ts'

/** If somebody else makes the branch between our look and our push, one more look shows what it holds. */
const MAX_LOOKS = 4

/**
 * Makes a branch at the commit of its base. A branch that exists stays as it is. That is fine if it holds nothing that
 * the base lacks: an earlier try may have been interrupted after its push.
 *
 * @throws StepFailed when the branch is the default branch, or holds work of others; GitFailed
 */
export async function createBranch(job: DeliveryJob): Promise<Delivered> {
  const { access, context, spec, signal } = job
  const { branch } = spec
  for (let looks = 0; looks < MAX_LOOKS; looks++) {
    const remote = await listRemoteBranches(access, branchesOf(spec), signal)
    refuseBranch(remote, branch, { url: access.url, own: [spec.base, context.run.defaultBranch] })
    const base = getBase(job, remote)
    const there = remote.commits.get(branch)
    if (there === base.commit) return { commit: there }
    const scratch = await openScratchRepository(context, base.commit, signal, job.borrowed)
    const commit = await fetchBranch(scratch, access, base.branch)
    if (there !== undefined) return adopt(job, base.branch, scratch, commit)
    if ((await pushCommit(access, { gitDir: scratch.gitDir, commit, branch }, signal)) === 'pushed') return { commit }
  }
  throw new StepFailed('git', `branch ${branch} on ${access.url} is made and removed by somebody else; try again`, true)
}

async function adopt(
  { access, spec }: DeliveryJob,
  baseBranch: string,
  scratch: ScratchRepository,
  base: string,
): Promise<Delivered> {
  const commit = await fetchBranch(scratch, access, spec.branch)
  if (await isAncestor(scratch, commit, base)) return { commit }
  throw new StepFailed(
    'git',
    `branch ${spec.branch} exists on ${access.url} and holds work that ${baseBranch} does not have (${shortCommit(commit)}): choose another name, or remove that branch`,
  )
}
