import type { Pod } from '../kube/builtin.ts'
import type { Informer } from '../kube/informer.ts'
import { createAutoResetEvent } from '../lib/async.ts'
import type { Clock } from '../lib/clock.ts'
import type { Logger } from '../lib/log.ts'

export interface ReconcilePodsOptions {
  readonly clock: Clock
  readonly logger: Logger
}

/** Work for some pods, and what the log says when it fails. */
export interface PodReconciler {
  readonly isDue: (pod: Pod) => boolean
  /** 'later': nothing was done and nothing failed; the pod is looked at again after a while. */
  readonly reconcile: (pod: Pod) => Promise<'done' | 'later'>
  readonly failure: string
}

const RETRY_MS = 2_000

/** Reconciles each pod of an informer that is due, until `signal` aborts; what fails is tried again. */
export async function reconcilePods(
  { clock, logger }: ReconcilePodsOptions,
  pods: Informer<Pod>,
  { isDue, reconcile, failure }: PodReconciler,
  signal: AbortSignal,
): Promise<void> {
  const event = createAutoResetEvent(clock)
  pods.onChange(event.set)
  signal.addEventListener('abort', event.set)
  while (!signal.aborted) {
    let retryMs: number | undefined
    for (const pod of pods.list().filter(isDue)) {
      try {
        if ((await reconcile(pod)) === 'later') retryMs = RETRY_MS
      } catch (error) {
        logger.warn({ error, pod: pod.metadata.name }, failure)
        retryMs = RETRY_MS
      }
    }
    await event.wait(retryMs)
  }
}
