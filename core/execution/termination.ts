import { asRecord, parseJson } from '../json.ts'
import { pick } from '../omit.ts'
import { clip, utf8Length } from '../text.ts'
import type { Prepared } from './prepared.ts'
import type { ExecutionResult } from './result.ts'

/** Kubernetes keeps 4 KiB per container and 12 KiB per pod; three steps with this much fit. */
export const TERMINATION_MESSAGE_BYTES = 2048

/** How long the parts of a successful prepare took, in seconds. */
export type PrepareTimes = Partial<Pick<Prepared, 'mirrorSeconds'>>

/** What a prepare that succeeded leaves in its termination message. */
export function toPrepareMessage({ mirrorSeconds }: Prepared): string {
  return mirrorSeconds === undefined ? '' : JSON.stringify({ mirrorSeconds })
}

/** Reads {@link toPrepareMessage}; empty for any other text. */
export function readPrepareMessage(text: string | undefined): PrepareTimes {
  if (text === undefined || !text.startsWith('{') || text.length > TERMINATION_MESSAGE_BYTES) return {}
  const { mirrorSeconds } = asRecord(parseJson(text))
  return typeof mirrorSeconds === 'number' && mirrorSeconds >= 0 ? { mirrorSeconds } : {}
}

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
