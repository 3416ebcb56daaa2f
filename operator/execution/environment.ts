/** With which prepared environment the Jobs of an execution begin, and how it waits for one (docs/adr/0013-environments.md). */
import type {
  Execution,
  ExecutionEnvironment,
  ExecutionStatus,
  PreparedEnvironment,
  Project,
} from '../../core/crd/types.ts'
import {
  type WaitEnd,
  chooseEnvironment,
  decideWait,
  describeBuild,
  failedDigests,
  findPrepared,
  toRecipe,
} from '../../core/environment/choose.ts'
import type { StepFacts } from '../../core/execution/outcome.ts'
import { environmentPath } from '../../core/execution/layout.ts'
import type { WantedEnvironment } from '../../core/execution/prepared.ts'
import type { RunSpec } from '../../core/execution/run-spec.ts'
import { isWork } from '../../core/execution/state.ts'
import { EXIT_NOT_PREPARED } from '../../core/execution/steps.ts'
import { omit, withoutAbsent } from '../../core/omit.ts'
import { WAITING } from '../../core/sentences/waiting.ts'
import { type Text, clip } from '../../core/text.ts'
import { type Action, recordEvent } from '../action.ts'
import type { ObservedExecution } from './observe.ts'

/** What one Job is told and mounts, and what the record says of it. */
export interface EnvironmentPlan {
  readonly told?: RunSpec['environment']
  readonly mounted?: PreparedEnvironment
  readonly status?: ExecutionEnvironment
}

/** @param keepClone whether it goes on in the clone of an earlier Job or execution, which has its environment already */
export function planEnvironment(seen: ObservedExecution, keepClone: boolean): EnvironmentPlan {
  const { environments, execution, before } = seen
  const { environment: known } = execution.status ?? {}
  if (environments === undefined) return {}
  const { all, wish, project } = environments
  const lost = before?.lostEnvironments
  const there = all.filter((entry) => lost?.has(entry.execution) !== true)
  const recipe = project.spec.environment && toRecipe(project.spec.environment)
  const { defaultBranch } = project.spec
  const told = {
    image: wish.image,
    project: project.metadata.name,
    ...withoutAbsent({ recipe, defaultBranch }),
  }
  if (execution.spec.purpose === 'Prepare') return { told }
  if (keepClone) return planKept(seen, there, { told, project })
  const fit = known?.digest === undefined ? undefined : findPrepared(there, wish, known.digest)
  const vain = fit === undefined && known?.digest !== undefined ? [known.digest] : []
  const mounted = fit ?? (vain.length > 0 ? undefined : chooseEnvironment(there, wish))
  const failed = [...new Set([...failedDigests(all, wish, seen.now), ...vain])].filter((one) => one !== fit?.digest)
  return {
    told: {
      ...told,
      ...withoutAbsent({ mounted: mounted && toMounted(project, mounted) }),
      // Whoever does without must not find the folders of another one in their places: the next Job has none.
      ...(hasReadOnly(mounted)
        ? {}
        : withoutAbsent({
            failed: failed.length === 0 ? undefined : failed,
            failure: findFailure(all, failed),
            isOptional: waits(execution) ? undefined : true,
          })),
    },
    ...withoutAbsent({ mounted, status: toStatus(known, mounted) }),
  }
}

/** The last lines of the newest setup that failed with one of these digests; a Job's variable has no room for all of them. */
function findFailure(all: readonly PreparedEnvironment[], digests: readonly string[]): string | undefined {
  const entry = all.find(({ state, digest = '' }) => state === 'Failed' && digests.includes(digest))
  return entry?.message?.slice(-FAILURE_LENGTH)
}

const FAILURE_LENGTH = 1500

/** An evaluation is asked at once: what it finds does not wait for what it has. */
function waits(execution: Execution): boolean {
  return isWork(execution)
}

function hasReadOnly(mounted: PreparedEnvironment | undefined): boolean {
  return mounted?.cache?.some(({ mode }) => mode === 'ReadOnly') === true
}

function planKept(
  { execution, resumed, previous }: ObservedExecution,
  there: readonly PreparedEnvironment[],
  { told, project }: { readonly told: NonNullable<RunSpec['environment']>; readonly project: Project },
): EnvironmentPlan {
  const name = [execution, resumed ?? previous].map((one) => one?.status?.environment?.execution).find(Boolean)
  if (name === undefined) return {}
  const mounted = there.find((entry) => entry.execution === name && entry.state === 'Ready')
  if (mounted === undefined) {
    const problem = `the environment that its clone was made with (${name}) is gone: it has only what was copied into the clone`
    return { status: { problem: clip(problem, 4096) } }
  }
  const { digest, commit, onlyFor } = mounted
  const status = { execution: name, isShared: onlyFor === undefined, ...withoutAbsent({ digest, commit }) }
  return { told: { ...told, ...withoutAbsent({ mounted: toMounted(project, mounted) }) }, mounted, status }
}

function toMounted({ metadata: { uid = '' } }: Project, { execution, digest }: PreparedEnvironment) {
  return digest === undefined ? undefined : { folder: environmentPath(uid, execution), digest }
}

function toStatus(
  known: ExecutionEnvironment | undefined,
  mounted: PreparedEnvironment | undefined,
): ExecutionEnvironment | undefined {
  const status = {
    ...omit(known ?? {}, ['execution', 'waitingSince', 'problem']),
    ...withoutAbsent({ execution: mounted?.execution }),
  }
  return Object.keys(status).length === 0 ? undefined : status
}

/** The environment that a Job's commit wants, where prepare has ended for want of it. */
export function findUnprepared({ podFacts, environments }: ObservedExecution): WantedEnvironment | undefined {
  const prepare = podFacts?.steps.find(isPrepare)
  if (environments === undefined || prepare?.exitCode !== EXIT_NOT_PREPARED) return undefined
  return prepare.report?.environment
}

function isPrepare({ name }: StepFacts): boolean {
  return name === 'prepare'
}

/** How an execution goes on that waits for its environment; undefined: nothing is prepared for it any more. */
export function findWaitEnd(seen: ObservedExecution): WaitEnd | undefined {
  const { environments, execution, before, now } = seen
  const { digest, isShared = false, waitingSince: since } = execution.status?.environment ?? {}
  if (environments === undefined || digest === undefined || since === undefined) return undefined
  const there = environments.all.filter((entry) => before?.lostEnvironments.has(entry.execution) !== true)
  const end = decideWait(there, environments.wish, { digest, isShared, since }, now)
  return end.kind === 'waits' && !waits(execution) ? { kind: 'inVain' } : end
}

/** What an execution waits for, in words. */
export function formatEnvironmentWait({ environments }: ObservedExecution, end: WaitEnd | undefined): Text<4096> {
  if (environments === undefined) return clip('its environment is to be prepared', 4096)
  const building = end?.kind === 'waits' ? end.building : undefined
  return clip(WAITING.environment(describeBuild(environments.project, building)), 4096)
}

/** What the record says of the environment once prepare has told. */
export function environmentOf({ execution, podFacts }: ObservedExecution): Pick<ExecutionStatus, 'environment'> {
  const known = execution.status?.environment
  const prepare = podFacts?.steps.find(isPrepare)
  const { environment: wanted, environmentProblem: problem } = prepare?.report ?? {}
  if (prepare?.exitCode !== 0 || (wanted === undefined && problem === undefined))
    return withoutAbsent({ environment: known })
  const kept = problem === undefined ? (known ?? {}) : omit(known ?? {}, ['execution'])
  return {
    environment: { ...kept, ...wanted, ...(problem === undefined ? {} : { problem: clip(problem, 4096) }) },
  }
}

/** An agent that starts without what its project prepares says so, once. */
export function tellEnvironmentProblem({ execution, task }: ObservedExecution, told: ExecutionStatus): Action[] {
  const problem = told.environment?.problem
  if (problem === undefined || problem === execution.status?.environment?.problem) return []
  return [recordEvent(isWork(execution) ? task : execution, 'Warning', 'EnvironmentMissing', problem)]
}
