import { withoutAbsent } from '../../core/omit.ts'
import { shortCommit } from '../../core/text.ts'
import { readOutcome } from '../agent/outcome-file.ts'
import { makeCheckouts } from '../checks/checkout.ts'
import { type Kept, keepCandidate } from '../checks/keep.ts'
import { type Checks, clearStaged, findStaged, removeStaged, writeStaged } from '../checks/staged-file.ts'
import type { StepContext } from '../context.ts'
import { isOutOfSpace } from '../../lib/files.ts'
import type { RemoteBranches } from '../../lib/git-remote.ts'
import { type MergedSubmodules, readMerged } from '../git/gitmodules.ts'
import { publish } from '../git/push.ts'
import type { Candidate, PushJob } from '../git/rebase.ts'
import { fetchBranch, hasCommit } from '../git/scratch-repository.ts'
import { wantsSubmodules } from '../git/submodules.ts'
import { findOwnOutcome, writeResult } from '../result-file.ts'
import { toExecutionError } from './execution-error.ts'
import { redactUrls } from '../../core/redact-urls.ts'
import { toResult, withWork } from './work-result.ts'

/**
 * The step between agent and checks (docs/adr/0015-checks.md): does all that deliver does without checks, but for the
 * push, and writes a checkout of what would be pushed for each check. It trusts nothing that the agent could write.
 *
 * @returns 0 whenever deliver finds what came of it; 1 where the disk has no room for that, and the result is written instead
 */
export async function stage(context: StepContext): Promise<number> {
  const { checks } = context.run
  if (checks === undefined) return 0
  if ((await findOwnOutcome(context, 'result')) !== undefined || (await findStaged(context)) !== undefined) return 0
  try {
    await clearStaged(context, checks)
    await stageWork(context, checks)
    return 0
  } catch (error) {
    if (context.signal.aborted || !isOutOfSpace(error)) throw error
    await removeStaged(context)
    const failure = toExecutionError(error, '', redactUrls)
    context.say(failure.message)
    const result = await toResult(context, await readOutcome(context), { pushed: false, error: failure })
    await writeResult(context, result)
    return 1
  }
}

async function stageWork(context: StepContext, checks: Checks): Promise<void> {
  const { run, say } = context
  const outcome = await readOutcome(context)
  let kept: Kept | undefined
  let merged: MergedSubmodules | undefined
  const delivered = await withWork(context, outcome, async (access, work, limit) => {
    const published = await publish(context, access, work, limit.signal, async (job, candidate, remote) => {
      kept = await keepCandidate(job, candidate, remote)
      merged = wantsSubmodules(run) ? await findMerged(job, candidate, remote) : undefined
      return []
    })
    const { commits, head } = published.work
    // A branch without a commit of this work, which is there already, needs no push either.
    if (kept === undefined || (commits.length === 0 && kept.found === head)) {
      kept = undefined
      say('nothing to check: no new commit')
    } else {
      await makeCheckouts(context, access, checks, { head, commits: commits.length, merged }, limit)
      say(`${shortCommit(head)} is to be checked`)
    }
    return published
  })
  if (delivered.error !== undefined) kept = undefined
  // What nobody needs must not keep the disk full.
  if (kept === undefined) await removeStaged(context)
  const result = await toResult(context, outcome, delivered)
  const identity = { schemaVersion: 1, execution: run.execution, jobNumber: run.jobNumber } as const
  await writeStaged(context, { ...identity, ...withoutAbsent(kept ?? {}), has: kept?.has ?? [], result })
}

/** An agent may add a submodule of any repository that the credentials can read: its check must not be handed that. */
async function findMerged(
  { context, access, signal }: PushJob,
  { gitDir }: Candidate,
  { defaultBranch, commits }: RemoteBranches,
): Promise<MergedSubmodules> {
  const branch = context.run.defaultBranch ?? defaultBranch
  const known = branch === undefined ? undefined : commits.get(branch)
  const isHere = known !== undefined && (await hasCommit({ gitDir, signal }, known))
  const tip = isHere || branch === undefined ? known : await fetchBranch({ gitDir, signal }, access, branch)
  return readMerged({ gitDir, signal }, tip, access.url)
}
