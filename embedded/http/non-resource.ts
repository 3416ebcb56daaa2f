import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Discovery } from '../discovery.ts'
import type { OpenApi } from '../openapi.ts'
import type { JsonObject } from '../schema/json.ts'
import type { Store } from '../storage/backend.ts'
import { sendError, sendJson, sendPageNotFound, sendText } from './reply.ts'
import { methodNotAllowed } from '../status.ts'

export interface NonResourceContext {
  readonly store: Pick<Store, 'problem'>
  readonly discovery: Discovery
  readonly openApi: OpenApi
}

/** Kubernetes 1.34 is what kinds and answers are modelled on; the suffix says that it is not that program. */
const VERSION = {
  major: '1',
  minor: '34',
  gitVersion: 'v1.34.0+embedded',
  platform: `${process.platform}/${process.arch}`,
}

const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'

/** Answers what is not a resource: health, version, discovery, OpenAPI. False when the path is none of these. */
export async function serveNonResource(
  context: NonResourceContext,
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<boolean> {
  const answer = find(context, path, request)
  if (answer === undefined) return false
  if (request.method !== 'GET') sendError(response, methodNotAllowed())
  else await answer(response)
  return true
}

type Answer = (response: ServerResponse) => void | Promise<void>

/** 503 with the reason while nothing can be written; reads go on. */
async function sendReadiness(store: NonResourceContext['store'], response: ServerResponse): Promise<void> {
  const problem = await store.problem()
  sendText(response, problem === undefined ? 200 : 503, PLAIN_TEXT, problem?.message ?? 'ok')
}

const PLAIN_TEXT = 'text/plain; charset=utf-8'

function find(
  { store, discovery, openApi }: NonResourceContext,
  path: string,
  request: IncomingMessage,
): Answer | undefined {
  switch (path) {
    case '/readyz':
      return (response) => sendReadiness(store, response)
    case '/healthz':
    case '/livez':
      return (response) => sendText(response, 200, PLAIN_TEXT, 'ok')
    case '/version':
      return (response) => sendJson(response, 200, VERSION)
    case '/api':
      return root(discovery, 'core', request)
    case '/apis':
      return root(discovery, 'groups', request)
    case '/openapi/v3':
      return (response) => sendJson(response, 200, openApi.index())
    case '/openapi/v2':
      return (response) => sendOpenApiV2(request, response)
    default:
      return findBelow(discovery, openApi, path)
  }
}

/**
 * A document of version 2 without a definition: kubectl asks for it about a kind that version 3 does not have, and says
 * "no matches for kind" only once it was answered. In protobuf it is field 1, the version of the format.
 */
function sendOpenApiV2(request: IncomingMessage, response: ServerResponse): void {
  if (!(request.headers.accept ?? '').includes(OPENAPI_V2)) {
    sendJson(response, 200, { swagger: '2.0', info: { title: 'Kubernetes', version: VERSION.gitVersion }, paths: {} })
    return
  }
  sendText(response, 200, OPENAPI_V2.replace('@', '.'), '\n\u{3}2.0')
}

/** As clients ask for it. The answer has a point in place of the @, which is none of RFC 2045's characters. */
const OPENAPI_V2 = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf'

function findBelow(discovery: Discovery, openApi: OpenApi, path: string): Answer | undefined {
  if (path.startsWith('/openapi/v3/')) return documentOrNothing(openApi.document(path.slice('/openapi/v3/'.length)))
  const [, top, group, version, more] = path.split('/')
  if (top === 'api' && group === 'v1' && version === undefined) return documentOrNothing(discovery.resources('', 'v1'))
  if (top !== 'apis' || group === undefined || more !== undefined) return undefined
  return documentOrNothing(version === undefined ? discovery.group(group) : discovery.resources(group, version))
}

function documentOrNothing(document: JsonObject | undefined): Answer {
  return document === undefined ? sendPageNotFound : (response) => sendJson(response, 200, document)
}

function root(discovery: Discovery, which: 'core' | 'groups', request: IncomingMessage): Answer {
  const wantsAggregated = (request.headers.accept ?? '').includes('as=APIGroupDiscoveryList')
  if (!wantsAggregated) {
    return (response) => sendJson(response, 200, which === 'core' ? discovery.coreVersions() : discovery.groups())
  }
  return (response) => {
    const etag = `"${discovery.etag()}"`
    response.setHeader('ETag', etag)
    response.setHeader('Vary', 'Accept')
    if (request.headers['if-none-match'] === etag) {
      response.writeHead(304, { 'Cache-Control': 'public' }).end()
      return
    }
    const text = JSON.stringify(discovery.aggregated(which))
    response.writeHead(200, {
      'Content-Type': AGGREGATED,
      'Cache-Control': 'public',
      'Content-Length': Buffer.byteLength(text),
    })
    response.end(text)
  }
}
