/** What stage and deliver have in common: the agent's work is read, something is done with it, and a result says what came of it. */
import { EXECUTION_FILES } from '../../core/execution/layout.ts'
import type { AgentOutcome, ExecutionError, ExecutionResult, RebaseReport } from '../../core/execution/result.ts'
import { withoutAbsent } from '../../core/omit.ts'
import { redactUrls } from '../../core/redact-urls.ts'
import { bulkWords } from '../../core/sentences/review.ts'
import { toTimestamp } from '../../core/time.ts'
import { findChanges } from '../../core/transcript/diffstat.ts'
import { ifPlain, readTailNoFollow } from '../../lib/files.ts'
import { type GitLimit, withGitLimit } from '../../lib/git.ts'
import type { StepContext } from '../context.ts'
import { Conflict, Unpushable } from '../failure.ts'
import { type GitAccess, openGitAccess } from '../git/access.ts'
import type { Published } from '../git/push.ts'
import type { Work } from '../git/rebase.ts'
import type { Review } from '../git/review.ts'
import { toList } from '../git/undelivered.ts'
import { remoteLimitMs } from '../limits.ts'
import { findCause, findNextTry, toExecutionError } from './execution-error.ts'
import { readWork } from './read-work.ts'

const TAIL_BYTES = 256 * 1024

/** What became of the work. */
export interface Delivered extends Omit<Published, 'work'> {
  readonly work?: Review
  readonly error?: ExecutionError
  readonly resumeAfter?: string
}

/** What is done with the work of an agent that has succeeded. */
export type Perform = (access: GitAccess, work: Work, limit: GitLimit) => Promise<Published>

/** Reads what the agent left, and lets `perform` do something with it if the agent has succeeded. */
export async function withWork(
  context: StepContext,
  { uncommitted, outcome }: AgentOutcome,
  perform: Perform,
): Promise<Delivered> {
  const { run, clock, say } = context
  // An agent that had to answer has done no work in its clone.
  if (run.answerSchema !== undefined) return { pushed: false }
  let redact = redactUrls
  let known: Partial<Delivered> = {}
  try {
    return await withGitLimit(remoteLimitMs(run), context.signal, clock, async (signal, limit) => {
      const { undelivered, loss, ...work } = await readWork(context, signal)
      known = { work: work.clone, undelivered }
      const much = bulkWords(work.clone)
      if (much !== undefined) say(much)
      const error = uncommitted ?? loss
      if (outcome !== 'succeeded') return { ...known, pushed: false }
      if (error !== undefined) return { ...known, pushed: false, error }
      const access = await openGitAccess(context)
      redact = access.redact
      const published = await perform(access, work, limit)
      return { ...known, ...published, undelivered: [...undelivered, ...(published.undelivered ?? [])] }
    })
  } catch (error) {
    if (context.signal.aborted) throw error
    const failure = toExecutionError(await findCause(error, context), redactUrls(run.repositoryUrl), redact, ONLY_PUSH)
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
export const ONLY_PUSH = 'resume the task, which only pushes the work that it has kept'

/** The result of an execution: what the agent says of itself, and what became of its work. */
export async function toResult(
  context: StepContext,
  outcome: AgentOutcome,
  delivered: Delivered,
): Promise<ExecutionResult> {
  const { uncommitted: _, ...said } = outcome
  return {
    ...said,
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
}

/** The same for work that is kept and not pushed. */
export function toUnpushed(result: ExecutionResult): ExecutionResult {
  const { branch: _, head: __, push: ___, branchReview: ____, ...kept } = result
  return { ...kept, outcome: 'failed', pushed: false }
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
