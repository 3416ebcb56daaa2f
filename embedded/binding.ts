import type { Clock } from '../lib/clock.ts'
import type { Kind } from './kind.ts'
import type { ObjectKey } from './objects.ts'
import { type JsonObject, isObject } from './schema/json.ts'
import { conflict } from './status.ts'
import { timestamp } from './strategy.ts'
import type { Verbs, WriteOptions } from './verbs.ts'

/** Gives a pod to a node, once. @throws ApiError 409 for a pod that has one, or that is being deleted */
export async function bindPod(
  { verbs, clock }: { readonly verbs: Verbs; readonly clock: Clock },
  pods: Kind,
  key: ObjectKey,
  node: string,
  options: Pick<WriteOptions, 'dryRun'> = {},
): Promise<void> {
  const { name } = key
  const bindingKind = { ...pods, plural: `${pods.plural}/binding` }
  const bind = (pod: JsonObject): JsonObject => {
    const spec = isObject(pod['spec']) ? pod['spec'] : {}
    const bound = spec['nodeName']
    // Else the Job controller, which counts such a pod as ended, and a node would disagree about it.
    if (isObject(pod['metadata']) && pod['metadata']['deletionTimestamp'] !== undefined)
      throw conflict(bindingKind, name, `pod ${name} is being deleted, cannot be assigned to a host`)
    if (bound !== undefined && bound !== '')
      throw conflict(bindingKind, name, `pod ${name} is already assigned to node ${JSON.stringify(bound)}`)
    return { ...pod, spec: { ...spec, nodeName: node } }
  }
  await verbs.update(pods, key, bind, options)
  const scheduled = { type: 'PodScheduled', status: 'True', lastTransitionTime: timestamp(clock.now()) }
  const mark = (pod: JsonObject): JsonObject => {
    const status = isObject(pod['status']) ? pod['status'] : {}
    const others = Array.isArray(status['conditions']) ? status['conditions'] : []
    const kept = others.filter((condition) => !isObject(condition) || condition['type'] !== scheduled.type)
    return { ...pod, status: { ...status, conditions: [...kept, scheduled] } }
  }
  await verbs.update(pods, key, mark, { ...options, subresource: 'status' })
}
