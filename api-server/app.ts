import { Router } from '@koa/router'
import Koa from 'koa'
import type { Middleware } from 'koa'
import type { Route } from '../core/rest/route.ts'
import type { OperationId } from '../core/rest/routes.ts'
import { ROUTES } from '../core/rest/routes.ts'
import type { Clock } from '../lib/clock.ts'
import type { Logger } from '../lib/log.ts'
import type { Access } from './access.ts'
import type { ClientAddress } from './client-address.ts'
import type { Handler, Handlers } from './handlers/handler.ts'
import type { ApiMetrics } from './metrics.ts'
import { accessLog } from './middleware/access-log.ts'
import { body } from './middleware/body.ts'
import { cors } from './middleware/cors.ts'
import { errors } from './middleware/errors.ts'
import { guard } from './middleware/guard.ts'
import { limits } from './middleware/limits.ts'
import { latency } from './middleware/latency.ts'
import { missed } from './middleware/not-found.ts'
import { origin } from './middleware/origin.ts'
import { ready } from './middleware/ready.ts'
import { requestId } from './middleware/request-id.ts'
import { securityHeaders } from './middleware/security-headers.ts'
import type { RequestState } from './middleware/state.ts'
import { tokenBucket } from './middleware/token-bucket.ts'
import { scope, token } from './middleware/token.ts'

export interface AppOptions {
  readonly handlers: Handlers
  readonly access: Access
  readonly clientAddress: ClientAddress
  readonly publicUrl?: string | undefined
  readonly clock: Clock
  readonly logger: Logger
  readonly makeRequestId: () => string
  readonly isReady: () => boolean
  readonly checkResponses: boolean
  readonly isStale: () => boolean
  readonly metrics: Pick<ApiMetrics, 'answerSeconds'>
}

/** The Koa application: what every request passes, in this order. */
export function createApp(options: AppOptions): Koa<RequestState> {
  const { access, clock, logger } = options
  const app = new Koa<RequestState>()
  const passes: readonly Middleware<RequestState>[] = [
    latency(options.metrics),
    securityHeaders(options.publicUrl),
    requestId(options.makeRequestId),
    accessLog(logger, clock),
    errors(logger, clock),
    // Before the rules: a refusal carries cross-origin headers too.
    cors(access),
    limits(),
    origin(access),
    token(access, ROUTES),
    ready(options.isReady),
    body(clock),
  ]
  for (const pass of passes) app.use(pass)
  app.use(createRouter(options).routes())
  app.use(missed(ROUTES))
  // A connection that breaks while a body streams is the client's affair; everything else is caught by errors().
  app.on('error', (error: unknown) => logger.debug({ error }, 'response not completed'))
  return app
}

/** The route table as a router; a path is matched as it is written, also in case. */
function createRouter({ handlers, clientAddress, clock, checkResponses, isStale }: AppOptions): Router<RequestState> {
  const router = new Router<RequestState>({ sensitive: true, strict: true })
  const bucket = tokenBucket(clientAddress, clock)
  for (const row of ROUTES) {
    const { method, path, isBucketed }: Route = row
    const handle: Handler<Route> = handlers[row.id]
    const limits = isBucketed === true ? [bucket] : []
    const passes = [named(row.id), scope(row), ...limits, guard(row, handle, { checkResponses, isStale })]
    router.register(path.replace(/\{(\w+)\}/g, ':$1'), [method], passes)
  }
  return router
}

function named(operation: OperationId): Middleware<RequestState> {
  return async (ctx, next) => {
    ctx.state.operation = operation
    await next()
  }
}
