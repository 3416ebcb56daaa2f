import { asRecord } from '../../core/json.ts'
import { ANNOTATIONS } from '../../core/names.ts'
import { isTimestamp, parseTimestamp } from '../../core/time.ts'
import { isBeingApproved } from '../../core/story/approval.ts'
import { type Backoff, fullJitter } from '../../kube/backoff.ts'
import { type Informer, type InformerOptions, createInformer, withoutManagedFields } from '../../kube/informer.ts'
import type { OutageLog } from '../../kube/outage.ts'
import type { KubeClient, KubeObject, Resource } from '../../kube/types.ts'
import { type Clock, delay } from '../../lib/clock.ts'
import type { Logger } from '../../lib/log.ts'

/** The objects of one kind in the server's namespace, without those that are being deleted. */
export interface RecordCache<T extends KubeObject> {
  readonly informer: Informer<T>
  /** From memory; no name is that of no object. */
  find(name: string | undefined): T | undefined
  /** From memory; one that is not there yet is read live, so that what a caller wrote anywhere, it reads. */
  read(name: string | undefined): Promise<T | undefined>
  /** From the control plane; the cache learns from it. */
  readLive(name: string): Promise<T | undefined>
  /**
   * As readLive, for who has lost `races` in a row: after a wait that grows with them. A control plane may refuse a
   * write because of another one that it does not show yet: at once, one would read and lose the same again.
   */
  readAfterRaces(name: string, races: number): Promise<T | undefined>
  /** From the archive, what has left the control plane; absent: this kind is never archived. */
  readonly archived?: ((name: string) => Promise<T | undefined>) | undefined
  /**
   * Whether the operator has yet to give an object, shown or not, what the archive has of its name (specification §14.4):
   * it reads as new, and a status written now would take the place of that. Absent: this kind is never restored by itself.
   */
  readonly isRestoring?: ((name: string) => Promise<boolean>) | undefined
  list(): readonly T[]
  /** Counts the changes, so that what was made from the cache can be told to be out of date. */
  revision(): number
}

export interface RecordViewOptions {
  readonly client: KubeClient
  readonly namespace: string
  readonly clock: Clock
  /** In [0, 1); spreads retries. */
  readonly random: () => number
}

export interface RecordCacheOptions extends RecordViewOptions {
  readonly logger: Logger
  readonly outages: OutageLog
  readonly onRelisted: () => void
}

const RACE_BACKOFF: Backoff = { baseMs: 10, maxMs: 500 }

/** Names that the control plane could have; others are not worth a request. */
const NAME = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/

/** The cache of one kind, empty until its informer runs. */
export function createRecordCache<T extends KubeObject>(
  options: RecordCacheOptions,
  resource: Resource<T>,
  indexes: Readonly<Record<string, (object: T) => readonly string[]>> = {},
  how: Partial<Pick<InformerOptions<T>, 'labelSelector' | 'transform' | 'share'>> = {},
): RecordCache<T> {
  const { client, namespace, clock, logger, random, outages, onRelisted } = options
  const transform = withoutManagedFields<T>
  const informer = createInformer<T>({
    client,
    resource,
    namespace,
    indexes,
    transform,
    clock,
    logger,
    random,
    outages,
    onRelisted,
    ...how,
  })
  return viewRecords(options, informer, isPresent)
}

/** What an informer knows of the objects that `isShown` lets pass; the others are as good as not there. */
export function viewRecords<T extends KubeObject>(
  { client, namespace, clock, random }: RecordViewOptions,
  informer: Informer<T>,
  isShown: (object: T) => boolean,
): RecordCache<T> {
  const { resource } = informer
  let changes = 0
  informer.onChange(() => (changes += 1))
  const shown = (object: T | undefined): T | undefined => (object !== undefined && isShown(object) ? object : undefined)
  const find = (name: string | undefined): T | undefined =>
    name === undefined ? undefined : shown(informer.get({ namespace, name }))
  const readLive = async (name: string): Promise<T | undefined> => {
    const object = NAME.test(name) ? await client.find(resource, { namespace, name }) : undefined
    if (object !== undefined) informer.observe(object)
    return shown(object)
  }
  return {
    informer,
    find,
    readLive,
    async readAfterRaces(name, races) {
      await delay(clock, fullJitter(RACE_BACKOFF, races, random()))
      return readLive(name)
    },
    read: async (name) => (name === undefined ? undefined : (find(name) ?? (await readLive(name)))),
    list: () => informer.list(namespace).filter(isShown),
    revision: () => changes,
  }
}

/**
 * REST answers 404 for what is being deleted, at once, though finalizers may keep it a while (specification §3.25), and
 * for a story while its plan is being approved: nobody is to see the half of one. A task that is being restored is shown
 * as the archive has it, in lists as well, until it has its state.
 */
export function isPresent(object: KubeObject): boolean {
  return exists(object) && !isBeingApproved(object) && !isBeingRestored(object)
}

/** How far the clocks of this server and of the control plane may be apart. */
const TOLERANCE_MS = 60_000

/** A mark that came with a manifest, from an earlier task of that name, says nothing: it is older than the object. */
function isBeingRestored({ kind, metadata, status }: KubeObject & { readonly status?: unknown }): boolean {
  const mark = kind === 'Task' ? metadata.annotations?.[ANNOTATIONS.restoring] : undefined
  if (mark === undefined || !isTimestamp(mark) || asRecord(status)['state'] !== undefined) return false
  const [markedMs, createdMs] = [mark, metadata.creationTimestamp ?? mark].map((at) => parseTimestamp(at).getTime())
  return Math.abs((markedMs ?? 0) - (createdMs ?? 0)) < TOLERANCE_MS
}

/** Whether an object is there and stays, shown or not. */
export function exists(object: KubeObject): boolean {
  return object.metadata.deletionTimestamp === undefined
}
