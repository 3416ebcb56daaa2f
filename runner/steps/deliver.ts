import { join } from 'node:path'
import { EXECUTION_FILES } from '../../core/execution/layout.ts'
import type {
  AgentOutcome,
  ExecutionError,
  ExecutionResult,
  RebaseReport,
  Undelivered,
} from '../../core/execution/result.ts'
import { findChanges } from '../../core/transcript/diffstat.ts'
import { withoutAbsent } from '../../core/omit.ts'
import { toTimestamp } from '../../core/time.ts'
import { ifPlain, readTailNoFollow } from '../../lib/files.ts'
import { type GitOptions, withGitLimit } from '../../lib/git.ts'
import { findLooseGitlinks } from '../git/raw-changes.ts'
import { findTotalLoss, toList } from '../git/undelivered.ts'
import { makeView } from '../../lib/git-untrusted.ts'
import { type Push, reviewBase } from '../../core/review/commits.ts'
import type { RawChange } from '../../core/review/hidden.ts'
import { bulkWords } from '../../core/sentences/review.ts'
import { checkSizes } from '../git/check-objects.ts'
import { filterKnown } from '../git/scratch-repository.ts'
import { type Review, createReviewer } from '../git/review.ts'
import { type StepContext, findLender } from '../context.ts'
import { Conflict, StepFailed, Unpushable } from '../failure.ts'
import { findNextTry, toExecutionError } from './execution-error.ts'
import { remoteLimitMs } from '../limits.ts'
import { openGitAccess } from '../git/access.ts'
import { completeView, isPartial } from '../git/partial.ts'
import { readOutcome } from '../agent/outcome-file.ts'
import type { Prepared } from '../../core/execution/prepared.ts'
import { type Work, isShared } from '../git/rebase.ts'
import { type Published, publish } from '../git/push.ts'
import { redactUrls } from '../../core/redact-urls.ts'
import { exitCodeOf, findOwnOutcome, findPrepared, writeResult } from '../result-file.ts'

const TAIL_BYTES = 256 * 1024

/**
 * Step 3: computes what changed, pushes it when the agent succeeded, and writes the execution's result. It trusts nothing
 * that the agent could write. If SIGTERM ends it before the push, it writes nothing, and the operator decides.
 *
 * A delivery has no agent, and this is its only step. What a setup has left is sealed, not pushed.
 *
 * @returns 0 for success and for a question, else 1.
 */
export async function deliver(context: StepContext): Promise<number> {
  const { delivery, seal } = context.run
  if (delivery !== undefined) return (await import('./delivery.ts')).runDelivery(context, delivery)
  if (seal !== undefined) return (await import('./seal.ts')).runSeal(context, seal)
  const earlier = await findOwnOutcome(context, 'result')
  if (earlier !== undefined) return exitCodeOf(earlier.outcome)
  const { uncommitted, ...outcome } = await readOutcome(context)
  const delivered = await deliverWork(context, outcome, uncommitted)
  const result: ExecutionResult = {
    ...outcome,
    ...(outcome.error && { error: { ...outcome.error, message: redactUrls(outcome.error.message) } }),
    ...(outcome.outcome === 'succeeded' && delivered.error && { outcome: 'failed', error: delivered.error }),
    ...withoutAbsent({ resumeAfter: outcome.resumeAfter ?? delivered.resumeAfter }),
    ...(outcome.summary !== undefined && { summary: redactUrls(outcome.summary) }),
    step: 'deliver',
    finishedAt: toTimestamp(context.clock.now()),
    pushed: delivered.pushed,
    ...(delivered.rebase !== undefined && { rebase: delivered.rebase }),
    ...(delivered.push !== undefined && { push: delivered.push }),
    ...(delivered.branchReview !== undefined && { branchReview: delivered.branchReview }),
    ...(delivered.pushed && { branch: context.run.branch }),
    ...(delivered.pushed && delivered.work && { head: delivered.work.head }),
    ...(await changesOf(context, delivered.work)),
    ...toList(delivered.undelivered ?? [], outcome),
  }
  await writeResult(context, result)
  return exitCodeOf(result.outcome)
}

interface Delivered extends Omit<Published, 'work'> {
  readonly work?: Review
  readonly error?: ExecutionError
  readonly resumeAfter?: string
}

async function deliverWork(
  context: StepContext,
  { outcome }: AgentOutcome,
  uncommitted: ExecutionError | undefined,
): Promise<Delivered> {
  const { run, clock, say } = context
  // An agent that had to answer has done no work in its clone.
  if (run.answerSchema !== undefined) return { pushed: false }
  let redact = redactUrls
  let known: Partial<Delivered> = {}
  try {
    return await withGitLimit(remoteLimitMs(run), context.signal, clock, async (signal) => {
      const { undelivered, loss, ...work } = await readWork(context, signal)
      known = { work: work.clone, undelivered }
      const much = bulkWords(work.clone)
      if (much !== undefined) say(much)
      const error = uncommitted ?? loss
      if (outcome !== 'succeeded') return { ...known, pushed: false }
      if (error !== undefined) return { ...known, pushed: false, error }
      const access = await openGitAccess(context)
      redact = access.redact
      const published = await publish(context, access, work, signal)
      const {
        pushed,
        work: { head },
      } = published
      say(pushed ? `branch ${run.branch} is at ${head.slice(0, 12)}` : 'nothing to push: no new commit')
      return { ...known, ...published, undelivered: [...undelivered, ...(published.undelivered ?? [])] }
    })
  } catch (error) {
    if (context.signal.aborted) throw error
    const failure = toExecutionError(error, redactUrls(run.repositoryUrl), redact, ONLY_PUSH)
    say(failure.message)
    const next = uncommitted === undefined ? findNextTry(error, clock.now()) : {}
    const undelivered = [...(known.undelivered ?? []), ...(error instanceof Unpushable ? error.undelivered : [])]
    return { ...known, undelivered, pushed: false, error: uncommitted ?? failure, ...next, rebase: reportOf(error) }
  }
}

function reportOf(error: unknown): RebaseReport | undefined {
  return error instanceof Conflict ? { result: 'Conflict', onto: error.onto, files: [...error.files] } : undefined
}

/** The clone is kept, and resume runs this step alone (specification §4.24). */
const ONLY_PUSH = 'resume the task, which only pushes the work that it has kept'

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
async function readWork(context: StepContext, signal: AbortSignal): Promise<Work & Losses> {
  const { run, paths, tmp } = context
  const prepared = await findPrepared(context)
  const base = run.baseCommit ?? prepared?.baseCommit
  if (base === undefined) throw new StepFailed('git', UNKNOWN_BASE)
  const view = join(tmp, 'view.git')
  const { commit: head } = await makeView(paths.clone, findLender(run), view, signal)
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
  const review = createReviewer(context, signal)
  const clone = await review({ from: view, head, base: compared, pushes, inspect })
  const start = { commit: prepared?.baseCommit ?? base, isFromBranch: prepared?.isFromBranch === true }
  return { review, clone, view, base, start, tip, push, ...losses }
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

/** Git's own figures take precedence over what the agent printed. */
async function changesOf({ paths }: StepContext, work: Review | undefined): Promise<Partial<ExecutionResult>> {
  if (work !== undefined) {
    const { head: _, ...reviewed } = work
    return reviewed
  }
  const tail = await ifPlain(readTailNoFollow(paths.execution, EXECUTION_FILES.stdout, TAIL_BYTES))
  const changes = tail && findChanges(tail.toString('utf8'))
  return changes === undefined ? {} : { changes }
}
