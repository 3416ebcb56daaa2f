import { Router } from '@koa/router'
import Koa, { type Middleware, type Next, type ParameterizedContext } from 'koa'
import { apiError } from '../core/errors.ts'
import type { Route } from '../core/rest/route.ts'
import { type OperationId, ROUTES } from '../core/rest/routes.ts'
import type { Clock } from '../lib/clock.ts'
import type { Logger } from '../lib/log.ts'
import type { Access } from './auth/access.ts'
import type { Authorization } from './auth/authorization.ts'
import type { ClientAddress } from './http/client-address.ts'
import type { Handler, Handlers } from './handlers/handler.ts'
import type { ApiMetrics } from './metrics.ts'
import { accessLog, latency, requestId } from './http/middleware/access-log.ts'
import { body, createBodyMemoryBudget } from './http/middleware/body.ts'
import { cors, origin } from './http/middleware/cors.ts'
import { errors } from './http/middleware/errors.ts'
import { guard } from './http/middleware/guard.ts'
import { httpRules, limits } from './http/middleware/http-rules.ts'
import { notFound } from './http/middleware/not-found.ts'
import { negotiate } from './http/middleware/negotiate.ts'
import { securityHeaders } from './http/middleware/security-headers.ts'
import type { RequestState } from './http/middleware/state.ts'
import { tokenBucket } from './http/middleware/token-bucket.ts'
import { admission, token } from './http/middleware/token.ts'
import { ui } from './http/middleware/ui.ts'

export interface AppOptions {
  readonly handlers: Handlers
  readonly access: Access
  readonly authorization: Authorization
  readonly clientAddress: ClientAddress
  readonly publicUrl?: string | undefined
  readonly clock: Clock
  readonly logger: Logger
  readonly makeRequestId: () => string
  readonly isReady: () => boolean
  readonly checkResponses: boolean
  readonly isStale: () => boolean
  /** {@link HttpLimits.bodiesBytes} */
  readonly bodiesBytes: number
  readonly metrics: Pick<ApiMetrics, 'answerSeconds'>
  readonly uiFolder: string
}

/** The Koa application: what every request passes, in this order. */
export function createApp(options: AppOptions): Koa<RequestState> {
  const { access, clock, logger } = options
  const app = new Koa<RequestState>()
  const middleware: readonly Middleware<RequestState>[] = [
    latency(options.metrics),
    securityHeaders(options.publicUrl),
    requestId(options.makeRequestId),
    accessLog(logger, clock),
    errors(logger, clock),
    // Before the rules: a refusal carries cross-origin headers too.
    cors(access),
    httpRules(),
    limits(),
    origin(access),
    // Before the caches are filled: the page says that the server is starting.
    ui(options.uiFolder),
    // Before the token: a stream takes it in the query too.
    negotiate(ROUTES),
    token(access, ROUTES),
    ready(options.isReady),
    body(clock, createBodyMemoryBudget(options.bodiesBytes)),
  ]
  for (const each of middleware) app.use(each)
  app.use(createRouting(options))
  app.use(notFound(ROUTES))
  // A connection that breaks while a body streams is the client's affair; everything else is caught by errors().
  app.on('error', (error: unknown) => logger.debug({ error }, 'response not completed'))
  return app
}

/** Paths that tell something before the caches are filled. */
const ALWAYS: readonly string[] = ['/healthz', '/readyz', '/api/version']

/** Refuses requests until the caches are filled: a list with half the tasks would be a wrong answer, not a slow one. */
function ready(isReady: () => boolean): Middleware<RequestState> {
  return (ctx, next) => {
    if (!isReady() && !ALWAYS.includes(ctx.path))
      throw apiError('unavailable', 'the server is starting: its caches are still being filled', 1)
    return next()
  }
}

/**
 * The route table as routers, each for a few rows that {@link groupOf} puts together: a router tries its routes one after
 * another, and with all of them in one that took a fifth of a small answer's time. A path is matched as it is written,
 * also in case.
 */
function createRouting({
  handlers,
  authorization,
  clientAddress,
  clock,
  checkResponses,
  isStale,
}: AppOptions): Middleware<RequestState> {
  const bucket = tokenBucket(clientAddress, clock)
  const routers = new Map<string, Router<RequestState>>()
  for (const row of ROUTES) {
    const { method, path, isBucketed }: Route = row
    const handle: Handler<Route> = handlers[row.id]
    const limits = isBucketed === true ? [bucket] : []
    const middleware = [
      named(row.id),
      admission(authorization, row),
      ...limits,
      guard(row, handle, { checkResponses, isStale }),
    ]
    const group = groupOf(method, path)
    const router = routers.get(group) ?? new Router<RequestState>({ sensitive: true, strict: true })
    routers.set(group, router)
    router.register(path.replace(/\{(\w+)\}/g, ':$1'), [method], middleware)
  }
  const groups = new Map<string, Group>()
  for (const [name, router] of routers) groups.set(name, { serve: router.routes() })
  return (ctx, next) => groups.get(groupOf(ctx.method, ctx.path))?.serve(ctx, next) ?? next()
}

/** A method, so that a router, which adds to the context what it needs, fits where any middleware would. */
interface Group {
  serve(ctx: ParameterizedContext<RequestState>, next: Next): Promise<unknown>
}

/** What no route has a parameter in: its method, the first two segments of its path, and how many there are. */
function groupOf(method: string, path: string): string {
  const segments = path.split('/')
  return `${method === 'HEAD' ? 'GET' : method} ${segments.length} ${segments[1]}/${segments[2]}`
}

function named(operation: OperationId): Middleware<RequestState> {
  return async (ctx, next) => {
    ctx.state.operation = operation
    await next()
  }
}
