/**
 * The gate between HTTP and handlers, made from one row of the route table: path, query and body are checked by its
 * schemas before the handler sees them, and what it returns is sent as the row says.
 *
 * Responses are checked only with `checkResponses` (tests and development): in production the types have checked
 * them at compile time, and validating ten thousand records per list would cost more than making them.
 */
import type { ServerResponse } from 'node:http'
import type { Middleware, ParameterizedContext } from 'koa'
import type { TObject } from 'typebox'
import { apiError } from '../../../core/errors.ts'
import { type BodyRule, type RawBodyRule, type Route, type Content, isFromCache } from '../../../core/rest/route.ts'
import { type Check, type FieldProblem, compileCheck, formatProblemsMessage } from '../../../lib/validate.ts'
import type { AnyReply, Handler, RawBody } from '../../handlers/handler.ts'
import { refuseEncoded } from './body.ts'
import { refuseRest } from './drain-request.ts'
import { sendReply } from './send.ts'
import type { RequestState } from './state.ts'

export interface GuardOptions {
  readonly checkResponses: boolean
  /** Whether the caches may be out of date. */
  readonly isStale: () => boolean
}

/** RFC 7234, section 5.5.1; RFC 9111 no longer lists it, but clients still show it. */
const STALE = '110 - "Response is Stale"'

/** The middleware of one operation. The router has put the path parameters into `ctx.params`. */
export function guard(route: Route, handle: Handler<Route>, options: GuardOptions): Middleware<RequestState> {
  const checkParams = compileCheck(route.params)
  const checkQuery = compileCheck(route.query)
  const readBody = route.body === undefined ? undefined : createBodyReader(route.body)
  const checkReply = options.checkResponses ? createResponseCheck(route) : undefined
  return async (ctx) => {
    const params: unknown = ctx['params']
    const input = {
      params: requireValid(checkParams, params),
      query: requireValid(checkQuery, readQuery(route.query, ctx.querystring)),
      caller: ctx.state.caller,
      ifMatch: header(ctx, 'If-Match'),
      lastEventId: header(ctx, 'Last-Event-ID'),
      cookie: header(ctx, 'Cookie'),
      untilGone: () => untilGone(ctx.res),
    }
    const read = readBody && (() => readBody(ctx))
    const body = route.body?.kind === 'json' && route.body.late ? read : await read?.()
    const reply: AnyReply = await handle({ ...input, body }).catch((error: unknown) => {
      if (route.body?.kind === 'raw') refuseRest(ctx)
      throw error
    })
    checkReply?.(reply)
    if (isFromCache(route) && options.isStale()) ctx.set('Warning', STALE)
    await sendReply(ctx, route, reply)
  }
}

function createBodyReader(rule: BodyRule): (ctx: ParameterizedContext<RequestState>) => Promise<unknown> {
  if (rule.kind === 'raw') return async (ctx) => toRawBody(ctx, rule)
  const check = compileCheck(rule.schema)
  return async (ctx) => requireValid(check, await ctx.state.readJson())
}

/** @throws ApiError `unsupported_media_type` */
function toRawBody(
  { request, req, state }: ParameterizedContext<RequestState>,
  { contentTypes }: RawBodyRule,
): RawBody {
  if (!contentTypes.includes(request.type.toLowerCase()))
    throw apiError('unsupported_media_type', request.type, contentTypes)
  refuseEncoded(req.headers['content-encoding'])
  const { headers } = req
  return { contentType: headers['content-type'] ?? '', headers, stream: req, readBytes: state.readBytes }
}

/** @throws ApiError `invalid_request` naming every field that does not fit, and the value where it is short */
function requireValid<T>(check: Check<T>, value: unknown): T {
  const checked = check(value)
  if (checked.ok) return checked.value
  throw apiError('invalid_request', checked.problems.map((problem) => formatProblemMessage(problem, value)).join('; '))
}

function formatProblemMessage({ field, message }: FieldProblem, whole: unknown): string {
  if (field === '') return `the body ${message}`
  const value: unknown = typeof whole === 'object' && whole !== null ? Reflect.get(whole, field) : undefined
  const isShort = typeof value === 'string' ? value !== '' && value.length <= 100 : isScalar(value)
  const shown = isShort && message !== 'unknown field' ? `, not ${JSON.stringify(value)}` : ''
  return `${field}: ${message}${shown}`
}

function isScalar(value: unknown): boolean {
  return value === null || Number.isFinite(value) || typeof value === 'boolean'
}

/**
 * Query parameters as the schema's types; a token is no part of them.
 *
 * @throws ApiError `invalid_request` for one that is given twice
 */
function readQuery(schema: TObject, querystring: string): Record<string, unknown> {
  if (querystring === '') return {}
  const query = new URLSearchParams(querystring)
  const names = [...new Set(query.keys())].filter((name) => name !== 'token')
  const entries = names.map((name): [string, unknown] => {
    const [value, ...more] = query.getAll(name)
    if (more.length > 0) throw apiError('invalid_request', `${name}: given more than once`)
    const property: unknown = schema.properties[name]
    return [name, isIntegerSchema(property) && /^-?\d+$/.test(value ?? '') ? Number(value) : value]
  })
  return Object.fromEntries(entries)
}

function isIntegerSchema(schema: unknown): boolean {
  return typeof schema === 'object' && schema !== null && 'type' in schema && schema.type === 'integer'
}

/** Aborts with a refusal that nobody reads, once the connection is closed while the answer is still to come. */
function untilGone(response: ServerResponse): AbortSignal {
  const gone = new AbortController()
  const abort = (): void => gone.abort(apiError('caller_gone'))
  if (response.destroyed) abort()
  else response.once('close', abort)
  return gone.signal
}

function header(ctx: ParameterizedContext<RequestState>, name: string): string | undefined {
  const value = ctx.get(name)
  return value === '' ? undefined : value
}

/** An answer that the route table does not allow: a mistake in a handler. */
class UndeclaredResponse extends Error {
  override readonly name = 'UndeclaredResponse'
}

/** Compares answers with their row: the status must be declared, and JSON must fit its schema. */
function createResponseCheck(route: Route): (reply: AnyReply) => void {
  const checks = new Map(Object.entries(route.responses).map(([status, content]) => [Number(status), checkOf(content)]))
  return ({ status, body }) => {
    const check = checks.get(status)
    if (check === undefined) throw new UndeclaredResponse(`${route.id} answered ${status}, which its row does not list`)
    const problem = check(body)
    if (problem !== undefined) throw new UndeclaredResponse(`${route.id} answered ${status} with ${problem}`)
  }
}

function checkOf(content: Content): (body: AnyReply['body']) => string | undefined {
  if (content.kind !== 'json') return () => undefined
  const check = compileCheck(content.schema)
  return (body) => {
    if (typeof body !== 'object' || !('json' in body)) return 'no JSON'
    const checked = check(JSON.parse(String(body.json)))
    return checked.ok ? undefined : formatProblemsMessage(checked.problems)
  }
}
