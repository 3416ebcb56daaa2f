import { forEachAtOnce } from '../../lib/async.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Logger } from '../../lib/log.ts'
import { NAMESPACE_FINALIZER, NAMESPACES } from '../builtin/namespace.ts'
import { parseStored } from '../decode.ts'
import { type KeyedQueue, makeKeyedQueue, MAX_AT_ONCE } from '../jobs/queue.ts'
import { type Kind, keyPrefix, storeKey } from '../kind.ts'
import type { ApiObject, DeleteOptions, ObjectKey, OwnerReference } from '../objects.ts'
import type { Registry } from '../registry.ts'
import { isObject } from '../schema/json.ts'
import { ApiError } from '../status.ts'
import type { Change, Store } from '../storage/backend.ts'
import type { Verbs } from '../verbs.ts'
import { type OwnerState, blocks, FOREGROUND, decide, ORPHAN } from './decide.ts'
import { type DependentIndex, makeDependentIndex, ownersOf } from './index.ts'

/**
 * Deletes what has lost its owners, lets owners go that wait for their dependents, and empties deleted namespaces.
 *
 * Level-triggered: a key in the queue means "look at this object again", and all that is decided comes from the
 * store at that moment. At start every object with owners or a deletion under way is looked at, so what a crash
 * interrupted is finished.
 */

export interface CollectorContext {
  readonly store: Store
  readonly registry: Registry
  readonly verbs: Verbs
  readonly clock: Clock
  readonly logger: Logger
}

interface Work extends CollectorContext {
  readonly index: DependentIndex
}

export interface Collector {
  /** Waits for the deletions that are under way. */
  stop(): Promise<void>
}

export function startCollector(context: CollectorContext): Collector {
  const { store, clock, logger } = context
  const work: Work = { ...context, index: makeDependentIndex() }
  const queue = makeKeyedQueue(
    async (key) => {
      await look(work, key)
      return undefined
    },
    clock,
    (key, error) => report(logger, key, error),
  )
  let { revision } = store
  scan(work, queue)
  const unsubscribe = store.onChange(() => {
    const changes = store.changesAfter(revision)
    revision = store.revision
    for (const change of changes) note(work, queue, change)
  })
  return {
    async stop() {
      unsubscribe()
      await queue.stop()
    },
  }
}

/** Parses only what can concern the collector: most objects have no owner and are not being deleted. */
function scan({ store, index }: Work, queue: KeyedQueue): void {
  for (const { key, value } of store.range({ prefix: '', limit: Infinity })) {
    if (!value.includes('"ownerReferences"') && !value.includes('"deletionTimestamp"')) continue
    index.set(key, ownersOf(parseStored(value)))
    queue.add(key)
  }
}

function note({ index, registry }: Work, queue: KeyedQueue, { type, key, value, previous }: Change): void {
  const object = parseStored(value)
  const { uid = '', namespace, deletionTimestamp } = object.metadata
  if (type === 'put') {
    index.set(key, ownersOf(object))
    const before = previous === undefined ? [] : ownersOf(parseStored(previous.value))
    const hasNewOwners = JSON.stringify(before) !== JSON.stringify(ownersOf(object))
    if (hasNewOwners || deletionTimestamp !== undefined) queue.add(key)
    // Who waits for this one in foreground deletion need not wait if it was released from it.
    for (const owner of before) addOwner(registry, queue, object, owner)
    return
  }
  index.remove(key)
  for (const dependent of index.dependentsOf(uid)) queue.add(dependent)
  for (const owner of ownersOf(object)) addOwner(registry, queue, object, owner)
  if (namespace !== undefined) queue.add(storeKey(NAMESPACES, { name: namespace }))
}

function addOwner(registry: Registry, queue: KeyedQueue, { metadata }: ApiObject, owner: OwnerReference): void {
  const kind = registry.findByKind(owner.apiVersion, owner.kind)
  if (kind !== undefined) queue.add(storeKey(kind, { namespace: metadata.namespace, name: owner.name }))
}

async function look(work: Work, key: string): Promise<void> {
  const { store, registry, index } = work
  const found = locate(registry, key)
  const entry = store.get(key)
  if (found === undefined || entry === undefined) return
  const object = parseStored(entry.value)
  const { uid = '', deletionTimestamp, finalizers = [] } = object.metadata
  if (deletionTimestamp !== undefined) {
    if (found.kind === NAMESPACES) await emptyNamespace(work, object)
    else if (finalizers.includes(ORPHAN)) await orphanDependents(work, found, uid)
    else if (finalizers.includes(FOREGROUND)) await deleteDependents(work, found, uid)
    return
  }
  const decision = decide(object, (owner) => stateOf(work, object, owner), index.dependentsOf(uid).length > 0)
  switch (decision.kind) {
    case 'keep':
      return
    case 'release':
      return await keepOwners(work, found, (owner) => decision.owners.some(({ uid }) => uid === owner.uid))
    case 'delete':
      if (decision.propagation === 'Foreground' && isOwnerOfWaiting(work, uid)) await unblockOwners(work, found)
      return await remove(work, found, { propagationPolicy: decision.propagation, preconditions: { uid } })
    default:
      return decision satisfies never
  }
}

interface Located {
  readonly kind: Kind
  readonly key: ObjectKey
}

function locate(registry: Registry, storeKey: string): Located | undefined {
  const slash = storeKey.indexOf('/')
  const kind = registry.findByPrefix(storeKey.slice(0, slash + 1))
  if (kind === undefined) return undefined
  const [first = '', second = ''] = storeKey.slice(slash + 1).split('/')
  return { kind, key: kind.namespaced ? { namespace: first, name: second } : { name: first } }
}

function stateOf({ store, registry }: Work, dependent: ApiObject, owner: OwnerReference): OwnerState {
  const kind = registry.findByKind(owner.apiVersion, owner.kind)
  // A kind that is not served now may be served again: nothing is deleted on a guess.
  if (kind === undefined) return 'solid'
  const entry = store.get(storeKey(kind, { namespace: dependent.metadata.namespace, name: owner.name }))
  if (entry === undefined) return 'absent'
  const { metadata } = parseStored(entry.value)
  if (metadata.uid !== owner.uid) return 'absent'
  return isWaiting({ metadata }) ? 'waiting' : 'solid'
}

/** For its dependents, in foreground deletion. */
function isWaiting({ metadata }: Pick<ApiObject, 'metadata'>): boolean {
  return metadata.finalizers?.includes(FOREGROUND) === true && metadata.deletionTimestamp !== undefined
}

/** Whether it closes a circle: what it would wait for waits in turn. Some that are none count too; they go in another order. */
function isOwnerOfWaiting({ store, index }: Work, uid: string): boolean {
  return index.dependentsOf(uid).some((key) => {
    const entry = store.get(key)
    return entry !== undefined && isWaiting(parseStored(entry.value))
  })
}

function unblockOwners(work: Work, found: Located): Promise<void> {
  return change(work, found, (old) => {
    const ownerReferences = ownersOf(old).map((owner) => ({ ...owner, blockOwnerDeletion: false }))
    return { ...old, metadata: { ...old.metadata, ownerReferences } }
  })
}

async function orphanDependents(work: Work, owner: Located, uid: string): Promise<void> {
  const dependents = work.index.dependentsOf(uid).flatMap((key) => locate(work.registry, key) ?? [])
  await forEachAtOnce(dependents, MAX_AT_ONCE, (found) => keepOwners(work, found, (ref) => ref.uid !== uid))
  await dropFinalizer(work, owner, ORPHAN)
}

async function deleteDependents(work: Work, owner: Located, uid: string): Promise<void> {
  const { store, index, registry } = work
  let isBlocked = false
  for (const key of index.dependentsOf(uid)) {
    const entry = store.get(key)
    const found = locate(registry, key)
    if (entry === undefined || found === undefined) continue
    const dependent = parseStored(entry.value)
    isBlocked ||= blocks(dependent, uid)
    // One that is being deleted is looked at for its own sake. It may own this one in turn.
    if (dependent.metadata.deletionTimestamp === undefined) await look(work, key)
  }
  if (!isBlocked) await dropFinalizer(work, owner, FOREGROUND)
}

async function emptyNamespace(work: Work, namespace: ApiObject): Promise<void> {
  const { store, registry } = work
  const { name } = namespace.metadata
  const kinds = registry.all().filter(({ namespaced }) => namespaced)
  const left = kinds.flatMap((kind) => store.range({ prefix: keyPrefix(kind, name) }).map((entry) => ({ kind, entry })))
  await forEachAtOnce(left, MAX_AT_ONCE, async ({ kind, entry }) => {
    const { metadata } = parseStored(entry.value)
    const isGoing = metadata.deletionTimestamp !== undefined
    const key = { namespace: name, name: metadata.name }
    if (!isGoing) await remove(work, { kind, key }, { propagationPolicy: 'Background' })
  })
  // Removals add the namespace to the queue again; the last one finds it empty.
  if (left.length > 0) return
  await change(work, { kind: NAMESPACES, key: { name } }, (old) => {
    const spec = isObject(old['spec']) ? old['spec'] : {}
    const finalizers = Array.isArray(spec['finalizers']) ? spec['finalizers'] : []
    return { ...old, spec: { ...spec, finalizers: finalizers.filter((item) => item !== NAMESPACE_FINALIZER) } }
  })
}

function keepOwners(work: Work, found: Located, isKept: (owner: OwnerReference) => boolean): Promise<void> {
  return change(work, found, (old) => {
    const ownerReferences = ownersOf(old).filter(isKept)
    return { ...old, metadata: { ...old.metadata, ownerReferences } }
  })
}

function dropFinalizer(work: Work, found: Located, name: string): Promise<void> {
  return change(work, found, (old) => {
    const finalizers = (old.metadata.finalizers ?? []).filter((item) => item !== name)
    return { ...old, metadata: { ...old.metadata, finalizers } }
  })
}

async function change(work: Work, { kind, key }: Located, edit: (old: ApiObject) => ApiObject): Promise<void> {
  await ignoreMissing(work.verbs.update(kind, key, edit))
}

async function remove({ verbs }: Work, { kind, key }: Located, how: DeleteOptions): Promise<void> {
  await ignoreMissing(verbs.delete(kind, key, how))
}

/** Somebody else was faster: that is all the collector wanted. */
async function ignoreMissing(done: Promise<unknown>): Promise<void> {
  try {
    await done
  } catch (error) {
    if (!(error instanceof ApiError) || error.reason !== 'NotFound') throw error
  }
}

function report(logger: Logger, key: string, error: unknown): void {
  if (error instanceof ApiError && error.reason === 'Conflict') logger.debug({ key }, 'object changed meanwhile')
  else logger.warn({ key, error }, 'collection failed, will be tried again')
}
