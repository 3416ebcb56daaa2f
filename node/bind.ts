/** A scheduler for one node: pods that nobody schedules are bound to it. */
import type { Pod, BuiltinCondition } from '../kube/builtin.ts'
import type { Informer } from '../kube/informer.ts'
import { keyOf } from '../kube/keys.ts'
import { NODES, PODS } from '../kube/resources.ts'
import { isConflict, isNotFound } from '../kube/types.ts'
import type { NodeClient } from './context.ts'
import { type ReconcilePodsOptions, reconcilePods } from './reconcile-pods.ts'
import { toTime } from './status.ts'

export interface BindOptions extends ReconcilePodsOptions {
  readonly client: NodeClient
  readonly name: string
}

const DEFAULT_SCHEDULER = 'default-scheduler'

/** Whether this node takes a pod: nobody has it yet, no other scheduler is named, and its nodeSelector matches. */
export function isForUs(pod: Pod, labels: Readonly<Record<string, string>>): boolean {
  const { nodeName, schedulerName, nodeSelector = {} } = pod.spec
  const isFree = (nodeName ?? '') === '' && pod.metadata.deletionTimestamp === undefined
  const isOurs = (schedulerName ?? DEFAULT_SCHEDULER) === DEFAULT_SCHEDULER
  return isFree && isOurs && Object.entries(nodeSelector).every(([key, value]) => labels[key] === value)
}

/** Binds what the informer shows as free while the node is not cordoned, until `signal` aborts; what fails is tried again. */
export async function keepBinding(
  options: BindOptions,
  unscheduled: Informer<Pod>,
  labels: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<void> {
  /** Bound, though the informer may not have heard of it yet. */
  const bound = new Set<string>()
  unscheduled.onChange((change) => {
    if (change.type === 'delete') bound.delete(change.previous.metadata.uid ?? '')
  })
  const isDue = (pod: Pod): boolean => !bound.has(pod.metadata.uid ?? '') && isForUs(pod, labels)
  const reconcile = async (pod: Pod): Promise<'done' | 'later'> => {
    const isOpen = !(await isCordoned(options))
    await (isOpen ? bindPod(options, pod) : markUnschedulable(options, pod)).catch(ignoreOvertaken)
    if (!isOpen) return 'later'
    bound.add(pod.metadata.uid ?? '')
    return 'done'
  }
  await reconcilePods(options, unscheduled, { isDue, reconcile, failure: 'binding a pod failed, trying again' }, signal)
}

function bindPod({ client, name }: BindOptions, pod: Pod): Promise<void> {
  return client.bindPod(keyOf(pod), name)
}

/** Another scheduler that was faster, or a pod that is gone, is no error. */
function ignoreOvertaken(error: unknown): void {
  if (!isConflict(error) && !isNotFound(error)) throw error
}

/** What `kubectl cordon` and `kubectl drain` ask of a node: no new pods until it is uncordoned. */
async function isCordoned({ client, name }: BindOptions): Promise<boolean> {
  return (await client.find(NODES, { name }))?.spec?.unschedulable === true
}

/** Says on a pod why it waits, once, in a scheduler's words and with the way out. */
async function markUnschedulable({ client, clock, name }: BindOptions, pod: Pod): Promise<void> {
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
