import { EXECUTION_FILES } from '../../core/execution/layout.ts'
import type {
  AgentOutcome,
  ExecutionError,
  ExecutionResult,
  RebaseReport,
  Undelivered,
} from '../../core/execution/result.ts'
import { findChanges } from '../../core/transcript/diffstat.ts'
import { toTimestamp } from '../../core/time.ts'
import { hasErrorCode, readTailNoFollow, UnsafePath } from '../../lib/files.ts'
import { withGitLimit } from '../../lib/git.ts'
import { readChanges } from '../git/changes.ts'
import type { Changes } from '../git/changes.ts'
import { toList } from '../git/undelivered.ts'
import type { StepContext } from '../context.ts'
import { Conflict, StepFailed } from '../failure.ts'
import { toExecutionError } from './execution-error.ts'
import { GIT_LIMIT_MS } from '../limits.ts'
import { openGitAccess } from '../git/access.ts'
import { readOutcome } from '../agent/outcome-file.ts'
import type { CloneStart } from '../git/rebase.ts'
import { publish } from '../git/push.ts'
import { redactUrls } from '../../core/redact-urls.ts'
import { exitCodeOf, findOwnOutcome, readJson, writeResult } from '../result-file.ts'
import { isPrepared } from '../validators.ts'

const TAIL_BYTES = 256 * 1024

/**
 * Step 3: computes what changed, pushes it when the agent succeeded, and writes the execution's result. It trusts nothing
 * that the agent could write. If SIGTERM ends it before the push, it writes nothing, and the operator decides.
 *
 * A delivery has no agent, and this is its only step.
 *
 * @returns 0 for success and for a question, else 1.
 */
export async function deliver(context: StepContext): Promise<number> {
  const { delivery } = context.run
  if (delivery !== undefined) return (await import('./delivery.ts')).runDelivery(context, delivery)
  const earlier = await findOwnOutcome(context, 'result')
  if (earlier !== undefined) return exitCodeOf(earlier.outcome)
  const { uncommitted, ...outcome } = await readOutcome(context)
  const delivered = await deliverWork(context, outcome, uncommitted)
  const result: ExecutionResult = {
    ...outcome,
    ...(outcome.error && { error: { ...outcome.error, message: redactUrls(outcome.error.message) } }),
    ...(outcome.outcome === 'succeeded' && delivered.error && { outcome: 'failed', error: delivered.error }),
    ...(outcome.summary !== undefined && { summary: redactUrls(outcome.summary) }),
    step: 'deliver',
    finishedAt: toTimestamp(context.clock.now()),
    pushed: delivered.pushed,
    ...(delivered.rebase !== undefined && { rebase: delivered.rebase }),
    ...(delivered.baseCommit !== undefined && { baseCommit: delivered.baseCommit }),
    ...(delivered.pushed && { branch: context.run.branch }),
    ...(delivered.pushed && delivered.work && { head: delivered.work.head }),
    ...(await changesOf(context, delivered.work)),
    ...toList(delivered.undelivered ?? [], outcome),
  }
  await writeResult(context, result)
  return exitCodeOf(result.outcome)
}

interface Delivered {
  readonly pushed: boolean
  readonly baseCommit?: string
  readonly work?: Changes
  readonly rebase?: RebaseReport | undefined
  readonly error?: ExecutionError
  readonly undelivered?: readonly Undelivered[]
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
    return await withGitLimit(GIT_LIMIT_MS, context.signal, clock, async (signal) => {
      const start = await findStart(context)
      const base = run.baseCommit ?? start?.commit
      if (base === undefined) throw new StepFailed('git', UNKNOWN_BASE)
      known = { baseCommit: base }
      const clone = await readChanges(context, base, signal)
      known = { baseCommit: base, work: clone, undelivered: clone.undelivered }
      const error = uncommitted ?? clone.loss
      if (outcome !== 'succeeded') return { ...known, pushed: false }
      if (error !== undefined) return { ...known, pushed: false, error }
      const access = await openGitAccess(context)
      redact = access.redact
      const published = await publish(
        context,
        access,
        { clone, base, start: start ?? { commit: base, isFromBranch: false } },
        signal,
      )
      const { pushed, work } = published
      say(pushed ? `branch ${run.branch} is at ${work.head.slice(0, 12)}` : 'nothing to push: no new commit')
      return { ...known, ...published }
    })
  } catch (error) {
    if (context.signal.aborted) throw error
    const failure = toExecutionError(error, redactUrls(run.repositoryUrl), redact, ONLY_PUSH)
    say(failure.message)
    return { ...known, pushed: false, error: uncommitted ?? failure, rebase: reportOf(error) }
  }
}

function reportOf(error: unknown): RebaseReport | undefined {
  return error instanceof Conflict ? { result: 'Conflict', onto: error.onto, files: [...error.files] } : undefined
}

/** The clone is kept, and resume runs this step alone (specification §4.24). */
const ONLY_PUSH = 'resume the task, which only pushes the work that it has kept'

const UNKNOWN_BASE = 'the commit that this work started from is not known: run the task again'

/** What this clone started from; prepare recorded it where the agent cannot write. A kept clone has no record here. */
async function findStart({ paths }: StepContext): Promise<CloneStart | undefined> {
  const value = await readJson(paths.execution, 'prepared')
  return isPrepared(value) ? { commit: value.baseCommit, isFromBranch: value.isFromBranch === true } : undefined
}

/** Git's own figures take precedence over what the agent printed. */
async function changesOf(
  { paths }: StepContext,
  work: Changes | undefined,
): Promise<Pick<ExecutionResult, 'changes' | 'commits'>> {
  if (work !== undefined) return { changes: work.changes, commits: work.commits }
  try {
    const tail = await readTailNoFollow(paths.execution, EXECUTION_FILES.stdout, TAIL_BYTES)
    const changes = findChanges(tail.toString('utf8'))
    return changes === undefined ? {} : { changes }
  } catch (error) {
    if (error instanceof UnsafePath || hasErrorCode(error, 'ENOENT')) return {}
    throw error
  }
}
