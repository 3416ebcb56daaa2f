import Koa from 'koa'
import type { Middleware, ParameterizedContext } from 'koa'
import type { Route } from '../core/rest/route.ts'
import { ROUTES } from '../core/rest/routes.ts'
import type { Clock } from '../lib/clock.ts'
import type { Logger } from '../lib/log.ts'
import type { Access } from './access.ts'
import type { ClientAddress } from './client-address.ts'
import type { Handler, Handlers } from './handlers/handler.ts'
import type { ApiMetrics } from './metrics.ts'
import { accessLog } from './middleware/access-log.ts'
import { body } from './middleware/body.ts'
import { createBodyRoom } from './middleware/body-room.ts'
import { cors } from './middleware/cors.ts'
import { errors } from './middleware/errors.ts'
import { guard } from './middleware/guard.ts'
import { httpRules } from './middleware/http-rules.ts'
import { limits } from './middleware/limits.ts'
import { latency } from './middleware/latency.ts'
import { missed } from './middleware/not-found.ts'
import { origin } from './middleware/origin.ts'
import { ready } from './middleware/ready.ts'
import { routing } from './middleware/routing.ts'
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
  /** {@link HttpLimits.bodiesBytes} */
  readonly bodiesBytes: number
  /** Absent: nobody looks at them. */
  readonly metrics?: Pick<ApiMetrics, 'answerSeconds'> | undefined
}

/** The Koa application: what every request passes, in this order. */
export function createApp(options: AppOptions): Koa<RequestState> {
  const { access, clock, logger } = options
  const app = new Koa<RequestState>()
  const passes: readonly Middleware<RequestState>[] = [
    ...(options.metrics === undefined ? [] : [latency(options.metrics)]),
    securityHeaders(options.publicUrl),
    requestId(options.makeRequestId),
    accessLog(logger, clock),
    errors(logger, clock),
    // Before the rules: a refusal carries cross-origin headers too.
    cors(access),
    httpRules(),
    limits(),
    origin(access),
    // Before the token: a stream takes it in the query too.
    routing(ROUTES),
    token(access),
    ready(options.isReady),
    body(clock, createBodyRoom(options.bodiesBytes)),
  ]
  for (const pass of passes) app.use(pass)
  app.use(answer(options))
  app.use(missed(ROUTES))
  // A connection that breaks while a body streams is the client's affair; everything else is caught by errors().
  app.on('error', (error: unknown) => logger.debug({ error }, 'response not completed'))
  return app
}

/** Lets the operation answer that the request is for. */
function answer({ handlers, clientAddress, clock, checkResponses, isStale }: AppOptions): Middleware<RequestState> {
  const bucket = tokenBucket(clientAddress, clock)
  const operations = new Map<string, Operation>()
  for (const row of ROUTES) {
    const { id, isBucketed }: Route = row
    const handle: Handler<Route> = handlers[row.id]
    const checkScope = scope(row)
    const guarded = guard(row, handle, { checkResponses, isStale })
    operations.set(id, (ctx) => {
      checkScope(ctx)
      return isBucketed === true ? bucket(ctx, () => guarded(ctx)) : guarded(ctx)
    })
  }
  return (ctx, next) => operations.get(ctx.state.route?.row.id ?? '')?.(ctx) ?? next()
}

type Operation = (ctx: ParameterizedContext<RequestState>) => unknown
