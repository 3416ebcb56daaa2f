import type { ApiObject, OwnerReference } from '../objects.ts'
import { ownersOf } from './index.ts'

/** Finalizers with which a deleted owner waits for the collector. */
export const FOREGROUND = 'foregroundDeletion'
export const ORPHAN = 'orphan'

/**
 * What an owner reference is worth: `solid` keeps the object, `waiting` is an owner in foreground deletion, `absent`
 * one that is gone or was replaced by another of the same name.
 */
export type OwnerState = 'solid' | 'waiting' | 'absent'

export type CollectorDecision =
  | { readonly kind: 'keep' }
  /** Keep it, with these owners only. */
  | { readonly kind: 'release'; readonly owners: readonly OwnerReference[] }
  | { readonly kind: 'delete'; readonly propagation: 'Foreground' | 'Background' | 'Orphan' }

/**
 * Decides about an object that has owners. Source: Kubernetes, "Garbage Collection".
 *
 * @param hasDependents - whether other objects belong to this one
 */
export function decide(
  object: ApiObject,
  stateOf: (owner: OwnerReference) => OwnerState,
  hasDependents: boolean,
): CollectorDecision {
  const owners = ownersOf(object)
  if (owners.length === 0 || object.metadata.deletionTimestamp !== undefined) return { kind: 'keep' }
  const solid = owners.filter((owner) => stateOf(owner) === 'solid')
  if (solid.length === owners.length) return { kind: 'keep' }
  if (solid.length > 0) return { kind: 'release', owners: solid }
  const isWaitedFor = owners.some((owner) => stateOf(owner) === 'waiting')
  if (isWaitedFor && hasDependents) return { kind: 'delete', propagation: 'Foreground' }
  return { kind: 'delete', propagation: propagationOf(object) }
}

/** A finalizer that is there already says how its bearer wants to go. */
function propagationOf({ metadata: { finalizers = [] } }: ApiObject): 'Foreground' | 'Background' | 'Orphan' {
  if (finalizers.includes(ORPHAN)) return 'Orphan'
  return finalizers.includes(FOREGROUND) ? 'Foreground' : 'Background'
}

/** Whether an owner in foreground deletion has to wait for this dependent. */
export function blocks(dependent: ApiObject, ownerUid: string): boolean {
  return ownersOf(dependent).some(({ uid, blockOwnerDeletion }) => uid === ownerUid && blockOwnerDeletion === true)
}
