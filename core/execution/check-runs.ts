/** What an execution's record says of its checks, as their containers begin and end, and as deliver tells in the end. */
import type { CheckRun, ExecutionStatus } from '../crd/types.ts'
import { withoutAbsent } from '../omit.ts'
import { clip } from '../text.ts'
import { parseTimestamp } from '../time.ts'
import { plainOutput } from './check-output.ts'
import type { CheckFacts, PodFacts, StepFacts } from './facts.ts'
import { RESULT_LIMITS } from './result-limits.ts'
import type { ExecutionResult } from './result.ts'

/** Reasons of a pod, and of its condition DisruptionTarget (Kubernetes, Pod disruption conditions). */
const EVICTIONS: readonly string[] = [
  'Evicted',
  'NodeLost',
  'NodeShutdown',
  'Terminated',
  'Preempting',
  'PreemptionByScheduler',
  'DeletionByTaintManager',
  'EvictionByEvictionAPI',
  'DeletionByPodGC',
  'TerminationByKubelet',
]

export function isEvicted({ reason }: PodFacts): boolean {
  return reason !== undefined && EVICTIONS.includes(reason)
}

/** Whether a check's container was killed, or its runner crashed, while nothing took its pod away: what ran in it is at fault. */
export function isKilledCheck({ check, exitCode = 0, reason }: StepFacts, pod: PodFacts): boolean {
  const isTaken =
    isEvicted(pod) || pod.isDeleted === true || reason === 'ContainerStatusUnknown' || reason === 'Unknown'
  return check !== undefined && exitCode !== 0 && !isTaken
}

/** The checks of a pod that have begun, or could not. */
export function toCheckRuns(pod: PodFacts): CheckRun[] {
  return pod.steps.flatMap((step) => {
    const { check, startedAt } = step
    const isWaiting = startedAt === undefined && step.phase !== 'ended'
    return check === undefined || isWaiting ? [] : [toCheckRun(step, check, pod)]
  })
}

function toCheckRun(step: StepFacts, { name, required, round, verdict }: CheckFacts, pod: PodFacts): CheckRun {
  const { startedAt, finishedAt } = step
  const run = { name, round, ...(required ? {} : { required }), ...withoutAbsent({ startedAt }) }
  if (isKilledCheck(step, pod)) {
    const seconds = startedAt && finishedAt && secondsBetween(startedAt, finishedAt)
    return { ...run, state: 'Failed', reason: clip(whyKilled(step), 1024), ...(seconds ? { seconds } : {}) }
  }
  // Deliver says in the end what a container that has ended well did not.
  if (step.phase !== 'ended' || verdict === undefined || verdict.state === 'Running')
    return { ...run, state: 'Running' }
  return { ...run, ...toVerdict(verdict) }
}

function toVerdict({ state, exitCode, seconds, reason }: NonNullable<CheckFacts['verdict']>) {
  const told =
    reason === undefined || reason === '' ? undefined : clip(plainOutput(reason), RESULT_LIMITS.checkReasonLength)
  return { state, ...withoutAbsent({ seconds, exitCode: toInt32(exitCode), reason: told }) }
}

function toInt32(value: number | undefined): number | undefined {
  return value === undefined || Math.abs(value) > 2_147_483_647 ? undefined : value
}

function secondsBetween(begin: string, end: string): number {
  return Math.max(0, (parseTimestamp(end).getTime() - parseTimestamp(begin).getTime()) / 1000)
}

function whyKilled({ reason, exitCode = 0 }: StepFacts): string {
  if (reason === 'OOMKilled') return 'ran out of memory: executionPods.resources.check is its limit'
  return exitCode === 137 || exitCode === 143 ? 'was killed' : `its container ended with exit code ${exitCode}`
}

/** The runs of the record with those that are known now in the place of what was known of them. */
export function mergeCheckRuns(before: readonly CheckRun[], now: readonly CheckRun[]): CheckRun[] {
  const isKnown = ({ name, round }: CheckRun): boolean => now.some((run) => run.name === name && run.round === round)
  return [...before.filter((run) => !isKnown(run)), ...now].sort((a, b) => a.round - b.round)
}

/** The runs of a Job that has ended: deliver's word counts, then what each container told. None of them runs any more. */
export function endedCheckRuns(
  { checks: before = [], rounds: round = 1 }: ExecutionStatus,
  pod: PodFacts | undefined,
  result: Pick<ExecutionResult, 'checks'> | undefined,
): CheckRun[] {
  const seen = mergeCheckRuns(before, pod === undefined ? [] : toCheckRuns(pod))
  const told = (result?.checks ?? []).map(({ name, required, commit, startedAt, ...verdict }): CheckRun => {
    const begun = startedAt ?? seen.find((run) => run.name === name && run.round === round)?.startedAt
    return {
      name,
      round,
      ...(required ? {} : { required }),
      ...withoutAbsent({ commit, startedAt: begun }),
      ...toVerdict(verdict),
    }
  })
  return mergeCheckRuns(seen, told).filter(({ state }) => state !== 'Running')
}

/** Those of the last round. */
export function lastRound(runs: readonly CheckRun[]): CheckRun[] {
  const last = Math.max(...runs.map(({ round }) => round))
  return runs.filter(({ round }) => round === last)
}
