/** A scheduler for one node: pods that nobody schedules are bound to it. */
import type { Pod } from '../kube/builtin.ts'
import { keyOf } from '../kube/keys.ts'
import { isConflict, isNotFound } from '../kube/types.ts'
import type { NodeClient } from './context.ts'

const DEFAULT_SCHEDULER = 'default-scheduler'

/** Whether this node takes a pod: nobody has it yet, no other scheduler is named, and its nodeSelector matches. */
export function isForUs(pod: Pod, labels: Readonly<Record<string, string>>): boolean {
  const { nodeName, schedulerName, nodeSelector } = pod.spec
  const isFree = (nodeName ?? '') === '' && pod.metadata.deletionTimestamp === undefined
  const isOurs = (schedulerName ?? DEFAULT_SCHEDULER) === DEFAULT_SCHEDULER
  return isFree && isOurs && Object.entries(nodeSelector ?? {}).every(([key, value]) => labels[key] === value)
}

/** Binds a pod to a node. Another scheduler that was faster, or a pod that is gone, is no error. */
export async function bindPod(client: NodeClient, pod: Pod, node: string): Promise<void> {
  try {
    await client.bindPod(keyOf(pod), node)
  } catch (error) {
    if (!isConflict(error) && !isNotFound(error)) throw error
  }
}
