/** A scheduler for one node: pods that nobody schedules are bound to it. */
import type { Pod } from '../kube/builtin.ts'
import type { Informer } from '../kube/informer.ts'
import { keyOf } from '../kube/keys.ts'
import { isConflict, isNotFound } from '../kube/types.ts'
import type { Clock } from '../lib/clock.ts'
import type { Logger } from '../lib/log.ts'
import type { NodeClient } from './context.ts'
import { createLatch } from './latch.ts'

export interface BindOptions {
  readonly client: NodeClient
  readonly name: string
  readonly clock: Clock
  readonly logger: Logger
}

const DEFAULT_SCHEDULER = 'default-scheduler'
const RETRY_MS = 2_000

/** Whether this node takes a pod: nobody has it yet, no other scheduler is named, and its nodeSelector matches. */
export function isForUs(pod: Pod, labels: Readonly<Record<string, string>>): boolean {
  const { nodeName, schedulerName, nodeSelector } = pod.spec
  const isFree = (nodeName ?? '') === '' && pod.metadata.deletionTimestamp === undefined
  const isOurs = (schedulerName ?? DEFAULT_SCHEDULER) === DEFAULT_SCHEDULER
  return isFree && isOurs && Object.entries(nodeSelector ?? {}).every(([key, value]) => labels[key] === value)
}

/** Binds what the informer shows as free, until `signal` aborts; what fails is tried again. */
export async function keepBinding(
  options: BindOptions,
  unscheduled: Informer<Pod>,
  labels: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<void> {
  const { clock, logger } = options
  const latch = createLatch(clock)
  /** Bound, though the informer may not have heard of it yet. */
  const bound = new Set<string>()
  unscheduled.onChange((change) => {
    if (change.type === 'delete') bound.delete(change.previous.metadata.uid ?? '')
    latch.set()
  })
  signal.addEventListener('abort', () => latch.set())
  while (!signal.aborted) {
    let retryAt: Date | undefined
    for (const pod of unscheduled.list()) {
      const uid = pod.metadata.uid ?? ''
      if (bound.has(uid) || !isForUs(pod, labels)) continue
      try {
        await bindPod(options, pod)
        bound.add(uid)
      } catch (error) {
        logger.warn({ error, pod: pod.metadata.name }, 'binding a pod failed, trying again')
        retryAt = new Date(clock.now().getTime() + RETRY_MS)
      }
    }
    await latch.wait(retryAt)
  }
}

/** Another scheduler that was faster, or a pod that is gone, is no error. */
async function bindPod({ client, name }: BindOptions, pod: Pod): Promise<void> {
  try {
    await client.bindPod(keyOf(pod), name)
  } catch (error) {
    if (!isConflict(error) && !isNotFound(error)) throw error
  }
}
