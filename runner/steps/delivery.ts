import { RESULT_LIMITS } from '../../core/execution/result-limits.ts'
import type { ExecutionResult } from '../../core/execution/result.ts'
import { toTimestamp } from '../../core/time.ts'
import { GitFailed, withGitLimit } from '../../lib/git.ts'
import { hasKnownCause } from '../../lib/git-failure-message.ts'
import type { StepContext } from '../context.ts'
import { createBranch } from '../deliveries/create-branch.ts'
import type { Delivered, DeliveryJob, DeliverySpec } from '../deliveries/delivery.ts'
import { mergeBranch } from '../deliveries/merge.ts'
import { requestPull } from '../deliveries/request-pull.ts'
import { Conflict } from '../failure.ts'
import { findNextTry, toExecutionError } from './execution-error.ts'
import { type Review, Moved } from '../git/review.ts'
import { openGitAccess } from '../git/access.ts'
import { findLatest } from '../git/mirror.ts'
import { remoteLimitMs } from '../limits.ts'
import { redactUrls } from '../../core/redact-urls.ts'
import { exitCodeOf, findOwnOutcome, writeResult } from '../result-file.ts'

const PERFORM = {
  CreateBranch: createBranch,
  Merge: mergeBranch,
  PullRequest: requestPull,
} as const satisfies Record<DeliverySpec['kind'], (job: DeliveryJob) => Promise<Delivered>>

type End = Pick<
  ExecutionResult,
  'outcome' | 'pushed' | 'delivered' | 'error' | 'resumeAfter' | 'conflicts' | keyof Review
>

/**
 * The only step of a delivery: does what was asked for on the remote, and writes the execution's result. It sees nothing
 * of an agent but what was pushed. Every kind can be repeated: what is done already counts as done.
 *
 * @returns the process's exit code
 */
export async function runDelivery(context: StepContext, spec: DeliverySpec): Promise<number> {
  const earlier = await findOwnOutcome(context, 'result')
  if (earlier !== undefined) return exitCodeOf(earlier.outcome)
  const { run, clock } = context
  const startedAt = toTimestamp(clock.now())
  const end = await perform(context, spec)
  const times = { startedAt, finishedAt: toTimestamp(clock.now()) }
  const { execution, jobNumber } = run
  await writeResult(context, { schemaVersion: 1, execution, jobNumber, step: 'deliver', ...times, ...end })
  return exitCodeOf(end.outcome)
}

async function perform(context: StepContext, spec: DeliverySpec): Promise<End> {
  let redact = redactUrls
  try {
    return await withGitLimit(remoteLimitMs(context.run), context.signal, context.clock, async (signal) => {
      const access = await openGitAccess(context)
      redact = access.redact
      const borrowed = spec.kind === 'PullRequest' ? undefined : await findLatest(context)
      const delivered = await deliverBeside(borrowed, { context, access, spec, signal })
      context.say(`${spec.branch}: ${delivered.url ?? delivered.commit ?? 'done'}`)
      return { outcome: 'succeeded', pushed: true, delivered }
    })
  } catch (error) {
    // Whoever ended the step from outside decides what becomes of the execution.
    if (context.signal.aborted) throw error
    const failure = toExecutionError(error, redactUrls(context.run.repositoryUrl), redact)
    context.say(failure.message)
    const next = findNextTry(error, context.clock.now(), true)
    return { outcome: 'failed', pushed: false, error: failure, ...next, ...findings(error) }
  }
}

/**
 * Borrows from the mirror. That may be damaged, or go meanwhile, and git says of a commit that it cannot read there what it says
 * of one that nobody has: so nothing is refused for what was seen beside a mirror, before it was looked at without one.
 */
async function deliverBeside(borrowed: string | undefined, job: DeliveryJob): Promise<Delivered> {
  const perform = PERFORM[job.spec.kind]
  try {
    return await perform({ ...job, borrowed })
  } catch (error) {
    if (borrowed === undefined || job.signal.aborted || isOfRemote(error)) throw error
    job.context.say('beside the mirror this could not be delivered: once more without it')
    return perform(job)
  }
}

function isOfRemote(error: unknown): boolean {
  return error instanceof GitFailed && (hasKnownCause(error) || error.command === 'ls-remote')
}

/** What a person has to look at before the delivery can go on. */
function findings(error: unknown): Pick<End, 'conflicts' | keyof Review> {
  if (error instanceof Conflict) return { conflicts: error.files.slice(0, RESULT_LIMITS.conflicts) }
  return error instanceof Moved ? { ...error.found } : {}
}
