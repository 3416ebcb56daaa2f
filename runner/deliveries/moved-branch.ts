import { git } from '../../lib/git.ts'
import { compare } from '../git/changes.ts'
import { Moved } from '../git/changes.ts'
import type { ScratchRepository } from '../git/scratch-repository.ts'
import { fetchBranch, openScratchRepository } from '../git/scratch-repository.ts'
import type { DeliveryJob } from './delivery.ts'

/** The branch that work is merged into, and its commit at one moment. */
interface Base {
  readonly branch: string
  readonly commit: string
}

/**
 * Makes the error of a delivery whose branch is not at the reviewed commit. It writes the diff that the branch would bring
 * now to where the diff of an execution's work is, so that whoever accepts again can see it. As at a code host, the diff
 * is against the commit where the branch left its base.
 *
 * @throws GitFailed, StepFailed
 */
export async function toMovedError(job: DeliveryJob, base: Base): Promise<Moved> {
  const { access, context, signal, spec } = job
  const scratch = await openScratchRepository(context, base.commit, signal)
  const into = await fetchBranch(scratch, access, base.branch)
  const head = await fetchBranch(scratch, access, spec.branch)
  const found = await compare(context, scratch, await leftAt(scratch, into, head), head)
  return new Moved(formatMovedMessage(job, head), found)
}

/** Histories without a common commit are compared as they are. */
async function leftAt(scratch: ScratchRepository, into: string, head: string): Promise<string> {
  const { exitCode, stdout } = await git(['merge-base', into, head], { ...scratch, answers: [1] })
  return exitCode === 0 ? stdout.toString('utf8').trim() : into
}

function formatMovedMessage({ context, access, spec }: DeliveryJob, head: string): string {
  const place = `branch ${spec.branch} on ${access.url} is at ${head.slice(0, 12)}`
  const reason =
    spec.commit === undefined
      ? `${place}, and which commit was reviewed is not recorded`
      : `${place}, but ${spec.commit.slice(0, 12)} was reviewed: somebody has pushed to it since`
  return `${reason}. Nothing was delivered. Look at all that the branch has now (the diff of execution ${context.run.execution}) and accept it again, or reject the work so that it is done anew`
}
