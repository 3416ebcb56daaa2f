/**
 * Informers + work queue + one reconcile function.
 *
 * A change of a watched object enqueues keys; workers call `reconcile` for each, never twice at once for a key. The
 * function is level-triggered: it looks at the caches, not at the change. Afterwards: done (optionally to be looked
 * at again at a given time), or thrown: again after a back-off. A lost compare-and-swap is no error but a sign that
 * the cache was behind: again soon, without a line in the log.
 *
 * What nobody can hurry, such as a disk that does not answer, must not hold up other keys: a reconcile waits for it
 * through `stepAside`, and after a while its worker takes other keys. Its own key stays taken until it has ended, so
 * that it is still never looked at twice at once, and changes of it meanwhile are looked at afterwards.
 */
import { setMaxListeners } from 'node:events'
import { orAborted, whenAborted } from '../lib/async.ts'
import { type Clock, delay } from '../lib/clock.ts'
import type { Logger } from '../lib/log.ts'
import { type Backoff, REFUSED_MAX_MS, UNREACHABLE_MAX_MS } from './backoff.ts'
import { type Change, versionsOf } from './cache.ts'
import type { Informer } from './informer.ts'
import { keyFromString, keyOf, keyToString } from './keys.ts'
import { type KubeObject, type ObjectKey, isConflict, isForbidden, isUnreachable } from './types.ts'
import { type WorkQueue, type WorkQueueMetrics, createWorkQueue } from './workqueue.ts'

/** When to look again if nothing changes meanwhile. */
export interface ReconcileResult {
  readonly requeueAt?: Date | undefined
}

/**
 * Waits for `work`, and from `afterMs` on without holding a worker. Rejects as soon as the reconcile's signal aborts:
 * `work` goes on then, and the reconcile does not.
 */
export type StepAside = <T>(work: Promise<T>, afterMs: number) => Promise<T>

/** Brings one object a step closer to what it should be. Level-triggered; must end soon after `signal` aborts. */
export type Reconcile = (key: ObjectKey, signal: AbortSignal, stepAside: StepAside) => Promise<ReconcileResult | void>

/** How a reconcile ended; `conflict` is a lost compare-and-swap. */
export type ReconcileOutcome = 'done' | 'requeued' | 'conflict' | 'failed'

/** Hooks for what an operator of the controller wants to see. */
export interface ControllerMetrics extends WorkQueueMetrics {
  readonly reconciled?: (outcome: ReconcileOutcome, ms: number) => void
}

/** What a controller works on and with. */
export interface ControllerOptions<T extends KubeObject> {
  /** For logs: `task`. */
  readonly name: string
  /** The kind whose keys are reconciled; watched without further ado. */
  readonly primary: Informer<T>
  readonly reconcile: Reconcile
  readonly clock: Clock
  readonly random: () => number
  readonly logger: Logger
  readonly workers?: number
  /** How many reconciles may have stepped aside; further ones hold their worker. */
  readonly maxAside?: number
  /** Every object is looked at again after this, in case a rule depends on something that nobody watches. */
  readonly resyncMs?: number
  readonly backoff?: Backoff
  /** How long running reconciles may go on after a stop before their signal aborts. */
  readonly stopGraceMs?: number
  /** Asked once, with the controller's name, for hooks to call. */
  readonly observe?: ((controller: string) => ControllerMetrics) | undefined
  /** Told of every reconcile that failed, lost races left out; it is logged and tried again in any case. */
  readonly onFailure?: (key: ObjectKey, error: unknown) => void
  /** Caches that `reconcile` reads beside those that are watched: it begins when these are synced too. */
  readonly reads?: readonly Pick<Informer<KubeObject>, 'synced'>[] | undefined
  /** Asked of each key when it becomes ready: whether others may be looked at before it. Default: none. */
  readonly isPatient?: (key: ObjectKey) => boolean
}

/** One kind's reconcile loop; `watch` before `run`. */
export interface Controller {
  /** Changes of `informer`'s objects enqueue the keys that `toKeys` names, for the old and for the new object. */
  watch<U extends KubeObject>(informer: Informer<U>, toKeys: (object: U) => readonly ObjectKey[]): void
  /** As `watch`, for who has to see both sides of a change to tell whom it concerns. */
  watchChanges<U extends KubeObject>(informer: Informer<U>, toKeys: (change: Change<U>) => readonly ObjectKey[]): void
  /** Whatever else enqueues keys. @param subscribe its end is what it returns, called when the controller has stopped */
  follow(subscribe: (enqueue: (key: ObjectKey) => void) => () => void): void
  enqueue(key: ObjectKey): void
  /**
   * Works from the moment that every watched informer, and all that `reads` names, is synced until `stop` aborts; then takes nothing new and
   * resolves when the running reconciles have ended. `abort` (say, leadership lost) stops as well, and aborts these
   * at once. To be called once.
   */
  run(stop: AbortSignal, abort?: AbortSignal): Promise<void>
}

const DEFAULT_WORKERS = 4
/** When what they wait for comes back, they all go on at once, beside the workers. */
const DEFAULT_MAX_ASIDE = 256
const DEFAULT_RESYNC_MS = 10 * 60_000
const DEFAULT_STOP_GRACE_MS = 10_000

/** A controller that watches its primary informer and does nothing before `run`. */
export function createController<T extends KubeObject>(options: ControllerOptions<T>): Controller {
  const { clock, random, name } = options
  const metrics = options.observe?.(name)
  const queue = createWorkQueue({
    clock,
    random,
    ...(options.backoff && { backoff: options.backoff }),
    ...(metrics && { metrics }),
    isPatient: (key) => options.isPatient?.(keyFromString(key)) === true,
  })
  const sources = createSources((key) => queue.add(key))
  const retries = createRetries(options, queue)
  const attempt = async (key: string, signal: AbortSignal, stepAside: StepAside): Promise<ReconcileOutcome> => {
    try {
      const result = await options.reconcile(keyFromString(key), signal, stepAside)
      retries.forget(key)
      if (!result?.requeueAt) return 'done'
      queue.addAfter(key, result.requeueAt.getTime() - clock.now().getTime())
      return 'requeued'
    } catch (error) {
      // Whoever takes over finds the state as it is; an aborted step is nobody's failure.
      if (signal.aborted) return 'requeued'
      return retries.recordFailure(key, error)
    }
  }
  const untilFree = createAside(options)
  const work = async (signal: AbortSignal): Promise<void> => {
    for (let key = await queue.take(); key !== undefined; key = await queue.take()) {
      const taken = key
      const startedAt = clock.now().getTime()
      await untilFree(signal, async (stepAside) => {
        const outcome = await attempt(taken, signal, stepAside)
        queue.done(taken)
        metrics?.reconciled?.(outcome, clock.now().getTime() - startedAt)
      })
    }
  }
  sources.watch(options.primary, (object) => [keyOf(object)])
  return {
    watch: sources.watch,
    watchChanges: sources.watchChanges,
    follow: sources.follow,
    enqueue: (key) => queue.add(keyToString(key)),
    async run(stop, abort = new AbortController().signal) {
      await runWorkers(stop, abort)
      sources.end()
    },
  }

  async function runWorkers(stop: AbortSignal, abort: AbortSignal): Promise<void> {
    const cancel = new AbortController()
    // One listener for each reconcile that waits for something: more than the ten that Node takes for a leak.
    setMaxListeners(0, cancel.signal)
    const stopped = Promise.race([whenAborted(stop), whenAborted(abort)])
    const read = (options.reads ?? []).map(({ synced }) => synced)
    const isReady = await Promise.race([allTrue([...sources.synced, ...read]), stopped])
    if (!isReady || stop.aborted || abort.aborted) return
    const cancelNow = (): void => cancel.abort(abort.reason)
    abort.addEventListener('abort', cancelNow, { once: true })
    const resyncing = new AbortController()
    const running = Array.from({ length: options.workers ?? DEFAULT_WORKERS }, () => work(cancel.signal))
    running.push(resync(options, queue, resyncing.signal))
    await stopped
    resyncing.abort()
    const disarm = clock.schedule(options.stopGraceMs ?? DEFAULT_STOP_GRACE_MS, () => cancel.abort())
    await queue.shutDown(false)
    disarm()
    await Promise.all(running)
    abort.removeEventListener('abort', cancelNow)
  }
}

/** Runs reconciles; each time it resolves when the worker is free: the reconcile has ended, or has stepped aside. */
function createAside({
  clock,
  maxAside = DEFAULT_MAX_ASIDE,
}: Pick<ControllerOptions<KubeObject>, 'clock' | 'maxAside'>) {
  let aside = 0
  return async (signal: AbortSignal, reconcile: (stepAside: StepAside) => Promise<void>): Promise<void> => {
    let [isAside, hasEnded] = [false, false]
    let free: () => void = () => undefined
    const freed = new Promise<void>((resolve) => (free = resolve))
    const leave = (): void => {
      // A wait may outlast its reconcile, which another of its waits has failed.
      if (hasEnded || isAside || aside >= maxAside) return
      isAside = true
      aside += 1
      free()
    }
    const stepAside: StepAside = async (work, afterMs) => {
      const cancel = clock.schedule(afterMs, leave)
      try {
        return await orAborted(work, signal)
      } finally {
        cancel()
      }
    }
    const ended = reconcile(stepAside).finally(() => {
      hasEnded = true
      if (isAside) aside -= 1
    })
    await Promise.race([ended, freed])
  }
}

/** Has everything looked at again from time to time, after all that is more urgent. */
async function resync<T extends KubeObject>(
  { clock, primary, resyncMs = DEFAULT_RESYNC_MS }: ControllerOptions<T>,
  queue: WorkQueue,
  stop: AbortSignal,
): Promise<void> {
  for (;;) {
    await delay(clock, resyncMs, stop)
    if (stop.aborted) return
    for (const object of primary.list()) queue.add(keyToString(keyOf(object)), true)
  }
}

/** Where keys come from: caches, and whatever else enqueues them. */
function createSources(add: (key: string) => void) {
  const synced: Promise<boolean>[] = []
  const subscriptions: (() => void)[] = []
  const watchChanges: Controller['watchChanges'] = (informer, toKeys) => {
    synced.push(informer.synced)
    const end = informer.onChange((change) => {
      // Once per key: a second add of a key that a worker has just taken would have it looked at twice.
      for (const key of new Set(toKeys(change).map(keyToString))) add(key)
    })
    subscriptions.push(end)
  }
  const watch: Controller['watch'] = (informer, toKeys) =>
    watchChanges(informer, (change) => versionsOf(change).flatMap((object) => toKeys(object)))
  const follow: Controller['follow'] = (subscribe) => void subscriptions.push(subscribe((key) => add(keyToString(key))))
  const end = (): void => subscriptions.forEach((unsubscribe) => unsubscribe())
  return { synced, watchChanges, watch, follow, end }
}

/** What becomes of a key whose reconcile failed. */
function createRetries(
  { name, logger, onFailure }: Pick<ControllerOptions<KubeObject>, 'name' | 'logger' | 'onFailure'>,
  queue: Pick<WorkQueue, 'addRateLimited' | 'failures' | 'forget'>,
) {
  /** Keys whose last reconcile got no answer from the API server. */
  const away = new Set<string>()
  return {
    forget(key: string): void {
      queue.forget(key)
      away.delete(key)
    },
    recordFailure(key: string, error: unknown): ReconcileOutcome {
      const isAway = isUnreachable(error)
      // What failed while the server was away says nothing of the object.
      if (away.delete(key) && !isAway) queue.forget(key)
      queue.addRateLimited(key, isAway ? UNREACHABLE_MAX_MS : isForbidden(error) ? REFUSED_MAX_MS : undefined)
      if (isConflict(error)) return 'conflict'
      const failures = queue.failures(key)
      // The informers log an outage; a line for each key every few seconds would bury that.
      const level = isAway && failures > 1 ? 'debug' : 'error'
      logger[level]({ error, controller: name, key, failures }, 'reconcile failed, trying again')
      if (isAway) away.add(key)
      onFailure?.(keyFromString(key), error)
      return 'failed'
    },
  }
}

async function allTrue(promises: readonly Promise<boolean>[]): Promise<boolean> {
  return (await Promise.all(promises)).every(Boolean)
}
