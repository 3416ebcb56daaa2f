/** A scheduler for one node: pods that nobody schedules are bound to it. */
import type { Pod } from '../kube/builtin.ts'
import { BINDINGS } from '../kube/resources.ts'
import type { KubeClient } from '../kube/types.ts'
import { isConflict, isNotFound } from '../kube/types.ts'

const DEFAULT_SCHEDULER = 'default-scheduler'

/** Whether this node takes a pod: nobody has it yet, no other scheduler is named, and its nodeSelector matches. */
export function isForUs(pod: Pod, labels: Readonly<Record<string, string>>): boolean {
  const { nodeName, schedulerName, nodeSelector } = pod.spec
  const isFree = (nodeName ?? '') === '' && pod.metadata.deletionTimestamp === undefined
  const isOurs = (schedulerName ?? DEFAULT_SCHEDULER) === DEFAULT_SCHEDULER
  return isFree && isOurs && Object.entries(nodeSelector ?? {}).every(([key, value]) => labels[key] === value)
}

/** Binds a pod to a node. Another scheduler that was faster, or a pod that is gone, is no error. */
export async function bindPod(client: KubeClient, pod: Pod, node: string): Promise<void> {
  const { namespace, name } = pod.metadata
  try {
    await client.create(BINDINGS, {
      apiVersion: 'v1',
      kind: 'Binding',
      metadata: { name, ...(namespace === undefined ? {} : { namespace }) },
      target: { apiVersion: 'v1', kind: 'Node', name: node },
    })
  } catch (error) {
    if (!isConflict(error) && !isNotFound(error)) throw error
  }
}
