import { merge } from '../git/merge.ts'
import { Conflict, StepFailed } from '../failure.ts'
import { listRemoteBranches, pushCommit } from '../git/remote.ts'
import { isAncestor } from '../../lib/git.ts'
import { type ScratchRepository, fetchBranch, openScratchRepository } from '../git/scratch-repository.ts'
import { type Delivered, type DeliveryJob, branchesOf, getBase } from './delivery.ts'
import { type Base, toMovedError } from './moved-branch.ts'

/** How often a merge is tried when the base moves between fetch and push. */
const MAX_TRIES = 4

/**
 * Merges a branch into its base: by a fast-forward if the base has no commit of its own, else by a merge commit. A branch
 * that is merged already is a success, so a delivery that was interrupted after its push can be repeated.
 *
 * This is the only place that pushes to a default branch. It never uses force: if the base moves meanwhile, the branch is
 * merged again.
 *
 * It merges the reviewed commit and no other. If somebody has pushed to the branch since, it merges nothing and says so.
 *
 * @throws Conflict; Moved; StepFailed when a branch is missing or the base never rests; GitFailed when the remote refuses
 */
export async function mergeBranch(job: DeliveryJob): Promise<Delivered> {
  const { access, context, spec, signal } = job
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const remote = await listRemoteBranches(access, branchesOf(spec), signal)
    const base = getBase(job, remote)
    const scratch = await openScratchRepository(context, base.commit, signal, job.borrowed)
    const into = await fetchBranch(scratch, access, base.branch)
    // This comes before the branch: an earlier try may have merged it, and somebody may have removed it or gone on since.
    if (spec.commit !== undefined && (await isAncestor(scratch, spec.commit, into))) return { commit: into }
    if (!remote.commits.has(spec.branch)) throw new StepFailed('git', formatMissingMessage(job))
    const from = await fetchBranch(scratch, access, spec.branch)
    if (from !== spec.commit || !(await isShown(job, scratch, { ...base, commit: into })))
      throw await toMovedError(job, base)
    const commit = await combine(job, scratch, { base: base.branch, into, from })
    const push = { gitDir: scratch.gitDir, commit, branch: base.branch }
    if ((await pushCommit(access, push, signal)) === 'pushed') return { commit }
    context.say(`branch ${base.branch} has moved meanwhile`)
  }
  throw new StepFailed('git', `the base of ${spec.branch} on ${access.url} moves faster than it can be merged`, true)
}

/**
 * Without the commit that the review was against, the base would get more than was shown. A story's branch from before its
 * review was recorded was shown as far as its tasks made it.
 */
async function isShown(job: DeliveryJob, scratch: ScratchRepository, base: Base): Promise<boolean> {
  const { baseCommit } = job.context.run
  if (baseCommit !== undefined) return isAncestor(scratch, baseCommit, base.commit)
  return (await toMovedError(job, base)).found.foreignCommitCount === undefined
}

interface Histories {
  readonly base: string
  readonly into: string
  readonly from: string
}

async function combine(job: DeliveryJob, scratch: ScratchRepository, { base, into, from }: Histories): Promise<string> {
  const { context, spec } = job
  if (await isAncestor(scratch, into, from)) return from
  const message = mergeMessage(spec.branch, spec.title)
  const merged = await merge(context, scratch, { into, from, message })
  if (merged.kind === 'clean') return merged.commit
  const wayOut = `reject the work so that it is done anew, unless its story is DONE; or merge ${base} into ${spec.branch} and accept it (once to be shown what you pushed, once more to deliver it)`
  throw new Conflict(`branch ${spec.branch} conflicts with ${base} in`, wayOut, into, merged.files)
}

/** The subject is git's own, the body says what was done. */
function mergeMessage(branch: string, title: string | undefined): string {
  const subject = `Merge branch '${branch}'`
  return title === undefined ? subject : `${subject}\n\n${title.replaceAll(/\s+/g, ' ').trim()}`
}

function formatMissingMessage({ spec, access }: DeliveryJob): string {
  return `branch ${spec.branch} is not on ${access.url} any more: there is nothing to deliver`
}
