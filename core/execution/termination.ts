import { asRecord, parseJson } from '../json.ts'
import { pick, withoutAbsent } from '../omit.ts'
import { clip, utf8Length } from '../text.ts'
import type { CheckVerdict } from './checks.ts'
import { COMMIT_PATTERN, DIGEST_PATTERN } from './patterns.ts'
import type { Prepared, WantedEnvironment } from './prepared.ts'
import type { ExecutionResult } from './result.ts'

/** Kubernetes keeps 4 KiB per container and 12 KiB per pod; three steps with this much fit. */
export const TERMINATION_MESSAGE_BYTES = 2048

/** What prepare tells of a clone that it made, or of the environment that it has none for (EXIT_NOT_PREPARED). */
export type PrepareReport = Partial<
  Pick<Prepared, 'mirrorSeconds' | 'environmentSeconds' | 'environment' | 'environmentProblem' | 'lockFiles'>
>

/** What prepare leaves in its termination message; empty where there is nothing to tell. */
export function toPrepareMessage(told: PrepareReport): string {
  const { environmentProblem, ...rest } = pick(told, REPORTED)
  const problem = environmentProblem === undefined ? {} : { environmentProblem: clip(environmentProblem, 300) }
  const report = withoutAbsent({ ...rest, ...problem })
  return Object.keys(report).length === 0 ? '' : JSON.stringify(report)
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

/** What a check leaves in its termination message; Kubernetes shares 12 KiB among all containers of a pod. */
export function toCheckMessage(verdict: CheckVerdict): string {
  const { reason, ...rest } = pick(verdict, ['name', 'state', 'required', 'startedAt', 'seconds', 'exitCode', 'reason'])
  return JSON.stringify({ ...rest, ...(reason === undefined ? {} : { reason: clip(reason, 150) }) })
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
