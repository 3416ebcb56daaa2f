import { type Clock, delay } from '../lib/clock.ts'
import type { Elapsed } from '../lib/elapsed.ts'
import type { Logger } from '../lib/log.ts'
import { applyAction, JOBS, PODS, releasePod } from './jobs/apply.ts'
import { JOB_TRACKING_FINALIZER, readJob, readPod } from './jobs/model.ts'
import { owningJob } from './jobs/pod.ts'
import { type PodIndex, keyOf, makePodIndex } from './jobs/pod-index.ts'
import { makeKeyedQueue } from './jobs/queue.ts'
import { reconcileJob } from './jobs/reconcile.ts'
import type { ApiObject, ObjectApi, ObjectEvent, ObjectKey, ResourceRef } from './objects.ts'
import { ApiError } from './status.ts'

export interface JobController {
  /** Ends the watches and waits for the step that is running. */
  stop(): Promise<void>
}

/**
 * Runs Jobs as the Job controller of kube-controller-manager does: creates, replaces, counts and deletes their pods.
 *
 * All state is in the Jobs and Pods: killed at any moment and started again, it goes on without making a pod twice
 * or counting one twice. Not served: completionMode Indexed, podFailurePolicy, successPolicy, backoffLimitPerIndex.
 */
export function startJobController(api: ObjectApi, elapsed: Elapsed, clock: Clock, logger: Logger): JobController {
  const pods = makePodIndex()
  const abort = new AbortController()
  const failed = (key: string, error: unknown): void => report(logger, key, error)
  const jobs = makeKeyedQueue((key) => syncJob(api, { elapsed, clock }, pods, parseKey(key)), clock, failed)
  const orphans = makeKeyedQueue((key) => releaseOrphan(api, parseKey(key)), clock, failed)
  const onJob = ({ type, object }: ObjectEvent): void => {
    if (type !== 'DELETED') return jobs.add(formatKey(keyOf(object)))
    for (const pod of pods.of(object.metadata.uid ?? '')) orphans.add(formatKey(pod))
  }
  const onPod = ({ type, object }: ObjectEvent): void => {
    if (type === 'DELETED') pods.remove(object)
    else pods.add(object)
    const owner = owningJob(object)
    if (owner !== undefined) jobs.add(formatKey({ namespace: object.metadata.namespace, name: owner.name }))
    if (isTracked(object) && !hasJob(api, object)) orphans.add(formatKey(keyOf(object)))
  }
  // Before any decision: a pod that is not known yet would be made a second time.
  for (const pod of api.list(PODS).items) pods.add(pod)
  const watches = [
    follow(api, JOBS, abort.signal, clock, logger, onJob),
    follow(api, PODS, abort.signal, clock, logger, onPod),
  ]
  return {
    async stop() {
      abort.abort()
      await Promise.all(watches)
      await Promise.all([jobs.stop(), orphans.stop()])
    },
  }
}

/** One look at a Job: read everything, decide, write; returns when to look again. */
async function syncJob(
  api: ObjectApi,
  { elapsed, clock }: { readonly elapsed: Elapsed; readonly clock: Clock },
  index: PodIndex,
  key: ObjectKey,
): Promise<Date | undefined> {
  const object = api.find(JOBS, key)
  if (object === undefined) return undefined
  const job = readJob(object)
  const pods = index.of(job.uid).flatMap((podKey) => api.find(PODS, podKey) ?? [])
  const now = clock.now()
  const { startTime } = job.status
  const activeMs = elapsed.since(startTime === undefined ? now : new Date(startTime))
  const step = reconcileJob({ now, activeMs, job, pods: pods.filter(belongsTo(job.uid)).map(readPod) })
  for (const action of step.actions) await applyAction(action, { api, clock, pods: index, object, job })
  return step.requeueAt
}

function belongsTo(jobUid: string): (pod: ApiObject) => boolean {
  return (pod) => owningJob(pod)?.uid === jobUid
}

/** A Job that is gone counts no more: its pods must not wait for it with their finalizer. */
async function releaseOrphan(api: ObjectApi, key: ObjectKey): Promise<undefined> {
  const pod = api.find(PODS, key)
  if (pod === undefined || !isTracked(pod) || hasJob(api, pod)) return
  await releasePod(api, key.namespace ?? '', { name: pod.metadata.name, uid: pod.metadata.uid ?? '' })
}

function isTracked(pod: ApiObject): boolean {
  return pod.metadata.finalizers?.includes(JOB_TRACKING_FINALIZER) === true
}

function hasJob(api: ObjectApi, pod: ApiObject): boolean {
  const owner = owningJob(pod)
  if (owner === undefined) return false
  return api.find(JOBS, { namespace: pod.metadata.namespace, name: owner.name })?.metadata.uid === owner.uid
}

/** Delivers changes until the signal aborts; starts over when it fell behind the kept history. */
async function follow(
  api: ObjectApi,
  resource: ResourceRef,
  signal: AbortSignal,
  clock: Clock,
  logger: Logger,
  deliver: (event: ObjectEvent) => void,
): Promise<void> {
  while (!signal.aborted) {
    try {
      for await (const event of api.watch(resource, {}, signal)) deliver(event)
    } catch (error) {
      if (signal.aborted) return
      logger.warn({ error, resource: resource.plural }, 'job controller watches again')
      await delay(clock, 1000, signal)
    }
  }
}

function report(logger: Logger, key: string, error: unknown): void {
  // A lost compare-and-swap is how concurrent writers meet; the next look decides again.
  if (error instanceof ApiError && error.reason === 'Conflict') logger.debug({ key }, 'job changed meanwhile')
  else logger.warn({ key, error }, 'job step failed, will be tried again')
}

function formatKey({ namespace = '', name }: ObjectKey): string {
  return `${namespace}/${name}`
}

function parseKey(key: string): ObjectKey {
  const [namespace = '', name = ''] = key.split('/')
  return { namespace, name }
}
