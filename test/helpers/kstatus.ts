/**
 * How Flux and other users of kstatus judge an object of a kind that they do not know. Source: the functions
 * checkGenericProperties, checkGeneration and checkReadyCondition of sigs.k8s.io/cli-utils v0.37.2, pkg/kstatus/status.
 */
import type { Conditions } from '../../core/conditions.ts'

export type KStatus = 'Terminating' | 'InProgress' | 'Failed' | 'Current'

interface Judged {
  readonly metadata: { readonly generation?: number; readonly deletionTimestamp?: string }
  readonly status?: Conditions
}

export function kstatusOf({ metadata: { generation, deletionTimestamp }, status = {} }: Judged): KStatus {
  const { observedGeneration, conditions = [] } = status
  if (deletionTimestamp !== undefined) return 'Terminating'
  // Without the field the generation is not looked at.
  if (generation !== undefined && observedGeneration !== undefined && observedGeneration !== generation) {
    return 'InProgress'
  }
  for (const condition of conditions) {
    if (condition.type === 'Reconciling' && condition.status === 'True') return 'InProgress'
    if (condition.type === 'Stalled' && condition.status === 'True') return 'Failed'
  }
  const ready = conditions.find(({ type }) => type === 'Ready')
  return ready === undefined || ready.status === 'True' ? 'Current' : 'InProgress'
}
