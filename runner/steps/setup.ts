import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { redactUrls } from '../../core/redact-urls.ts'
import { EXECUTION_FILES } from '../../core/execution/layout.ts'
import type { AgentOutcome } from '../../core/execution/result.ts'
import { toTimestamp } from '../../core/time.ts'
import { writeFileAtomic } from '../../lib/files.ts'
import { readGiven } from '../agent/given.ts'
import type { StepContext } from '../context.ts'
import { type SetupEnd, performSetup } from '../environment/setup.ts'
import { findSetupSecrets } from '../environment/setup-secrets.ts'
import { makeRedactor, toRedactedJson } from '../redact.ts'
import { findOwnOutcome } from '../result-file.ts'
import { toExecutionError } from './execution-error.ts'

/**
 * Step 2 of a Prepare: runs the setup, and writes how it ended. Nothing is committed, and nothing of it is an answer or a question.
 *
 * @returns 0 whenever the outcome file is written, so that deliver runs.
 */
export async function runSetup(step: StepContext): Promise<number> {
  const { run, paths, clock } = step
  if ((await findOwnOutcome(step, 'outcome')) !== undefined) return 0
  const given = await readGiven(step)
  const secrets = findSetupSecrets(step).map(({ value }) => value)
  const redact = makeRedactor(secrets)
  const context = { ...step, given, secrets, say: (line: string): void => step.say(redact(line)) }
  // A question of an earlier Job would be taken for one of this execution.
  await rm(join(paths.execution, EXECUTION_FILES.question), { recursive: true, force: true })
  const startedAt = toTimestamp(clock.now())
  const end = await perform(context)
  const outcome: AgentOutcome = {
    schemaVersion: 1,
    execution: run.execution,
    jobNumber: run.jobNumber,
    startedAt,
    finishedAt: toTimestamp(clock.now()),
    ...end,
  }
  await writeFileAtomic(join(paths.execution, EXECUTION_FILES.outcome), `${toRedactedJson(outcome, redact)}\n`)
  return 0
}

async function perform(context: Parameters<typeof performSetup>[0]): Promise<SetupEnd> {
  const { signal, say } = context
  const cancelled = { outcome: 'cancelled', error: { category: 'cancelled', message: 'the setup was ended' } } as const
  if (signal.aborted) return cancelled
  try {
    return await performSetup(context)
  } catch (error) {
    if (signal.aborted) return cancelled
    const failure = toExecutionError(error, 'the clone', redactUrls)
    say(failure.message)
    return { outcome: 'failed', error: failure }
  }
}
