import type { ExecutionPhase, ExecutionStatus } from '../../core/crd/types.ts'
import type { PodFacts, StepFacts } from '../../core/execution/outcome.ts'
import { clip } from '../../core/text.ts'
import { withoutAbsent } from '../../core/omit.ts'
import { addMs, parseTimestamp } from '../../core/time.ts'
import { servicesOf } from './services.ts'

/** The steps that have begun, in order, and what is between them, with what a pod that is gone had told before. */
export function mergePhases(
  before: readonly ExecutionPhase[] | undefined,
  pod: PodFacts | undefined,
): ExecutionPhase[] {
  if (pod === undefined) return [...(before ?? [])]
  const begun = pod.steps.filter(({ startedAt }) => startedAt !== undefined)
  const waited = before?.[0]?.name === 'environment' ? before.slice(0, 1) : []
  return [...waited, ...begun.flatMap((step) => toPhases(step, pod, waited.length > 0))]
}

/** @param hasWaited whether the environment has its phase already: it was waited for before this pod */
function toPhases(step: StepFacts, pod: PodFacts, hasWaited: boolean): ExecutionPhase[] {
  if (step.check !== undefined) return toChecksPhase(step, pod)
  if (step.name !== 'prepare') return [toPhase(step)]
  const mirror = toMirrorPhase(step)
  const environment = hasWaited ? [] : toEnvironmentPhase(step, mirror[0]?.finishedAt)
  return [...mirror, ...environment, toPhase(step), ...waitForServices(pod)]
}

/** One phase for all checks, from the beginning of the first to the end of the last. */
function toChecksPhase(step: StepFacts, { steps }: PodFacts): ExecutionPhase[] {
  const checks = steps.filter(({ check }) => check !== undefined)
  if (checks[0] !== step) return []
  const last = checks.at(-1)
  return [toPhase({ name: 'checks', startedAt: step.startedAt, finishedAt: last?.finishedAt })]
}

/** Handing out the caches of the environment, behind the mirror: also before its steps, the wait for one has this name. */
function toEnvironmentPhase({ finishedAt, report, ...step }: StepFacts, since = step.startedAt): ExecutionPhase[] {
  const seconds = report?.environmentSeconds
  if (since === undefined || finishedAt === undefined || seconds === undefined) return []
  const end = addMs(parseTimestamp(since), Math.round(seconds * 1000)).toISOString()
  return [{ name: 'environment', startedAt: since, finishedAt: end < finishedAt ? end : finishedAt }]
}

/** The first part of prepare, where it has a mirror. Times of containers may be whole seconds. */
function toMirrorPhase({ startedAt, finishedAt, report }: StepFacts): ExecutionPhase[] {
  const mirrorSeconds = report?.mirrorSeconds
  if (startedAt === undefined || finishedAt === undefined || mirrorSeconds === undefined) return []
  const end = addMs(parseTimestamp(startedAt), Math.round(mirrorSeconds * 1000)).toISOString()
  return [{ name: 'mirror', startedAt, finishedAt: end < finishedAt ? end : finishedAt }]
}

/** From the end of prepare until the agent begins, where it has services to wait for. */
function waitForServices({ steps, services = [] }: PodFacts): ExecutionPhase[] {
  const startedAt = steps.find(({ name }) => name === 'prepare')?.finishedAt
  if (services.length === 0 || startedAt === undefined) return []
  const finishedAt = steps.find(({ name }) => name === 'agent')?.startedAt
  return [{ name: 'services', startedAt, ...withoutAbsent({ finishedAt }) }]
}

function toPhase({
  name,
  startedAt,
  finishedAt,
}: Pick<StepFacts, 'startedAt' | 'finishedAt'> & Pick<ExecutionPhase, 'name'>): ExecutionPhase {
  return { name, ...withoutAbsent({ startedAt, finishedAt }) }
}

/** The pod as the record keeps it; nothing when there is none, so that what was seen last stays. */
export function podOf(pod: PodFacts | undefined): ExecutionStatus {
  if (pod === undefined) return {}
  const reason = pod.reason ?? pod.steps.find(({ reason }) => isRemarkable(reason))?.reason
  const services = servicesOf(pod.services ?? [])
  return {
    pod: { name: pod.name, phase: pod.phase, ...(reason === undefined ? {} : { reason: clip(reason, 1024) }) },
    ...(services.length > 0 && { services }),
  }
}

/** What every pod passes through says nothing. */
export function isRemarkable(reason: string | undefined): boolean {
  return reason !== undefined && !['PodInitializing', 'ContainerCreating', 'Completed'].includes(reason)
}
