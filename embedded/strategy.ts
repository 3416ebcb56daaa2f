import type { Kind } from './kind.ts'
import type { ApiObject, ObjectMeta } from './objects.ts'
import { jsonEquals } from './schema/json.ts'

/**
 * What the server itself decides about an object that is written: identity, generation, and which part of it a
 * request may touch. Pure; objects come in as the caller's own copies and may be changed in place.
 */

export interface Identity {
  readonly uid: string
  readonly now: Date
}

/** Kubernetes' timestamps have whole seconds. */
export function timestamp(now: Date): string {
  return now.toISOString().replace(/\.\d+Z$/, 'Z')
}

/** What a client may not say about a new object is dropped; status too, where it has an endpoint of its own. */
export function prepareCreate(kind: Kind, object: ApiObject, { uid, now }: Identity): void {
  const { metadata } = object
  metadata.uid = uid
  metadata.creationTimestamp = timestamp(now)
  delete metadata.resourceVersion
  delete metadata.deletionTimestamp
  delete metadata.deletionGracePeriodSeconds
  if (kind.hasGeneration) metadata.generation = 1
  else delete metadata.generation
  if (!kind.namespaced) delete metadata.namespace
  if (kind.hasStatus) delete object['status']
}

/** Keeps what an update of the main resource may not change, and counts the generation. */
export function prepareUpdate(kind: Kind, object: ApiObject, old: ApiObject): void {
  keepIdentity(object.metadata, old.metadata)
  if (kind.hasStatus) copyField(object, old, 'status')
  if (kind.hasGeneration && !jsonEquals(asked(kind, object), asked(kind, old))) {
    object.metadata.generation = (old.metadata.generation ?? 0) + 1
  }
}

/** Takes only the status from `object`; of built-ins labels and annotations too, as a Pod's status endpoint does. */
export function prepareStatusUpdate(kind: Kind, object: ApiObject, old: ApiObject): ApiObject {
  const next = structuredClone(old)
  copyField(next, object, 'status')
  if (!kind.custom) {
    copyField(next.metadata, object.metadata, 'labels')
    copyField(next.metadata, object.metadata, 'annotations')
  }
  return next
}

const FIXED = ['uid', 'creationTimestamp', 'deletionTimestamp', 'deletionGracePeriodSeconds', 'generation'] as const

function keepIdentity(metadata: ObjectMeta, old: ObjectMeta): void {
  for (const field of FIXED) copyField(metadata, old, field)
  copyField(metadata, old, 'generateName')
}

function copyField(to: Record<string, unknown>, from: Record<string, unknown>, field: string): void {
  if (from[field] === undefined) delete to[field]
  else to[field] = from[field]
}

/** The part of an object that its generation counts: all but metadata and status. */
function asked(kind: Kind, object: ApiObject): ApiObject {
  const { status, ...rest } = object
  const counted = kind.hasStatus || status === undefined ? rest : { ...rest, status }
  return { ...counted, apiVersion: object.apiVersion, kind: object.kind, metadata: { name: '' } }
}

/** Marks an object as being deleted; it stays until its finalizers are gone and its grace is over. */
export function markDeleted(kind: Kind, { metadata }: ApiObject, now: Date, graceSeconds: number): void {
  const until = new Date(now.getTime() + graceSeconds * 1000)
  metadata.deletionTimestamp = timestamp(until)
  metadata.deletionGracePeriodSeconds = graceSeconds
  if (kind.hasGeneration) metadata.generation = (metadata.generation ?? 0) + 1
}

/** Whether nothing holds a deleted object any more. */
export function isRemovable(kind: Kind, object: ApiObject): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0 } = object.metadata
  return deletionTimestamp !== undefined && deletionGracePeriodSeconds === 0 && !isHeld(kind, object)
}

/** Whether a finalizer, or what the kind has in its place, keeps the object from going. */
export function isHeld(kind: Kind, object: ApiObject): boolean {
  return (object.metadata.finalizers ?? []).length > 0 || kind.rules.isHeld?.(object) === true
}
