import type { AgentOutcome } from '../../core/execution/result.ts'
import { toTimestamp } from '../../core/time.ts'
import type { StepContext } from '../context.ts'
import { readJson } from '../result-file.ts'
import { isAgentOutcome } from '../validators.ts'

/** The outcome of an earlier Job of this execution; undefined when none wrote one. The agent may have forged it. */
export async function findEarlierOutcome({ run, paths }: StepContext): Promise<AgentOutcome | undefined> {
  if (run.jobNumber === 1) return undefined
  const found = await readJson(paths.execution, 'outcome')
  const isEarlier = isAgentOutcome(found) && found.execution === run.execution && found.jobNumber < run.jobNumber
  return isEarlier ? found : undefined
}

/**
 * Reads what the agent step says about itself. The agent may have written the file, so it counts only when it fits the
 * schema and names this execution and Job. A run that only delivers also accepts an earlier Job of the execution.
 */
export async function readOutcome(context: StepContext): Promise<AgentOutcome> {
  const { run, clock } = context
  const at = toTimestamp(clock.now())
  const identity = { schemaVersion: 1, execution: run.execution, jobNumber: run.jobNumber } as const
  const value = await readJson(context.paths.execution, 'outcome')
  if (value === undefined && run.deliverOnly)
    return { ...identity, outcome: 'succeeded', startedAt: at, finishedAt: at }
  const isOfJob = (outcome: AgentOutcome): boolean => run.deliverOnly || outcome.jobNumber === run.jobNumber
  // What checks find is for deliver to say: it has the agent asked again, and lets a person waive it.
  const isAgents = isAgentOutcome(value) && value.error?.category !== 'checks'
  if (isAgents && value.execution === run.execution && isOfJob(value)) return { ...value, ...identity }
  const message = 'the agent step left no valid outcome: it was ended, or its outcome file was overwritten'
  return { ...identity, outcome: 'failed', error: { category: 'failed', message }, startedAt: at, finishedAt: at }
}
