import { isObject } from '../schema/json.ts'
import type { JsonObject } from '../schema/json.ts'
import { textAt } from '../builtin/simple.ts'
import { badRequest, conflict, methodNotAllowed } from '../status.ts'
import { timestamp } from '../strategy.ts'
import { readValue } from './body.ts'
import { writeOptions } from './query.ts'
import { sendJson } from './reply.ts'
import type { ResourceCall, ResourceContext } from './resource.ts'

/** `POST pods/<name>/binding`: gives a pod to a node, once. */
export async function serveBinding({ verbs, clock }: ResourceContext, call: ResourceCall): Promise<void> {
  const { target, query, request, response } = call
  const { kind, namespace, name = '' } = target
  if (request.method !== 'POST') throw methodNotAllowed()
  const { dryRun = false } = writeOptions(query, 'CreateOptions')
  const body = await readValue(request, 'Binding')
  const node = isObject(body) ? textAt(body['target'], 'name') : null
  if (node === null || node === '') throw badRequest('Binding "" is invalid: target.name: Required value')
  const bindingKind = { ...kind, plural: `${kind.plural}/binding` }
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
  await verbs.update(kind, { namespace, name }, bind, { dryRun })
  const scheduled = { type: 'PodScheduled', status: 'True', lastTransitionTime: timestamp(clock.now()) }
  const mark = (pod: JsonObject): JsonObject => {
    const status = isObject(pod['status']) ? pod['status'] : {}
    const others = Array.isArray(status['conditions']) ? status['conditions'] : []
    const kept = others.filter((condition) => !isObject(condition) || condition['type'] !== scheduled.type)
    return { ...pod, status: { ...status, conditions: [...kept, scheduled] } }
  }
  await verbs.update(kind, { namespace, name }, mark, { dryRun, subresource: 'status' })
  sendJson(response, 201, { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 })
}
