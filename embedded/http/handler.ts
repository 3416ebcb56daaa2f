import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Logger } from '../../lib/log.ts'
import { makeDiscovery } from '../discovery.ts'
import type { Registry } from '../registry.ts'
import { representationFor } from '../table/table.ts'
import { toApiError } from '../failure.ts'
import type { Store } from '../storage/backend.ts'
import { ApiError, methodNotAllowed } from '../status.ts'
import { type NonResourceContext, serveNonResource } from './non-resource.ts'
import { makeOpenApi } from '../openapi.ts'
import type { NodeLogin } from '../pod-log.ts'
import { servePodLog } from './pod-log.ts'
import { serveBinding } from './binding.ts'
import { sendError, sendPageNotFound } from './reply.ts'
import { type ResourceCall, type ResourceContext, serveResource } from './resource.ts'
import { refuseImpersonation, serveReview } from './reviews.ts'
import { findTarget } from './target.ts'

export interface HandlerOptions extends ResourceContext {
  readonly registry: Registry
  readonly logger: Logger
  readonly token: string
  /** Told of each connection on which a request brought the token. */
  readonly onAuthorized: (socket: Duplex) => void
  readonly nodeLogin: NodeLogin
}

interface HandlerContext extends HandlerOptions, NonResourceContext {
  readonly store: Store
}

/** Answers every request; never rejects, and reports what it could not answer. */
export function makeHandler(options: HandlerOptions): RequestListener {
  const { registry } = options
  const context = { ...options, discovery: makeDiscovery(registry), openApi: makeOpenApi(registry) }
  const isAuthorized = bearerCheck(context.token)
  return (request, response) => {
    const answer = isAuthorized(request) ? admit(context, request, response) : Promise.reject(unauthorized())
    answer.catch((error: unknown) => fail(context.logger, request, response, error))
  }
}

async function admit(context: HandlerContext, request: IncomingMessage, response: ServerResponse): Promise<void> {
  context.onAuthorized(request.socket)
  refuseImpersonation(request)
  return route(context, request, response)
}

async function route(context: HandlerContext, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [path = '/', search = ''] = (request.url ?? '/').split('?', 2)
  const query = new URLSearchParams(search)
  if (await serveNonResource(context, path, request, response)) return
  if (await serveReview(path, request, response)) return
  const target = findTarget(context.registry, path)
  if (target === undefined) {
    sendPageNotFound(response)
    return
  }
  const form = representationFor(request.headers.accept, target.kind, query, context.clock.now())
  await serveTarget(context, { target, query, form, request, response })
}

function serveTarget(context: HandlerContext, call: ResourceCall): Promise<void> {
  const { subresource } = call.target
  if (subresource === 'log') return servePodLog(context, call)
  if (subresource === 'binding') return serveBinding(context, call)
  if (call.request.method === 'POST' && call.target.name !== undefined) return Promise.reject(methodNotAllowed())
  return serveResource(context, call)
}

function unauthorized(): ApiError {
  return new ApiError(401, 'Unauthorized', 'Unauthorized')
}

/** Compares digests, so that the time taken says nothing about the token, not even its length. */
function bearerCheck(token: string): (request: IncomingMessage) => boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
  const wanted = digest(`Bearer ${token}`)
  return ({ headers }) => timingSafeEqual(digest(headers.authorization ?? ''), wanted)
}

function fail(logger: Logger, request: IncomingMessage, response: ServerResponse, error: unknown): void {
  const answer = toApiError(error, (unknown) =>
    logger.error({ error: unknown, method: request.method, url: request.url }, 'request failed'),
  )
  if (response.headersSent || response.destroyed) {
    // Too late for a Status: a cut connection is the only way to say that the answer is not whole.
    response.destroy()
    return
  }
  // The rest of a body is not read, so the connection cannot carry another request.
  if (!request.complete) response.setHeader('Connection', 'close')
  sendError(response, answer)
}
