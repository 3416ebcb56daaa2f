import type { Clock } from '../lib/clock.ts'
import { type Decoded, decodeObject, parseStored } from './decode.ts'
import { type Kind, storeKey } from './kind.ts'
import { generateName, validateMetadata } from './names.ts'
import type { ApiObject, DeleteOptions, ObjectKey } from './objects.ts'
import { type JsonValue, jsonEquals } from './schema/json.ts'
import type { FieldError } from './schema/errors.ts'
import {
  alreadyExists,
  ApiError,
  badRequest,
  conflict,
  forbidden,
  internalError,
  invalid,
  notFound,
  preconditionFailed,
} from './status.ts'
import type { Entry, Store } from './storage/backend.ts'
import { isHeld, isRemovable, markDeleted, prepareCreate, prepareStatusUpdate, prepareUpdate } from './strategy.ts'

/**
 * The writing verbs: read the newest state, decide, compare and swap; all of that in one turn of the event loop,
 * so a decision is never based on a state that another request has changed meanwhile.
 */

export interface WriteOptions {
  readonly dryRun?: boolean
  /** What happens to fields that the schema does not know; Warn when absent. */
  readonly fieldValidation?: FieldValidation
  readonly subresource?: 'status'
}

export const FIELD_VALIDATIONS = ['Ignore', 'Strict', 'Warn'] as const
export type FieldValidation = (typeof FIELD_VALIDATIONS)[number]

/** A stored object as it goes over the wire, and what the client should be told beside it. */
export interface Written {
  readonly json: string
  readonly warnings: readonly string[]
}

export interface Deleted {
  /** The object as it stays, or as it was last. */
  readonly object: ApiObject
  readonly isGone: boolean
  readonly warnings: readonly string[]
}

export interface Verbs {
  create(kind: Kind, namespace: string | undefined, body: JsonValue, options?: WriteOptions): Promise<Written>
  /** `change` gets a copy of the newest state and gives the body that is to replace it. */
  update(kind: Kind, key: ObjectKey, change: (old: ApiObject) => JsonValue, options?: WriteOptions): Promise<Written>
  delete(kind: Kind, key: ObjectKey, how?: DeleteOptions, options?: WriteOptions): Promise<Deleted>
}

export interface VerbsContext {
  readonly store: Store
  readonly clock: Clock
  readonly randomBytes: (size: number) => Uint8Array
  readonly namespaces: Kind
}

export function makeVerbs(context: VerbsContext): Verbs {
  const { store } = context
  return {
    create: (kind, namespace, body, options = {}) => readable(store, create(context, kind, namespace, body, options)),
    update: (kind, key, change, options = {}) => readable(store, update(context, kind, key, change, options)),
    delete: (kind, key, how = {}, options = {}) => readable(store, remove(context, kind, key, how, options)),
  }
}

/**
 * A refusal may rest on a write that is still on its way to the disk, where no read shows it. It waits for that write:
 * whoever is told of a conflict reads the object next, and must not find the version that lost.
 */
async function readable<T>(store: Store, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (refusal) {
    await store.flushed()
    throw refusal
  }
}

/** @throws ApiError 405 that says why, if there can be none of the kind here */
export function requireServed({ absence }: Kind): void {
  if (absence !== undefined) throw new ApiError(405, 'MethodNotAllowed', absence)
}

async function create(
  context: VerbsContext,
  kind: Kind,
  namespace: string | undefined,
  body: JsonValue,
  options: WriteOptions,
): Promise<Written> {
  requireServed(kind)
  const decoded = decodeObject(kind, body)
  const { object } = decoded
  if ((object.metadata.resourceVersion ?? '') !== '') {
    throw internalError('resourceVersion should not be set on objects to be created')
  }
  if (kind.namespaced) placeInNamespace(context, kind, object, namespace)
  if (object.metadata.name === '' && (object.metadata.generateName ?? '') !== '') {
    object.metadata.name = generateName(object.metadata.generateName ?? '', context.randomBytes)
  }
  prepareCreate(kind, object, { uid: newUid(context.randomBytes), now: context.clock.now() })
  const warnings = prune(kind, decoded, options)
  kind.rules.prepareCreate?.(object)
  kind.rules.applyDefaults(object)
  check(kind, object, undefined)
  const key = storeKey(kind, object.metadata)
  const existing = context.store.latest(key)
  if (existing !== undefined) {
    const isBeingDeleted = parseStored(existing.value).metadata.deletionTimestamp !== undefined
    throw alreadyExists(kind, object.metadata.name, isBeingDeleted)
  }
  if (options.dryRun === true) return { json: JSON.stringify(object), warnings }
  return { json: await write(context.store, 'put', key, object, undefined), warnings }
}

function placeInNamespace(context: VerbsContext, kind: Kind, { metadata }: ApiObject, namespace = 'default'): void {
  if ((metadata.namespace ?? '') !== '' && metadata.namespace !== namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request')
  }
  metadata.namespace = namespace
  const entry = context.store.latest(storeKey(context.namespaces, { name: namespace }))
  if (entry === undefined) throw notFound(context.namespaces, namespace)
  if (parseStored(entry.value).metadata.deletionTimestamp !== undefined) {
    const detail = `unable to create new content in namespace ${namespace} because it is being terminated`
    throw forbidden(kind, metadata.name, detail)
  }
}

async function update(
  context: VerbsContext,
  kind: Kind,
  key: ObjectKey,
  change: (old: ApiObject) => JsonValue,
  options: WriteOptions,
): Promise<Written> {
  const id = storeKey(kind, key)
  const entry = context.store.latest(id)
  if (entry === undefined) throw notFound(kind, key.name)
  const old = parseStored(entry.value)
  const decoded = decodeObject(kind, change(parseStored(entry.value)))
  checkIdentity(kind, key, decoded.object, old)
  const { object, warnings } = prepareStored(kind, decoded, old, options)
  check(kind, object, old)
  if (options.dryRun === true) return { json: JSON.stringify(object), warnings }
  if (isRemovable(kind, object)) {
    const last = await write(context.store, 'remove', id, object, entry)
    return { json: last, warnings }
  }
  if (jsonEquals(object, old)) {
    await context.store.flushed()
    return { json: entry.value, warnings }
  }
  return { json: await write(context.store, 'put', id, object, entry), warnings }
}

/** The object as it will be stored, still with the resourceVersion of `old`. */
function prepareStored(
  kind: Kind,
  decoded: Decoded,
  old: ApiObject,
  options: WriteOptions,
): { object: ApiObject; warnings: string[] } {
  const isStatus = options.subresource === 'status'
  const warnings = prune(kind, decoded, options)
  const object = isStatus ? prepareStatusUpdate(kind, decoded.object, old) : decoded.object
  kind.rules.applyDefaults(object)
  if (!isStatus) prepareUpdate(kind, object, old)
  if (old.metadata.resourceVersion !== undefined) object.metadata.resourceVersion = old.metadata.resourceVersion
  return { object, warnings }
}

function checkIdentity(kind: Kind, key: ObjectKey, { metadata }: ApiObject, old: ApiObject): void {
  if (metadata.name !== key.name) {
    throw badRequest(`the name of the object (${metadata.name}) does not match the name on the URL (${key.name})`)
  }
  if (kind.namespaced) {
    metadata.namespace ??= key.namespace ?? ''
    if (metadata.namespace !== key.namespace) {
      throw badRequest('the namespace of the provided object does not match the namespace sent on the request')
    }
  }
  const { resourceVersion = '', uid } = metadata
  if (resourceVersion === '' && kind.custom) {
    const message = 'Invalid value: 0: must be specified for an update'
    throw invalid(kind, key.name, [{ reason: 'FieldValueInvalid', field: 'metadata.resourceVersion', message }])
  }
  if (uid !== undefined && uid !== '' && uid !== old.metadata.uid) {
    throw conflict(
      kind,
      key.name,
      `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${old.metadata.uid ?? ''}`,
    )
  }
  if (resourceVersion !== '' && resourceVersion !== old.metadata.resourceVersion) throw conflict(kind, key.name)
}

/** Characters; a large object may have a hundred thousand unknown fields. */
const MAX_STRICT_ERROR = 4096

/** Drops unknown fields. @throws ApiError 400 under Strict, naming each of them */
function prune(kind: Kind, { object, unknown }: Decoded, { fieldValidation = 'Warn' }: WriteOptions): string[] {
  const fields = [...unknown, ...kind.rules.prune(object)].map((field) => `unknown field "${field}"`)
  if (fieldValidation === 'Strict' && fields.length > 0) {
    throw badRequest(
      `${kind.kind} in version "${kind.version}" cannot be handled as a ${kind.kind}: strict decoding error: ${fields.join(', ').slice(0, MAX_STRICT_ERROR)}`,
    )
  }
  return fieldValidation === 'Warn' ? fields : []
}

function check(kind: Kind, object: ApiObject, old: ApiObject | undefined): void {
  const errors: FieldError[] = [...validateMetadata(kind, object, old), ...kind.rules.validate(object, old)]
  if (errors.length > 0) throw invalid(kind, object.metadata.name, errors)
}

async function remove(
  context: VerbsContext,
  kind: Kind,
  key: ObjectKey,
  how: DeleteOptions,
  options: WriteOptions,
): Promise<Deleted> {
  const id = storeKey(kind, key)
  const entry = context.store.latest(id)
  if (entry === undefined) throw notFound(kind, key.name)
  const object = parseStored(entry.value)
  checkPreconditions(kind, object, how)
  const refusal = kind.rules.refuseDelete?.(object)
  if (refusal !== undefined) throw forbidden(kind, key.name, refusal)
  const { warnings, changed } = startDeletion(context, kind, object, how)
  const isGone = isRemovable(kind, object)
  if (options.dryRun === true) return { object, isGone, warnings }
  if (!isGone && !changed) await context.store.flushed()
  else {
    const json = await write(context.store, isGone ? 'remove' : 'put', id, object, entry)
    return { object: parseStored(json), isGone, warnings }
  }
  return { object, isGone, warnings }
}

/** Marks `object` in place as the request asks; says whether that changed anything. */
function startDeletion(
  { clock }: VerbsContext,
  kind: Kind,
  object: ApiObject,
  how: DeleteOptions,
): { changed: boolean; warnings: string[] } {
  const grace = kind.rules.graceSeconds?.(object, how.gracePeriodSeconds) ?? 0
  const policy = how.propagationPolicy ?? kind.rules.defaultPropagation
  const { metadata } = object
  const isNew = metadata.deletionTimestamp === undefined
  if (isNew && policy === 'Foreground') addFinalizer(object, 'foregroundDeletion')
  if (isNew && policy === 'Orphan') addFinalizer(object, 'orphan')
  const isShorter = !isNew && grace < (metadata.deletionGracePeriodSeconds ?? 0)
  if (isNew || isShorter) markDeleted(kind, object, clock.now(), grace)
  if (isNew && isHeld(kind, object)) kind.rules.onHeld?.(object)
  const isImplicitOrphan = how.propagationPolicy === undefined && policy === 'Orphan'
  return { changed: isNew || isShorter, warnings: isImplicitOrphan ? [ORPHAN_WARNING] : [] }
}

const ORPHAN_WARNING =
  'child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning'

function addFinalizer({ metadata }: ApiObject, name: string): void {
  const finalizers = metadata.finalizers ?? []
  if (!finalizers.includes(name)) metadata.finalizers = [...finalizers, name]
}

function checkPreconditions(kind: Kind, { metadata }: ApiObject, { preconditions = {} }: DeleteOptions): void {
  const { uid, resourceVersion } = preconditions
  const { name, uid: actualUid = '', resourceVersion: actualVersion = '' } = metadata
  if (uid !== undefined && uid !== actualUid) throw preconditionFailed(kind, name, 'UID', uid, actualUid)
  if (resourceVersion !== undefined && resourceVersion !== actualVersion) {
    throw preconditionFailed(kind, name, 'ResourceVersion', resourceVersion, actualVersion)
  }
}

async function write(
  store: Store,
  type: 'put' | 'remove',
  key: string,
  object: ApiObject,
  old: Entry | undefined,
): Promise<string> {
  const render = (revision: number): string => {
    object.metadata.resourceVersion = String(revision)
    return JSON.stringify(object)
  }
  const [change] = await store.write([{ type, key, expected: old?.revision ?? 0, render }])
  if (change === undefined) throw new ApiError(500, 'InternalError', `the store returned no change for ${key}`)
  return change.value
}

/** A random (version 4) UUID, RFC 9562. */
function newUid(randomBytes: (size: number) => Uint8Array): string {
  const bytes = Buffer.from(randomBytes(16))
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
