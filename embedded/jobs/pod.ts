import type { ApiObject } from '../objects.ts'
import { type JsonObject, isObject } from '../schema/json.ts'
import { CONTROLLER_UID_LABEL, JOB_NAME_LABEL, JOB_TRACKING_FINALIZER, objectAt } from './model.ts'

/** Longest prefix that leaves room for the five random characters of a pod's name. */
const MAX_PREFIX = 58

/** The pod of one attempt, from the Job's template; the API server completes its name. */
export function makePod(job: ApiObject): JsonObject {
  const { name, namespace = '', uid = '' } = job.metadata
  const template = objectAt(objectAt(job, 'spec'), 'template')
  const metadata = objectAt(template, 'metadata')
  const annotations = metadata['annotations']
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      generateName: `${name.slice(0, MAX_PREFIX - 1)}-`,
      namespace,
      labels: { ...objectAt(metadata, 'labels'), ...jobLabels(name, uid) },
      ...(isObject(annotations) && { annotations: structuredClone(annotations) }),
      finalizers: [JOB_TRACKING_FINALIZER],
      ownerReferences: [{ apiVersion: 'batch/v1', kind: 'Job', name, uid, controller: true, blockOwnerDeletion: true }],
    },
    spec: structuredClone(objectAt(template, 'spec')),
  }
}

/** The two without prefix are what kubectl and tools of before Kubernetes 1.27 select by. */
function jobLabels(name: string, uid: string): { [label: string]: string } {
  return { [CONTROLLER_UID_LABEL]: uid, [JOB_NAME_LABEL]: name, 'controller-uid': uid, 'job-name': name }
}

/** The uid of the Job that controls a pod. */
export function owningJob(pod: ApiObject): { readonly name: string; readonly uid: string } | undefined {
  return pod.metadata.ownerReferences?.find((owner) => owner.controller === true && owner.kind === 'Job')
}
