/**
 * What a backup keeps of an object, and what it becomes in another control plane (docs/adr/0011-backup.md).
 *
 * There it gets a new uid. Owner references, marks of folders, and names that are derived from a uid all name it, so each
 * uid that a backup knows is replaced wherever it stands.
 */
import { asRecord, isJsonObject } from '../json.ts'
import { FINALIZER, LABELS } from '../names.ts'
import { withoutAbsent } from '../omit.ts'

/** The part of the metadata that a backup has. */
export interface BackupMetadata {
  readonly name: string
  readonly uid?: string
  readonly generation?: number
  readonly creationTimestamp?: string
  readonly labels?: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string>>
  readonly finalizers?: readonly string[]
  readonly ownerReferences?: readonly OwnerReference[]
}

interface OwnerReference {
  readonly apiVersion: string
  readonly kind: string
  readonly name: string
  readonly uid: string
}

/** An object of a backup; `spec` and all other fields are as the API served them. */
export interface BackupObject {
  readonly kind: string
  readonly metadata: BackupMetadata
  readonly status?: unknown
  readonly [field: string]: unknown
}

/** An object as the API serves it. */
export interface ServedObject extends BackupObject {
  readonly metadata: BackupMetadata & { readonly deletionTimestamp?: string; readonly namespace?: string }
}

/** Old uids to new ones. */
export type Uids = ReadonlyMap<string, string>

/**
 * The object without what is the server's own: namespace, resourceVersion, managed fields. Of the finalizers ours stays:
 * whoever would lift another one need not exist where the object goes.
 */
export function toBackupObject(object: ServedObject): BackupObject {
  const { name, uid, generation, creationTimestamp, labels, annotations, finalizers, ownerReferences } = object.metadata
  const kept = finalizers?.filter((one) => one === FINALIZER)
  return {
    ...object,
    metadata: {
      name,
      ...withoutAbsent({ uid, generation, creationTimestamp, labels, annotations, ownerReferences }),
      ...(kept !== undefined && kept.length > 0 && { finalizers: kept }),
    },
  }
}

/** Types of which a cluster makes nothing of its own: it would fill a token of a service account, say. */
const SECRET_TYPES: readonly unknown[] = ['Opaque', 'kubernetes.io/basic-auth', 'kubernetes.io/ssh-auth']

/** Why a Secret is in no backup, in words; undefined for one that may be. */
export function findSecretProblem({ metadata, ['type']: type = 'Opaque' }: BackupObject): string | undefined {
  if (metadata.labels?.[LABELS.usableBy] === undefined) return `it has no label ${LABELS.usableBy}`
  return SECRET_TYPES.includes(type) ? undefined : `its type is none of ${SECRET_TYPES.join(', ')}`
}

/** What decides whether two objects are equal: all but the status, uid, generation and times. */
export function contentOf(object: BackupObject): Readonly<Record<string, unknown>> {
  const { status: _, metadata, ...rest } = toBackupObject(object)
  const { uid: __, generation: ___, creationTimestamp: ____, ...kept } = metadata
  return { ...rest, metadata: kept }
}

/** The status without what was said of the generation of one object, and without its clone and its environments, which may have been left out. */
export function statusContent(status: unknown): Readonly<Record<string, unknown>> {
  const { observedGeneration: _, workspace: __, environments: ___, conditions, ...rest } = asRecord(status)
  if (!Array.isArray(conditions)) return rest
  return {
    ...rest,
    conditions: conditions.map((condition: unknown) => {
      const { observedGeneration: _, ...claim } = asRecord(condition)
      return claim
    }),
  }
}

/**
 * The status for the object that was made from the one of the backup. What was said of its latest generation is said of
 * the new one's; what was said of an earlier one counts for none.
 */
export function statusFor(object: BackupObject, generation: number | undefined): unknown {
  const { status, metadata } = object
  if (!isJsonObject(status)) return undefined
  const observed = (said: unknown): { observedGeneration?: number } =>
    said === metadata.generation && generation !== undefined ? { observedGeneration: generation } : {}
  // What setups have prepared is in no backup: it is prepared again.
  const { observedGeneration, conditions, environments: _, ...rest } = status
  return {
    ...rest,
    ...observed(observedGeneration),
    ...(Array.isArray(conditions) && {
      conditions: conditions.map((condition: unknown) => {
        const { observedGeneration, ...claim } = asRecord(condition)
        return { ...claim, ...observed(observedGeneration) }
      }),
    }),
  }
}

/** Whether anything was ever written into a status: definitions put a generation of -1 into an empty one. */
export function hasStatus(object: BackupObject): boolean {
  return Object.keys(statusContent(object.status)).length > 0
}

/** A uid as the API writes it, or without dashes, as names have it. */
const UID = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b|\b[0-9a-f]{32}\b/g

/** Replaces every known uid in a text. */
export function replaceUids(text: string, uids: Uids): string {
  if (uids.size === 0) return text
  return text.replace(UID, (found) => {
    const dashed = found.includes('-') ? found : found.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
    const uid = uids.get(dashed)
    if (uid === undefined) return found
    return found.includes('-') ? uid : uid.replaceAll('-', '')
  })
}
