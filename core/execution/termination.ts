import { asRecord, parseJson } from '../json.ts'
import { pick, withoutAbsent } from '../omit.ts'
import { clip, utf8Length } from '../text.ts'
import type { CheckVerdict } from './checks.ts'
import { COMMIT_PATTERN, DIGEST_PATTERN } from './patterns.ts'
import type { Prepared, WantedEnvironment } from './prepared.ts'
import type { ExecutionResult } from './result.ts'

/** The most that a message has. */
export const TERMINATION_MESSAGE_BYTES = 2048

/** What Kubernetes keeps of all messages of a pod; each of its containers has the same part, and what is longer is cut. */
const POD_MESSAGE_BYTES = 12 * 1024
/** A mesh adds one. */
const FURTHER_CONTAINERS = 1

/** How long a message may be in a pod of so many containers. */
export function messageBytes(containers: number): number {
  return Math.min(TERMINATION_MESSAGE_BYTES, Math.floor(POD_MESSAGE_BYTES / (containers + FURTHER_CONTAINERS)))
}

/** The first that fits, as JSON; the last one anyway. */
function firstThatFits(candidates: readonly object[], limit: number): string {
  const texts = candidates.map((candidate) => JSON.stringify(candidate))
  return texts.find((text) => utf8Length(text) <= limit) ?? texts.at(-1) ?? '{}'
}

/** What prepare tells of a clone that it made, or of the environment that it has none for (EXIT_NOT_PREPARED). */
export type PrepareReport = Partial<
  Pick<Prepared, 'mirrorSeconds' | 'environmentSeconds' | 'environment' | 'environmentProblem' | 'lockFiles'>
>

/** What prepare leaves in its termination message; empty where there is nothing to tell. */
export function toPrepareMessage(told: PrepareReport, limit = TERMINATION_MESSAGE_BYTES): string {
  const { environmentProblem, lockFiles, ...rest } = pick(told, REPORTED)
  const problem = environmentProblem === undefined ? {} : { environmentProblem: clip(environmentProblem, 300) }
  const report = withoutAbsent({ ...rest, ...problem, lockFiles })
  if (Object.keys(report).length === 0) return ''
  return firstThatFits([report, { ...rest, ...problem }, rest], limit)
}

const REPORTED = ['mirrorSeconds', 'environmentSeconds', 'environment', 'environmentProblem', 'lockFiles'] as const

/** Reads {@link toPrepareMessage}; empty for any other text. */
export function readPrepareMessage(text: string | undefined): PrepareReport {
  if (text === undefined || !text.startsWith('{') || text.length > TERMINATION_MESSAGE_BYTES) return {}
  const { mirrorSeconds, environmentSeconds, environment, environmentProblem, lockFiles } = asRecord(parseJson(text))
  return withoutAbsent({
    mirrorSeconds: toSeconds(mirrorSeconds),
    environmentSeconds: toSeconds(environmentSeconds),
    environment: toWanted(asRecord(environment)),
    environmentProblem: typeof environmentProblem === 'string' ? environmentProblem : undefined,
    lockFiles: Array.isArray(lockFiles) ? lockFiles.filter((name) => typeof name === 'string') : undefined,
  })
}

function toSeconds(value: unknown): number | undefined {
  return typeof value === 'number' && value >= 0 ? value : undefined
}

const DIGEST = new RegExp(DIGEST_PATTERN)
const COMMIT = new RegExp(COMMIT_PATTERN)

function toWanted({ digest, commit, isShared }: Readonly<Record<string, unknown>>): WantedEnvironment | undefined {
  if (typeof digest !== 'string' || typeof commit !== 'string' || typeof isShared !== 'boolean') return undefined
  return DIGEST.test(digest) && COMMIT.test(commit) ? { digest, commit, isShared } : undefined
}

/** What a check leaves in its termination message. */
export function toCheckMessage(verdict: CheckVerdict, limit = TERMINATION_MESSAGE_BYTES): string {
  const { reason = '', ...rest } = pick(verdict, [
    'name',
    'state',
    'required',
    'startedAt',
    'seconds',
    'exitCode',
    'reason',
  ])
  const told = reason === '' ? [] : [150, 50].map((length) => ({ ...rest, reason: clip(reason, length) }))
  return firstThatFits([...told, rest], limit)
}

/**
 * The short form of a result for the container's termination message: what the operator needs when the volume
 * cannot be read. JSON of at most so many bytes in UTF-8; the commits give way first, then texts and figures.
 */
export function toTerminationMessage(result: ExecutionResult, limit = TERMINATION_MESSAGE_BYTES): string {
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
    { ...identity, ...pick(result, ['head', 'push', 'foreignCommitCount', 'costUSD', 'sessionId']), ...error(100) },
    { ...identity, ...pick(result, ['head', 'costUSD', 'sessionId']), ...error(100) },
    { ...identity, ...error(100) },
    { outcome, pushed, ...pick(result, ['head', 'costUSD', 'sessionId']), ...error(100) },
    ...[100, 20, 1].map((length) => ({ outcome, pushed, ...error(length) })),
  ]
  return firstThatFits(candidates, limit)
}
