import { merge } from '../git/combine.ts'
import { Conflict, StepFailed } from '../failure.ts'
import { askRemote, pushCommit } from '../git/remote.ts'
import type { Workshop } from '../git/scratch-repository.ts'
import { fetchBranch, isReached, openWorkshop } from '../git/scratch-repository.ts'
import type { Delivered, DeliveryJob } from './delivery.ts'
import { branchesOf, getBase } from './delivery.ts'
import { describeMove } from './reviewed.ts'

/** How often a merge is made anew because the base has moved between fetch and push. */
const MAX_TRIES = 4

/**
 * Brings a branch into its base: by moving the base forward where it has nothing of its own, else by a merge commit.
 * What is merged already is success, so a delivery that was interrupted after its push can be repeated.
 *
 * This is the one place that pushes to a default branch, and it does so by no force: a base that moves meanwhile is
 * merged anew.
 *
 * It brings the commit that was reviewed and no other: whoever pushes to the branch meanwhile is told of, not merged.
 *
 * @throws Conflict; Moved; StepFailed when a branch is missing or the base never rests; GitFailed when the remote refuses
 */
export async function mergeBranch(job: DeliveryJob): Promise<Delivered> {
  const { access, context, spec, signal } = job
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const remote = await askRemote(access, branchesOf(spec), signal)
    const base = getBase(job, remote)
    const workshop = await openWorkshop(context, base.commit, signal)
    const into = await fetchBranch(workshop, access, base.branch)
    // Before the branch is looked at: an earlier try may have merged it, and somebody removed it or went on since.
    if (spec.commit !== undefined && (await isReached(workshop, spec.commit, into))) return { commit: into }
    if (!remote.commits.has(spec.branch)) throw new StepFailed('git', gone(job))
    const from = await fetchBranch(workshop, access, spec.branch)
    if (from !== spec.commit) throw await describeMove(job, base)
    const commit = await combine(job, workshop, { base: base.branch, into, from })
    const push = { gitDir: workshop.gitDir, commit, branch: base.branch }
    if ((await pushCommit(access, push, signal)) === 'pushed') return { commit }
    context.say(`branch ${base.branch} has moved meanwhile`)
  }
  throw new StepFailed('git', `the base of ${spec.branch} on ${access.url} moves faster than it can be merged`)
}

interface Histories {
  readonly base: string
  readonly into: string
  readonly from: string
}

async function combine(job: DeliveryJob, workshop: Workshop, { base, into, from }: Histories): Promise<string> {
  const { context, spec } = job
  if (await isReached(workshop, into, from)) return from
  const message = mergeMessage(spec.branch, spec.title)
  const merged = await merge(context, workshop, { into, from, message })
  if (merged.kind === 'clean') return merged.commit
  const wayOut = `reject the work so that it is done anew, or merge ${base} into ${spec.branch} and accept it (once to be shown what you pushed, once more to deliver it)`
  throw new Conflict(`branch ${spec.branch} conflicts with ${base} in`, wayOut, into, merged.files)
}

/** Git's own words for the subject, what was done as body. */
function mergeMessage(branch: string, title: string | undefined): string {
  const subject = `Merge branch '${branch}'`
  return title === undefined ? subject : `${subject}\n\n${title.replaceAll(/\s+/g, ' ').trim()}`
}

function gone({ spec, access }: DeliveryJob): string {
  return `branch ${spec.branch} is not on ${access.url} any more: there is nothing to deliver`
}
