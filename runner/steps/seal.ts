import { join } from 'node:path'
import { pick } from '../../core/omit.ts'
import type { ExecutionError, ExecutionResult } from '../../core/execution/result.ts'
import type { RunSpec } from '../../core/execution/run-spec.ts'
import { redactUrls } from '../../core/redact-urls.ts'
import { toTimestamp } from '../../core/time.ts'
import { readOutcome } from '../agent/outcome-file.ts'
import type { StepContext } from '../context.ts'
import { sealCaches } from '../environment/seal.ts'
import { findSetupSecrets } from '../environment/setup-secrets.ts'
import { makeRedactor } from '../redact.ts'
import { exitCodeOf, findOwnOutcome, findPrepared, writeResult } from '../result-file.ts'
import { toExecutionError } from './execution-error.ts'

/**
 * Step 3 of a Prepare: seals what a setup that succeeded has left, and writes the execution's result. Nothing is pushed.
 *
 * @returns 0 for success, else 1.
 */
export async function runSeal(step: StepContext, { folder }: NonNullable<RunSpec['seal']>): Promise<number> {
  const earlier = await findOwnOutcome(step, 'result')
  if (earlier !== undefined) return exitCodeOf(earlier.outcome)
  const redact = makeRedactor(findSetupSecrets(step).map(({ value }) => value))
  const context = { ...step, say: (line: string): void => step.say(redact(line)) }
  const found = await readOutcome(context)
  const end = found.outcome === 'succeeded' ? await seal(context, folder, redact) : {}
  const result: ExecutionResult = {
    ...pick(found, ['exitCode']),
    schemaVersion: 1,
    execution: found.execution,
    jobNumber: found.jobNumber,
    startedAt: found.startedAt,
    // A setup that forges its outcome can claim nothing but its own failure.
    outcome: ENDS.find((one) => one === found.outcome) ?? 'failed',
    ...(found.error && { error: { ...found.error, message: redact(redactUrls(found.error.message)) } }),
    ...end,
    step: 'deliver',
    finishedAt: toTimestamp(context.clock.now()),
    pushed: false,
  }
  await writeResult(context, result)
  return exitCodeOf(result.outcome)
}

const ENDS = ['succeeded', 'failed', 'timed_out', 'cancelled'] as const

type End = Pick<ExecutionResult, 'sealed'> | { readonly outcome: 'failed'; readonly error: ExecutionError }

async function seal(context: StepContext, folder: string, redact: (text: string) => string): Promise<End> {
  try {
    const prepared = await findPrepared(context)
    return { sealed: await sealCaches(context, join(context.run.volumeRoot, folder), prepared) }
  } catch (error) {
    if (context.signal.aborted) throw error
    const failure = toExecutionError(error, 'the caches', redact)
    context.say(failure.message)
    return { outcome: 'failed', error: failure }
  }
}
