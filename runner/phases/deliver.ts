import { EXECUTION_FILES } from '../../core/execution/layout.ts'
import type { AgentOutcome, ExecutionError, ExecutionResult } from '../../core/execution/result.ts'
import { findChanges } from '../../core/transcript/diffstat.ts'
import { toTimestamp } from '../../core/time.ts'
import { hasErrorCode, readTailNoFollow, UnsafePath } from '../../lib/files.ts'
import { withGitLimit } from '../../lib/git.ts'
import { readChanges } from '../changes.ts'
import type { CloneChanges } from '../changes.ts'
import type { StepContext } from '../context.ts'
import { StepFailed, toExecutionError } from '../failure.ts'
import { GIT_LIMIT_MS } from '../limits.ts'
import { openGitAccess } from '../git-access.ts'
import { readOutcome } from '../outcome-file.ts'
import { push } from '../push.ts'
import { redactUrls } from '../../core/redact-urls.ts'
import { exitCodeOf, findOwnOutcome, readJson, writeResult } from '../result-file.ts'

const TAIL_BYTES = 256 * 1024

/**
 * Step 3: says what changed, pushes it when the agent succeeded, and writes the execution's result. It trusts nothing
 * that the agent could write. Ended by SIGTERM before the push it writes nothing: the operator then decides.
 *
 * @returns 0 for success and for a question, else 1.
 */
export async function deliver(context: StepContext): Promise<number> {
  const earlier = await findOwnOutcome(context, EXECUTION_FILES.result)
  if (earlier !== undefined) return exitCodeOf(earlier.outcome)
  const outcome = await readOutcome(context)
  const delivered = await deliverWork(context, outcome)
  const result: ExecutionResult = {
    ...outcome,
    ...(outcome.error && { error: { ...outcome.error, message: redactUrls(outcome.error.message) } }),
    ...(outcome.outcome === 'succeeded' && delivered.error && { outcome: 'failed', error: delivered.error }),
    ...(outcome.summary !== undefined && { summary: redactUrls(outcome.summary) }),
    step: 'deliver',
    finishedAt: toTimestamp(context.clock.now()),
    pushed: delivered.pushed,
    ...(delivered.baseCommit !== undefined && { baseCommit: delivered.baseCommit }),
    ...(delivered.pushed && { branch: context.run.branch }),
    ...(await tellChanges(context, delivered.work)),
  }
  await writeResult(context, result)
  return exitCodeOf(result.outcome)
}

interface Delivered {
  readonly pushed: boolean
  readonly baseCommit?: string
  readonly work?: CloneChanges
  readonly error?: ExecutionError
}

async function deliverWork(context: StepContext, { outcome }: AgentOutcome): Promise<Delivered> {
  const { run, clock, say } = context
  let redact = redactUrls
  let told: Partial<Delivered> = {}
  try {
    return await withGitLimit(GIT_LIMIT_MS, context.signal, clock, async (signal) => {
      const baseCommit = await findBase(context)
      told = { baseCommit }
      const work = await readChanges(context, baseCommit, signal)
      told = { baseCommit, work }
      if (outcome !== 'succeeded') return { ...told, pushed: false }
      const access = await openGitAccess(context)
      redact = access.redact
      const pushed = await push(access, work, run.branch, signal)
      say(pushed ? `branch ${run.branch} is at ${work.head.slice(0, 12)}` : 'nothing to push: no new commit')
      return { ...told, pushed }
    })
  } catch (error) {
    if (context.signal.aborted) throw error
    const failure = toExecutionError(error, redactUrls(run.repositoryUrl), redact)
    say(failure.message)
    return { ...told, pushed: false, error: failure }
  }
}

/** The operator's word goes first; else what prepare recorded outside the agent's reach. */
async function findBase({ run, paths }: StepContext): Promise<string> {
  if (run.baseCommit !== undefined) return run.baseCommit
  const value = await readJson(paths.execution, EXECUTION_FILES.prepared)
  const base = typeof value === 'object' && value !== null && 'baseCommit' in value ? value.baseCommit : undefined
  if (typeof base === 'string' && /^[0-9a-f]{40,64}$/.test(base)) return base
  throw new StepFailed('git', 'the commit that this work started from is not known: run the task again')
}

/** Git's own figures go before what the agent printed. */
async function tellChanges(
  { paths }: StepContext,
  work: CloneChanges | undefined,
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
