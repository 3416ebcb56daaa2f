/** How the work of an execution is checked, mended and checked again (docs/adr/0015-checks.md). */
import type { CheckRun, ExecutionStatus, Project, ProjectCheck } from '../../core/crd/types.ts'
import { endedCheckRuns, mergeCheckRuns, toCheckRuns } from '../../core/execution/check-runs.ts'
import { CHECKOUTS_FOLDER, executionPath, STAGED_REPOSITORY } from '../../core/execution/layout.ts'
import type { Round } from '../../core/execution/outcome.ts'
import { isRed } from '../../core/execution/red.ts'
import type { RunSpec } from '../../core/execution/run-spec.ts'
import { isWork } from '../../core/execution/state.ts'
import { parseDuration } from '../../core/time.ts'
import type { Action } from '../action.ts'
import type { ObservedExecution } from './observe.ts'

const DEFAULT_TIMEOUT = '30m'
const DEFAULT_ROUNDS = 2

/**
 * The checks of the next Job. One that was killed and holds nothing back would be killed again, and with it whatever comes after
 * it: the others run without it.
 */
export function checksOf(
  { project, execution }: Pick<ObservedExecution, 'project' | 'execution'>,
  status: ExecutionStatus,
): readonly ProjectCheck[] {
  if (!isWork(execution) || execution.spec.checksWaived !== undefined) return []
  const { checks = [], rounds: round = 1 } = status
  const wasKilled = (name: string): boolean =>
    checks.some((run) => run.name === name && run.round === round && isKilledOptional(run))
  return (project?.spec.checks ?? []).filter(({ name, required = true }) => required || !wasKilled(name))
}

/**
 * The record of the checks with a further Job of the same round, which runs those that the project has by then: of the Job
 * before it only what keeps a check from being run again stays.
 */
export function checksOfEarlierRounds(
  { project }: Pick<ObservedExecution, 'project'>,
  { checks = [], rounds: round = 1 }: ExecutionStatus,
): Pick<ExecutionStatus, 'checks'> {
  const isWanted = ({ name }: CheckRun): boolean => project?.spec.checks?.some((check) => check.name === name) === true
  const kept = checks.filter((run) => run.round < round || (isKilledOptional(run) && isWanted(run)))
  return kept.length === checks.length ? {} : { checks: kept }
}

function isKilledOptional({ required = true, state, exitCode }: CheckRun): boolean {
  return !required && state === 'Failed' && exitCode === undefined
}

/** What the runner is told of them; undefined where there are none. */
export function planChecks(
  seen: Pick<ObservedExecution, 'project' | 'execution'>,
  status: ExecutionStatus,
): RunSpec['checks'] {
  const list = checksOf(seen, status).map(({ name, run, timeout, required = true }) => ({
    name,
    run,
    timeoutSeconds: Math.max(0.001, parseDuration(timeout ?? DEFAULT_TIMEOUT) / 1000),
    required,
  }))
  return list.length === 0 ? undefined : { round: status.rounds ?? 1, list }
}

/** The number of the first Job of the round that an execution is in. */
export function roundSince({ roundSince: since = 1 }: ExecutionStatus): number {
  return since
}

/** What the end of a Job depends on of its round. */
export function observeRound({ execution, project, task, agent, before, outcome }: ObservedExecution): Round {
  const { rounds: round = 1, restaged = 0, checks = [] } = execution.status ?? {}
  const { budgetUSD } = task.spec
  const spent = (task.status?.costUSD ?? 0) + (outcome?.costUSD ?? 0)
  const hasBudget = budgetUSD === undefined || spent < budgetUSD
  return {
    since: roundSince(execution.status ?? {}),
    uncounted: round - 1 + restaged + checks.filter(isKilledOptional).length,
    restaged,
    mayMend:
      hasFurtherRound({ rounds: round }, project) &&
      hasBudget &&
      agent !== undefined &&
      before?.hasClone === true &&
      // A person's own work is theirs to mend.
      execution.spec.handedBack?.withoutAgent !== true,
  }
}

/** Whether another round may follow the one that an execution is in. */
export function hasFurtherRound({ rounds: round = 1 }: ExecutionStatus, project: Project | undefined): boolean {
  return round <= (project?.spec.maxCheckRounds ?? DEFAULT_ROUNDS)
}

/** The record of the checks while a pod runs; nothing where none has begun. */
export function checksOfPod({ execution, podFacts }: ObservedExecution): Pick<ExecutionStatus, 'checks'> {
  const seen = podFacts === undefined ? [] : toCheckRuns(podFacts)
  return seen.length === 0 ? {} : { checks: mergeCheckRuns(execution.status?.checks ?? [], seen) }
}

/** The record of the checks once a Job has ended; nothing where none ran. */
export function recordChecks({ execution, podFacts, result }: ObservedExecution): Pick<ExecutionStatus, 'checks'> {
  const checks = endedCheckRuns(execution.status ?? {}, podFacts, result)
  return checks.length === 0 && execution.status?.checks === undefined ? {} : { checks }
}

/** What a Job of a round asks the agent to mend. */
export function redBefore({ checks = [], rounds: round = 1 }: ExecutionStatus): readonly CheckRun[] {
  return checks.filter((run) => run.round === round - 1 && isRed(run))
}

/** Checkouts are as large as the repository with all that its checks have made; what they printed stays. */
export function clearCheckouts({ execution, podFacts }: Pick<ObservedExecution, 'execution' | 'podFacts'>): Action[] {
  const { name } = execution.metadata
  const hadChecks = [...(execution.status?.phases ?? []), ...(podFacts?.steps ?? [])].some(isStage)
  const folders = [CHECKOUTS_FOLDER, STAGED_REPOSITORY].map((folder) => `${executionPath(name)}/${folder}`)
  return hadChecks || execution.status?.checks !== undefined ? [{ kind: 'removeFolders', paths: folders }] : []
}

function isStage({ name }: { readonly name: string }): boolean {
  return name === 'stage'
}
