import { join } from 'node:path'
import type { Prepared } from '../../core/execution/prepared.ts'
import type { ExecutionError, Undelivered } from '../../core/execution/result.ts'
import { type Push, reviewBase } from '../../core/review/commits.ts'
import type { RawChange } from '../../core/review/hidden.ts'
import { shortCommit } from '../../core/text.ts'
import { type GitOptions, isAncestor } from '../../lib/git.ts'
import { makeView } from '../../lib/git-untrusted.ts'
import { type StepContext, findLender } from '../context.ts'
import { StepFailed } from '../failure.ts'
import { checkSizes } from '../git/check-objects.ts'
import { completeView, isPartial } from '../git/partial.ts'
import { findLooseGitlinks } from '../git/raw-changes.ts'
import { type Work, isShared } from '../git/rebase.ts'
import { createReviewer } from '../git/review.ts'
import { type ScratchRepository, filterKnown } from '../git/scratch-repository.ts'
import { findTotalLoss } from '../git/undelivered.ts'
import { findPrepared } from '../result-file.ts'

const UNKNOWN_BASE = 'the commit that this work started from is not known: run the task again'

interface Losses {
  /** What of the work nobody can fetch. */
  readonly undelivered: readonly Undelivered[]
  /** The failure, if that is all of it. */
  readonly loss: ExecutionError | undefined
}

/**
 * What the agent left in its clone, reviewed as far as that is possible without asking the remote: the default branch may
 * have moved.
 *
 * @throws UntrustedClone, GitFailed, StepFailed
 */
export async function readWork(context: StepContext, signal: AbortSignal): Promise<Work & Losses> {
  const { run, paths, tmp } = context
  const prepared = await findPrepared(context)
  const base = run.baseCommit ?? prepared?.baseCommit
  if (base === undefined) throw new StepFailed('git', UNKNOWN_BASE)
  const view = join(tmp, 'view.git')
  const { commit: head, borrowed } = await makeView(paths.clone, findLender(run), view, signal)
  const { handedBack, deliverOnly } = run
  if (handedBack?.withoutAgent === true && !deliverOnly)
    await checkHandedBack({ gitDir: view, signal }, head, handedBack.head, prepared)
  if (await isPartial(paths.clone)) await completeView(context, { view, head }, signal)
  const tip = prepared?.tip ?? run.pushes?.at(-1)?.base ?? base
  const push = findOwnPush(prepared, run.pushes ?? [], { base: tip, head })
  const pushes = [...(run.pushes ?? []), push ?? { base: tip, head }]
  const compared = reviewBase(isShared(run), base, prepared?.tip ?? base)
  const starts = [base, prepared?.baseCommit, prepared?.tip, run.pushes?.at(-1)?.head].filter((at) => at !== undefined)
  const has = await filterKnown({ gitDir: view, signal }, starts)
  await checkSizes(context, { gitDir: view, commit: head, has }, signal)
  let losses: Losses = { undelivered: [], loss: undefined }
  const inspect = async (trees: GitOptions, entries: readonly RawChange[]): Promise<void> => {
    const undelivered = await findLooseGitlinks(trees, head, entries)
    losses = { undelivered, loss: findTotalLoss(entries, undelivered) }
  }
  const review = createReviewer(context, { borrowed, known: starts }, signal)
  const clone = await review({ from: view, head, base: compared, pushes, inspect })
  const start = { commit: prepared?.baseCommit ?? base, isFromBranch: prepared?.isFromBranch === true }
  return { review, clone, view, borrowed, base, start, tip, push, ...losses }
}

/** What a person has handed back is reviewed as it is on the branch, and nothing else. @throws StepFailed */
async function checkHandedBack(
  view: ScratchRepository,
  head: string,
  wanted: string,
  prepared?: Prepared,
): Promise<void> {
  const tip = prepared?.found ?? prepared?.baseCommit
  if (head === tip && (await isAncestor(view, wanted, head))) return
  const where = tip === undefined ? 'the branch is not there' : `the branch is at ${shortCommit(tip)}`
  const text = `${shortCommit(wanted)} was handed back, but ${where}, and the clone at ${shortCommit(head)}`
  throw new StepFailed('git', `${text}: check the task out and hand it back again`)
}

/**
 * A push of all that the clone has beyond what the branch had before. Where nobody saw that, a kept clone began at the last push,
 * if there was one.
 */
function findOwnPush(prepared: Prepared | undefined, pushes: readonly Push[], made: Push): Push | undefined {
  if (prepared?.found !== undefined) return { found: prepared.found, ...made }
  if (prepared?.baseCommit !== undefined)
    return { found: prepared.isFromBranch === true ? prepared.baseCommit : undefined, ...made }
  const last = pushes.at(-1)
  return last && { found: last.head, ...made }
}
