import type { Pod } from '../kube/builtin.ts'
import type { Informer } from '../kube/informer.ts'
import type { Clock } from '../lib/clock.ts'
import type { Logger } from '../lib/log.ts'
import { createLatch } from './latch.ts'

export interface ReconcilePodsOptions {
  readonly clock: Clock
  readonly logger: Logger
}

/** What is to be done for which pods, and what the log says when it fails. */
export interface PodReconciler {
  readonly isDue: (pod: Pod) => boolean
  readonly reconcile: (pod: Pod) => Promise<void>
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
  const latch = createLatch(clock)
  pods.onChange(latch.set)
  signal.addEventListener('abort', latch.set)
  while (!signal.aborted) {
    let retryAt: Date | undefined
    for (const pod of pods.list().filter(isDue)) {
      try {
        await reconcile(pod)
      } catch (error) {
        logger.warn({ error, pod: pod.metadata.name }, failure)
        retryAt = new Date(clock.now().getTime() + RETRY_MS)
      }
    }
    await latch.wait(retryAt)
  }
}
