import { shortCommit } from '../../core/text.ts'
import { Moved, reviewWork } from '../git/review.ts'
import { fetchBranch, openScratchRepository } from '../git/scratch-repository.ts'
import type { DeliveryJob } from './delivery.ts'

/** The branch that work is merged into, and its commit at one moment. */
export interface Base {
  readonly branch: string
  readonly commit: string
}

/**
 * Makes the error of a delivery that would bring something else than was reviewed: the branch is not at that commit, or the
 * default branch has lost what it was compared with. It writes the diff that the branch would bring now to where the diff of
 * an execution's work is, so that whoever accepts again can see it.
 *
 * @throws GitFailed; StepFailed where the two branches have no commit in common
 */
export async function toMovedError(job: DeliveryJob, base: Base): Promise<Moved> {
  const { access, context, signal, spec, borrowed } = job
  const scratch = await openScratchRepository(context, base.commit, signal, borrowed)
  const tip = await fetchBranch(scratch, access, base.branch)
  const head = await fetchBranch(scratch, access, spec.branch)
  const pushes = context.run.pushes ?? []
  const reviewed = { from: scratch.gitDir, head, base: { kind: 'mergeBase', tip }, pushes } as const
  const known = [context.run.baseCommit ?? tip]
  return new Moved(
    formatMovedMessage(job, base, head),
    await reviewWork(context, reviewed, signal, { borrowed, known }),
  )
}

function formatMovedMessage({ context, access, spec }: DeliveryJob, base: Base, head: string): string {
  const place = `branch ${spec.branch} on ${access.url} is at ${shortCommit(head)}`
  return `${formatReason(context.run.baseCommit, spec.commit, { place, base, head })}. Nothing was delivered. Look at all that the branch has now (the diff of execution ${context.run.execution}) and accept it again, or reject the work so that it is done anew, unless its story is DONE`
}

interface Found {
  readonly place: string
  readonly base: Base
  readonly head: string
}

function formatReason(comparedWith: string | undefined, reviewed: string | undefined, { place, base, head }: Found) {
  if (reviewed === undefined) return `${place}, and which commit was reviewed is not recorded`
  if (reviewed !== head) return `${place}, but ${shortCommit(reviewed)} was reviewed: it was pushed to since`
  if (comparedWith === undefined) return `${place}, with commits by others, which no review has shown`
  return `${place}, which was compared with ${shortCommit(comparedWith)}, and ${base.branch} does not have that commit: it would get more than was shown`
}
