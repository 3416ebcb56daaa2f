/** Which pods this node runs: all, or where others use the same API those that are its own. */
import type { Pod } from '../kube/builtin.ts'
import type { Informer } from '../kube/informer.ts'
import { keyOf } from '../kube/keys.ts'
import { PODS } from '../kube/resources.ts'
import { isConflict, isNotFound } from '../kube/types.ts'
import type { NodeClient } from './context.ts'
import type { ReconcilePodsOptions } from './reconcile-pods.ts'
import { reconcilePods } from './reconcile-pods.ts'

/** What tells a node's own pods from those of others. */
export interface OwnPods {
  readonly namespace: string
  /** Key of a label that each of them has. */
  readonly label: string
  /** Key of the taint by which a scheduler keeps others away. */
  readonly taint: string
}

/** Whether a pod is one of the node's own; every pod is where there are no others. */
export function isAdmitted({ metadata }: Pod, only: OwnPods | undefined): boolean {
  return only === undefined || (metadata.namespace === only.namespace && metadata.labels?.[only.label] !== undefined)
}

/**
 * Refuses pods that others bound to this node (by `spec.nodeName`, or with a toleration of every taint), until `signal`
 * aborts: they are Failed with the reason, as a kubelet's admission has it, and let go when they are deleted.
 */
export function keepRefusing(
  options: ReconcilePodsOptions & { readonly client: NodeClient; readonly name: string; readonly only: OwnPods },
  pods: Informer<Pod>,
  isOurs: (pod: Pod) => boolean,
  signal: AbortSignal,
): Promise<void> {
  const { client, name, only } = options
  const message = `Pod was rejected: node ${name} runs only pods of namespace ${only.namespace} with label ${only.label}`
  const refused = { phase: 'Failed', reason: 'Rejected', message } as const
  const isDue = (pod: Pod): boolean => !isOurs(pod) && (isDeleted(pod) || !hasEnded(pod))
  const refuse = async (pod: Pod): Promise<'done'> => {
    const { uid } = pod.metadata
    if (uid === undefined) return 'done'
    const done = hasEnded(pod)
      ? client.delete(PODS, keyOf(pod), { gracePeriodSeconds: 0, preconditions: { uid } })
      : client.mergePatch(PODS, keyOf(pod), { metadata: { uid }, status: refused }, { subresource: 'status' })
    await done.catch(ignoreGone)
    return 'done'
  }
  return reconcilePods(
    options,
    pods,
    { isDue, reconcile: refuse, failure: 'refusing a pod failed, trying again' },
    signal,
  )
}

function isDeleted({ metadata }: Pod): boolean {
  return metadata.deletionTimestamp !== undefined
}

function hasEnded({ status }: Pod): boolean {
  return status?.phase === 'Failed' || status?.phase === 'Succeeded'
}

/** The pod is gone, or another one of its name. */
function ignoreGone(error: unknown): void {
  if (!isNotFound(error) && !isConflict(error)) throw error
}
