import { bindPod } from '../binding.ts'
import { textAt } from '../builtin/simple.ts'
import { isObject } from '../schema/json.ts'
import { badRequest, methodNotAllowed } from '../status.ts'
import { readValue } from './body.ts'
import { writeOptions } from './query.ts'
import { sendJson } from './reply.ts'
import type { ResourceCall, ResourceContext } from './resource.ts'

/** `POST pods/<name>/binding`. */
export async function serveBinding(context: ResourceContext, call: ResourceCall): Promise<void> {
  const { target, query, request, response } = call
  const { kind, namespace, name = '' } = target
  if (request.method !== 'POST') throw methodNotAllowed()
  const { dryRun = false } = writeOptions(query, 'CreateOptions')
  const body = await readValue(request, 'Binding')
  const node = isObject(body) ? textAt(body['target'], 'name') : null
  if (node === null || node === '') throw badRequest('Binding "" is invalid: target.name: Required value')
  await bindPod(context, kind, { namespace, name }, node, { dryRun })
  sendJson(response, 201, { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 })
}
