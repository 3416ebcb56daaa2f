import type { ApiObject, ObjectKey } from '../objects.ts'
import { owningJob } from './pod.ts'

/**
 * Which pods belong to which Job, by name only: the pods themselves are read when a decision needs them, so a
 * stale entry costs one read and can mislead nobody.
 */
export interface PodIndex {
  add(pod: ApiObject): void
  remove(pod: ApiObject): void
  of(jobUid: string): readonly ObjectKey[]
}

export function makePodIndex(): PodIndex {
  const byJob = new Map<string, Map<string, ObjectKey>>()
  return {
    add(pod) {
      const owner = owningJob(pod)
      if (owner === undefined) return
      const pods = byJob.get(owner.uid) ?? new Map<string, ObjectKey>()
      byJob.set(owner.uid, pods.set(pod.metadata.name, keyOf(pod)))
    },
    remove(pod) {
      const owner = owningJob(pod)
      if (owner === undefined) return
      const pods = byJob.get(owner.uid)
      pods?.delete(pod.metadata.name)
      if (pods?.size === 0) byJob.delete(owner.uid)
    },
    of: (jobUid) => [...(byJob.get(jobUid)?.values() ?? [])],
  }
}

export function keyOf(object: ApiObject): ObjectKey {
  return { namespace: object.metadata.namespace, name: object.metadata.name }
}
