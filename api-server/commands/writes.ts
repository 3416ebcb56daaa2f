import { type ApiError, apiError } from '../../core/errors.ts'
import { ANNOTATIONS } from '../../core/names.ts'
import { toMicroTimestamp } from '../../core/time.ts'
import { type KubeClient, type KubeObject, isAlreadyExists, isConflict, isNotFound } from '../../kube/types.ts'
import type { RecordCache } from '../cache/record-cache.ts'
import type { ApiContext } from '../context.ts'

/** Lost races in a row after which the caller is asked to try again: many may write one object at once. */
const MAX_RACES = 40

/** What a decision about an object comes to: the object to write, or nothing. */
export interface Change<T, R> {
  /** Undefined: nothing is written. */
  readonly write?: T | undefined
  /** Writes of other objects that must come first; a race that one of them loses is decided anew as a whole. */
  readonly before?: () => Promise<void>
  /** The status subresource is written, else the rest. */
  readonly subresource?: 'status'
  /** True: the object that was looked at is deleted instead, in exactly the version that was looked at. */
  readonly isRemoval?: boolean
  readonly result: R
}

/**
 * Reads an object, lets `decide` look at it, and writes what it decided as a compare-and-swap. When another writer was
 * faster, the object is read from the control plane and decided anew, so no decision rests on an old state.
 *
 * A refusal that rests on the cache is decided once more on the live object: the cache may lag behind what the caller
 * has just seen elsewhere.
 *
 * @throws ApiError `not_found`, `being_restored`, `write_contended`, whatever `decide` throws
 */
export async function changeRecord<T extends KubeObject, R>(
  client: KubeClient,
  cache: RecordCache<T>,
  key: { readonly kind: string; readonly id: string },
  decide: (object: T) => Change<T, R> | Promise<Change<T, R>>,
): Promise<{ readonly object: T; readonly result: R }> {
  let current = await readLiveOnly(cache, key)
  for (let race = 0; race < MAX_RACES; race++) {
    const { change, object } = await decideOn(cache, key, current, decide)
    if (change.write === undefined) return { object, result: change.result }
    try {
      await change.before?.()
      return { object: await perform(client, cache, change.write, change), result: change.result }
    } catch (error) {
      if (!isConflict(error) && !isNotFound(error)) throw error
      current = requireFound(await cache.readAfterRaces(key.id, race + 1), key.kind)
    }
  }
  throw apiError('write_contended', key.kind, key.id)
}

/** From memory, else live, else from the archive. */
export async function readAny<T extends KubeObject>(cache: RecordCache<T>, name: string): Promise<T | undefined> {
  return (await cache.read(name)) ?? cache.archived?.(name)
}

/** @throws ApiError `archived` for what can be read and not be changed, `not_found` for what is not there */
async function readLiveOnly<T extends KubeObject>(
  cache: RecordCache<T>,
  { kind, id }: { readonly kind: string; readonly id: string },
): Promise<T> {
  const live = await cache.read(id)
  if (live === undefined && (await cache.isRestoring?.(id)) === true) throw apiError('being_restored', kind, id)
  if (live === undefined && (await isArchived(cache, id))) throw apiError('archived', kind)
  return requireFound(live, kind)
}

/** Whether a name is that of a record that has left the control plane for the archive. */
export async function isArchived<T extends KubeObject>(cache: RecordCache<T>, name: string): Promise<boolean> {
  return (await cache.read(name)) === undefined && (await cache.archived?.(name)) !== undefined
}

async function perform<T extends KubeObject>(
  client: KubeClient,
  { informer }: RecordCache<T>,
  object: T,
  { subresource, isRemoval }: Pick<Change<T, unknown>, 'subresource' | 'isRemoval'>,
): Promise<T> {
  const { resource } = informer
  if (isRemoval === true) {
    const { namespace, name, uid, resourceVersion } = object.metadata
    const preconditions = { ...(uid && { uid }), ...(resourceVersion && { resourceVersion }) }
    await client.delete(resource, { namespace, name }, { propagationPolicy: 'Background', preconditions })
    informer.observeDeleted(object)
    return object
  }
  const written = await (subresource === 'status'
    ? client.replaceStatus(resource, object)
    : client.replace(resource, object))
  informer.observe(written)
  return written
}

/**
 * Writes the status of an object as a compare-and-swap on the version that it carries. What was lost to another writer
 * is read anew, so that whoever decides again knows of it.
 *
 * @returns the object as it was stored
 * @throws KubeError Conflict, NotFound
 */
export async function writeStatus<T extends KubeObject>(
  client: KubeClient,
  cache: RecordCache<T>,
  object: T,
): Promise<T> {
  try {
    return await perform(client, cache, object, { subresource: 'status' })
  } catch (error) {
    if (isConflict(error) || isNotFound(error)) await cache.readLive(object.metadata.name)
    throw error
  }
}

/** Deletes the version of an object that the caller has. @returns false when it is another now, or gone */
export async function deleteUnchanged<T extends KubeObject>(
  client: KubeClient,
  cache: RecordCache<T>,
  object: T,
): Promise<boolean> {
  try {
    await perform(client, cache, object, { isRemoval: true })
    return true
  } catch (error) {
    if (isConflict(error) || isNotFound(error)) return false
    throw error
  }
}

async function decideOn<T extends KubeObject, R>(
  cache: RecordCache<T>,
  key: { readonly kind: string; readonly id: string },
  object: T,
  decide: (object: T) => Change<T, R> | Promise<Change<T, R>>,
): Promise<{ readonly object: T; readonly change: Change<T, R> }> {
  const decideSettled = async (found: T) => {
    if ((await cache.isRestoring?.(key.id)) === true) throw apiError('being_restored', key.kind, key.id)
    return { object: found, change: await decide(found) }
  }
  try {
    return await decideSettled(object)
  } catch (refusal) {
    const live = requireFound(await cache.readLive(key.id), key.kind)
    if (live.metadata.resourceVersion === object.metadata.resourceVersion) throw refusal
    return decideSettled(live)
  }
}

/**
 * Creates an object, notes when, and makes it visible to reads at once.
 *
 * @throws ApiError `already_exists` when the name is taken, `being_deleted` when it is about to be free
 */
export async function createRecord<T extends KubeObject>(
  { client, clock }: Pick<ApiContext, 'client' | 'clock'>,
  cache: RecordCache<T>,
  kind: string,
  object: T,
): Promise<T> {
  const annotations = { [ANNOTATIONS.createdAt]: toMicroTimestamp(clock.now()), ...object.metadata.annotations }
  const dated = { ...object, metadata: { ...object.metadata, annotations } }
  try {
    const created = await client.create(cache.informer.resource, dated)
    cache.informer.observe(created)
    return created
  } catch (error) {
    if (isAlreadyExists(error)) throw await toTakenError(client, cache, kind, object.metadata)
    throw error
  }
}

/** Why a name is taken that a create was refused for: what finalizers keep, reads do not show any more. */
export async function toTakenError<T extends KubeObject>(
  client: KubeClient,
  { informer }: RecordCache<T>,
  kind: string,
  { namespace, name }: T['metadata'],
): Promise<ApiError> {
  const holder = await client.find(informer.resource, { namespace, name })
  const isGoing = holder === undefined || holder.metadata.deletionTimestamp !== undefined
  return isGoing ? apiError('being_deleted', kind, name) : apiError('already_exists', kind, name)
}

/** @throws ApiError `not_found` */
export function requireFound<T>(object: T | undefined, kind: string): T {
  if (object === undefined) throw apiError('not_found', kind)
  return object
}
