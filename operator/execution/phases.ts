import type { ExecutionPhase, ExecutionStatus } from '../../core/crd/types.ts'
import type { PodFacts, StepFacts } from '../../core/execution/outcome.ts'
import { clip } from '../../core/text.ts'
import { withoutAbsent } from '../../core/omit.ts'

/** The steps that have begun, in order, with what a pod that is gone had told before. */
export function mergePhases(
  before: readonly ExecutionPhase[] | undefined,
  pod: PodFacts | undefined,
): ExecutionPhase[] {
  if (pod === undefined) return [...(before ?? [])]
  return pod.steps.filter(({ startedAt }) => startedAt !== undefined).map(toPhase)
}

function toPhase({ name, startedAt, finishedAt }: StepFacts): ExecutionPhase {
  return { name, ...withoutAbsent({ startedAt, finishedAt }) }
}

/** The pod as the record keeps it; nothing when there is none, so that what was seen last stays. */
export function podOf(pod: PodFacts | undefined): ExecutionStatus {
  if (pod === undefined) return {}
  const reason = pod.reason ?? pod.steps.find(({ reason }) => isRemarkable(reason))?.reason
  return { pod: { name: pod.name, phase: pod.phase, ...(reason === undefined ? {} : { reason: clip(reason, 1024) }) } }
}

/** What every pod passes through says nothing. */
export function isRemarkable(reason: string | undefined): boolean {
  return reason !== undefined && !['PodInitializing', 'ContainerCreating', 'Completed'].includes(reason)
}
