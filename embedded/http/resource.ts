import type { IncomingMessage, ServerResponse } from 'node:http'
import { parseStored } from '../decode.ts'
import { storeKey } from '../kind.ts'
import { patchFunction } from '../patch/patch.ts'
import { readState } from '../read.ts'
import type { Representation } from '../representation.ts'
import { parseSelection } from '../selection.ts'
import { ApiError, badRequest, methodNotAllowed, notFound } from '../status.ts'
import { type Deleted, type Verbs, type WriteOptions, type Written, requireServed } from '../verbs.ts'
import { parsePatch } from '../json-value.ts'
import { mediaType, readBody, readValue, requiredBody } from './body.ts'
import { toDeleteRequest } from './delete-options.ts'
import { selectionOf, serveList } from './list.ts'
import { flag, writeOptions } from './query.ts'
import { addWarnings, sendJson, sendText } from './reply.ts'
import type { Target } from './target.ts'
import { serveWatch } from './watch.ts'
import type { WatchContext } from '../watch.ts'

export interface ResourceContext extends WatchContext {
  readonly verbs: Verbs
}

/** One request for a resource, with its path and query understood. */
export interface ResourceCall {
  readonly target: Target
  readonly query: URLSearchParams
  readonly form: Representation
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

/** Answers the verbs of objects and collections. @throws ApiError for every answer that is not a success */
export async function serveResource(context: ResourceContext, call: ResourceCall): Promise<void> {
  const { target, request } = call
  if (target.name === undefined) return await serveCollection(context, call)
  switch (request.method ?? '') {
    case 'GET':
      return await getObject(context, call, target.name)
    case 'PUT':
      return await replaceObject(context, call, target.name)
    case 'PATCH':
      return await patchObject(context, call, target.name)
    case 'DELETE':
      if (target.subresource === undefined) return await deleteObject(context, call, target.name)
      throw methodNotAllowed()
    default:
      throw methodNotAllowed()
  }
}

async function serveCollection(context: ResourceContext, call: ResourceCall): Promise<void> {
  const { target, query, form, request, response } = call
  const { kind, namespace } = target
  switch (request.method ?? '') {
    case 'GET':
      return await (flag(query, 'watch') ? serveWatch : serveList)(context, kind, namespace, query, form, response)
    case 'POST':
      return await createObject(context, call)
    case 'DELETE':
      return await deleteCollection(context, call)
    case 'PATCH':
      throw badRequest('name must be provided')
    default:
      throw methodNotAllowed()
  }
}

async function getObject({ store, clock, stopping }: ResourceContext, call: ResourceCall, name: string): Promise<void> {
  const { target, query, form, response } = call
  const { kind, namespace } = target
  if (flag(query, 'watch')) {
    const only = new URLSearchParams(query)
    only.set('fieldSelector', `metadata.name=${name}`)
    return await serveWatch({ store, clock, stopping }, kind, namespace, only, form, response)
  }
  const entry = store.get(storeKey(kind, { namespace, name }))
  if (entry === undefined) throw notFound(kind, name)
  sendText(response, 200, 'application/json', form.object(entry.value))
}

async function createObject({ verbs }: ResourceContext, call: ResourceCall): Promise<void> {
  const { target, query, request } = call
  const { kind, namespace } = target
  if (kind.namespaced && namespace === undefined) throw methodNotAllowed()
  // Before the body: kubectl sends protobuf, which is read only for kinds that can be made here.
  requireServed(kind)
  const options = writeOptions(query, 'CreateOptions')
  const written = await verbs.create(kind, namespace, await requiredBody(request, kind.kind), options)
  sendWritten(call, 201, written)
}

async function replaceObject({ verbs }: ResourceContext, call: ResourceCall, name: string): Promise<void> {
  const { target, query, request } = call
  const { kind, namespace } = target
  const body = await requiredBody(request, kind.kind)
  const options = optionsFor(target, writeOptions(query, 'UpdateOptions'))
  const written = await verbs.update(kind, { namespace, name }, () => body, options)
  sendWritten(call, 200, written)
}

async function patchObject({ verbs }: ResourceContext, call: ResourceCall, name: string): Promise<void> {
  const { target, query, request } = call
  const { kind, namespace } = target
  const apply = patchFunction(kind, mediaType(request))
  const options = optionsFor(target, writeOptions(query, 'PatchOptions'))
  const patch = parsePatch(await readBody(request))
  const written = await verbs.update(kind, { namespace, name }, (old) => apply(old, patch), options)
  sendWritten(call, 200, written)
}

function sendWritten({ form, response }: ResourceCall, code: number, { json, warnings }: Written): void {
  addWarnings(response, warnings)
  sendText(response, code, 'application/json', form.object(json))
}

function optionsFor({ subresource }: Target, options: WriteOptions): WriteOptions {
  return subresource === 'status' ? { ...options, subresource } : options
}

async function deleteObject({ verbs }: ResourceContext, call: ResourceCall, name: string): Promise<void> {
  const { target, query, form, request, response } = call
  const { kind, namespace } = target
  const { how, dryRun } = toDeleteRequest(await readValue(request, 'DeleteOptions'), query)
  const { object, isGone, warnings } = await verbs.delete(kind, { namespace, name }, how, { dryRun })
  addWarnings(response, warnings)
  // A Pod is answered with itself even when it is gone, as a kube-apiserver does.
  if (!isGone || kind.rules.graceSeconds !== undefined) {
    sendText(response, 200, 'application/json', form.object(JSON.stringify(object)))
    return
  }
  const { uid = '' } = object.metadata
  const details = { name, ...(kind.group === '' ? {} : { group: kind.group }), kind: kind.plural, uid }
  sendJson(response, 200, { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details })
}

/** Undefined: somebody else was faster. The others of a collection are still to be deleted. */
async function findDeleted(deleting: Promise<Deleted>): Promise<Deleted | undefined> {
  try {
    return await deleting
  } catch (error) {
    if (error instanceof ApiError && error.reason === 'NotFound') return undefined
    throw error
  }
}

async function deleteCollection({ verbs, store }: ResourceContext, call: ResourceCall): Promise<void> {
  const { target, query, form, request, response } = call
  const { kind, namespace } = target
  if ((kind.namespaced && namespace === undefined) || !kind.hasDeleteCollection) throw methodNotAllowed()
  const { how, dryRun } = toDeleteRequest(await readValue(request, 'DeleteOptions'), query)
  const selection = parseSelection(kind, selectionOf(namespace, query))
  const { revision } = store
  const deleted: string[] = []
  for (const chunk of readState(store, kind, { namespace, selection, revision })) {
    for (const { value } of chunk) {
      const { metadata } = parseStored(value)
      const gone = await findDeleted(verbs.delete(kind, { namespace, name: metadata.name }, how, { dryRun }))
      if (gone !== undefined) deleted.push(form.item(JSON.stringify(gone.object)))
    }
  }
  const text = form.listHead + deleted.join(',') + form.listTail({ resourceVersion: String(revision) })
  sendText(response, 200, 'application/json', text)
}
