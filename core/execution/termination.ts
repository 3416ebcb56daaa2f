import { pick } from '../omit.ts'
import { clip, utf8Length } from '../text.ts'
import type { ExecutionResult } from './result.ts'

/** Kubernetes keeps 4 KiB per container and 12 KiB per pod; three steps with this much fit. */
export const TERMINATION_MESSAGE_BYTES = 2048

/**
 * The short form of a result for the container's termination message: what the operator needs when the volume
 * cannot be read. JSON of at most 2 KiB in UTF-8; texts give way first, then the commits.
 */
export function toTerminationMessage(result: ExecutionResult): string {
  const { schemaVersion, execution, jobNumber, outcome, step, startedAt, finishedAt, pushed } = result
  const identity = { schemaVersion, execution, jobNumber, outcome, step, startedAt, finishedAt, pushed }
  const figures = pick(result, [
    'exitCode',
    'baseCommit',
    'branch',
    'head',
    'push',
    'foreignCommitCount',
    'changes',
    'costUSD',
    'sessionId',
    'answer',
    'delivered',
    'resumeAfter',
    'undeliveredCount',
  ])
  const error = (length: number) =>
    result.error && { error: { ...result.error, message: clip(result.error.message, length) } }
  const candidates = [
    { ...identity, ...figures, ...error(1000), ...pick(result, ['commits']) },
    { ...identity, ...figures, ...error(1000) },
    { ...identity, ...figures, ...error(150) },
    { ...identity, ...error(100) },
  ].map((candidate) => JSON.stringify(candidate))
  return candidates.find((text) => utf8Length(text) <= TERMINATION_MESSAGE_BYTES) ?? '{}'
}
