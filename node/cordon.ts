/** What `kubectl cordon` and `kubectl drain` ask of a node: no new pods until it is uncordoned. */
import type { BuiltinCondition, Pod } from '../kube/builtin.ts'
import { keyOf } from '../kube/keys.ts'
import { NODES, PODS } from '../kube/resources.ts'
import type { Clock } from '../lib/clock.ts'
import type { NodeClient } from './context.ts'
import { toTime } from './status.ts'

export interface CordonOptions {
  readonly client: NodeClient
  readonly clock: Clock
  readonly name: string
}

export async function isCordoned({ client, name }: CordonOptions): Promise<boolean> {
  return (await client.find(NODES, { name }))?.spec?.unschedulable === true
}

/** Says on a pod why it waits, once, in a scheduler's words and with the way out. */
export async function markUnschedulable({ client, clock, name }: CordonOptions, pod: Pod): Promise<void> {
  const { conditions = [] } = pod.status ?? {}
  if (conditions.some(isUnscheduled)) return
  const condition: BuiltinCondition = {
    type: 'PodScheduled',
    status: 'False',
    reason: 'Unschedulable',
    message: `0/1 nodes are available: 1 node(s) were unschedulable; to go on: kubectl uncordon ${name}`,
    lastTransitionTime: toTime(clock.now()),
  }
  const status = { ...pod.status, conditions: [...conditions.filter(({ type }) => type !== 'PodScheduled'), condition] }
  const { uid } = pod.metadata
  await client.mergePatch(PODS, keyOf(pod), { metadata: { uid }, status }, { subresource: 'status' })
}

function isUnscheduled({ type, status }: BuiltinCondition): boolean {
  return type === 'PodScheduled' && status === 'False'
}
