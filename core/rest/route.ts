import { type TObject, type TSchema, Type } from 'typebox'
import { ById } from '../schema/fields.ts'

/** What a response carries; decides how the guard checks and sends it. */
export type Content<S extends TSchema = TSchema> =
  | { readonly kind: 'json'; readonly schema: S }
  /** 204: no body at all. */
  | { readonly kind: 'none' }
  /** A file on the data volume; `Range` is honoured. */
  | { readonly kind: 'file'; readonly contentType: string }
  /** A text made for the answer. */
  | { readonly kind: 'text'; readonly contentType: string }
  /** Server-sent events (WHATWG HTML §9.2), open-ended; the shape of the data by the name of the event. */
  | { readonly kind: 'eventStream'; readonly events: Readonly<Record<string, TSchema>> }

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** What a token may be good for (specification §9.2): GET; task and story writes; deleting, scripts, projects, agents. */
export const SCOPES = ['read', 'decide', 'admin'] as const
export type Scope = (typeof SCOPES)[number]

/** Statuses beyond the success of a route. 400, 401, 403, 405 and 500 can meet any request and are not listed. */
export type ErrorStatus = 400 | 401 | 404 | 409 | 412 | 413 | 415 | 416 | 422 | 426 | 429 | 502 | 503 | 504 | 507

/** Responses by status. */
export type Responses = Readonly<Record<number, Content>>

/** A JSON request body; `late`: looked at only after lookup and state check (specification §8.3). */
export interface JsonBodyRule<S extends TSchema = TSchema> {
  readonly kind: 'json'
  readonly schema: S
  readonly late: boolean
  /** True: a request may come without; the handler asks for the body only where it needs it. */
  readonly isOptional?: boolean
}

/** A body that the handler reads itself, as a stream: uploads, and bodies whose exact bytes are signed. */
export interface RawBodyRule {
  readonly kind: 'raw'
  /** Any other media type is refused with 415. */
  readonly contentTypes: readonly string[]
  /** Whoever reads must stop there. */
  readonly maxBytes: number
  /** Shape of the content, for documentation: the handler checks it. */
  readonly schema: TSchema
}

export type BodyRule = JsonBodyRule | RawBodyRule

/**
 * One operation of the API. The route table is the only list of them: routing, validation, 405 with `Allow`,
 * documentation and clients are made from its rows.
 */
export interface Route<
  Id extends string = string,
  P extends TObject = TObject,
  Q extends TObject = TObject,
  B extends BodyRule | undefined = BodyRule | undefined,
  R extends Responses = Responses,
  E extends ErrorStatus = ErrorStatus,
> {
  /** Key of the handler, and `operationId` of the OpenAPI document. */
  readonly id: Id
  readonly method: Method
  /** With parameters in braces, as in OpenAPI: `/api/tasks/{id}`. */
  readonly path: string
  readonly summary: string
  /** Left out: `read` for GET, `admin` for DELETE, `decide` for the rest; see {@link scopeOf}. */
  readonly scope?: Scope
  /** True: no token is asked for, whatever is configured. */
  readonly isOpen?: boolean
  /** True: limited per client address, with 429 and `Retry-After` beyond; for what starts an agent. List 429 in `errors`. */
  readonly isBucketed?: boolean
  /** True: a request that prefers `text/event-stream` (`Accept`) is answered by the row at `<path>/stream`. */
  readonly hasStream?: boolean
  /** True for a GET that is answered without the caches: it is never stale. */
  readonly isUncached?: boolean
  readonly params: P
  readonly query: Q
  /** Undefined: body and content type of a request are ignored. */
  readonly body: B
  readonly responses: R
  readonly errors: readonly E[]
}

/** Parameters of a route that has none. */
const NoFields = Type.Object({}, { additionalProperties: false })
export type NoFields = typeof NoFields

/** What a path says by itself: the id in it. Rows with more parameters name them all. */
type ParamsOf<Path extends string> = Path extends `${string}{id}${string}` ? typeof ById : NoFields

/** What a row of the table leaves out when it has nothing to say there. */
type RouteInput<
  Id extends string,
  Path extends string,
  P extends TObject,
  Q extends TObject,
  B extends BodyRule | undefined,
  R,
  E extends ErrorStatus,
> = Omit<Route<Id>, 'path' | 'params' | 'query' | 'body' | 'responses' | 'errors'> & {
  readonly path: Path
  readonly params?: P
  readonly query?: Q
  readonly body?: B
  readonly responses: R
  readonly errors: readonly E[]
}

/** A row of the route table, with what it leaves out filled in. */
export function route<
  const Id extends string,
  const Path extends string,
  P extends TObject = ParamsOf<Path>,
  Q extends TObject = NoFields,
  B extends BodyRule | undefined = undefined,
  const R extends Responses = Responses,
  const E extends ErrorStatus = never,
>(row: RouteInput<Id, Path, P, Q, B, R, E>): Route<Id, P, Q, B, R, E>
export function route(
  row: RouteInput<string, string, TObject, TObject, BodyRule | undefined, Responses, ErrorStatus>,
): Route {
  const params = row.path.includes('{id}') ? ById : NoFields
  return { ...row, params: row.params ?? params, query: row.query ?? NoFields, body: row.body }
}

/** A response body of that schema. */
export function json<S extends TSchema>(schema: S): { readonly kind: 'json'; readonly schema: S } {
  return { kind: 'json', schema }
}

export const nothing = { kind: 'none' } as const

/** Server-sent events, by name with the shape of their data; `end` is the last one and has no id. */
export function eventStream(events: Readonly<Record<string, TSchema>>) {
  return { kind: 'eventStream', events } as const
}

/** Media type of a file whose content is the user's own: clients take it as bytes, any other as text. */
export const BYTES = 'application/octet-stream'

export function file<const T extends string>(contentType: T): { readonly kind: 'file'; readonly contentType: T } {
  return { kind: 'file', contentType }
}

export function text(contentType: string): { readonly kind: 'text'; readonly contentType: string } {
  return { kind: 'text', contentType }
}

/** A page for people. */
export const page = text('text/html; charset=utf-8')

/** A resource as YAML, ready for `kubectl apply`. */
export const manifest = text('application/yaml; charset=utf-8')

/** A body that is checked before the handler starts. */
export function body<S extends TSchema>(schema: S): JsonBodyRule<S> & { readonly late: false } {
  return { kind: 'json', schema, late: false }
}

/** A body that the handler asks for once lookup and state allow it. */
export function lateBody<S extends TSchema>(schema: S): JsonBodyRule<S> & { readonly late: true } {
  return { kind: 'json', schema, late: true }
}

/** A body that some requests do without; the handler asks for it where it needs it. */
export function optionalBody<S extends TSchema>(schema: S): JsonBodyRule<S> & { readonly late: true } {
  return { kind: 'json', schema, late: true, isOptional: true }
}

/** A body that the handler reads as a stream. */
export function rawBody(rule: Omit<RawBodyRule, 'kind'>): RawBodyRule {
  return { kind: 'raw', ...rule }
}

const SCOPE_OF_METHOD: Readonly<Record<Method, Scope>> = { GET: 'read', POST: 'decide', PUT: 'decide', DELETE: 'admin' }

/** What a token must be good for to use a route. */
export function scopeOf({ method, scope }: Pick<Route, 'method' | 'scope'>): Scope {
  return scope ?? SCOPE_OF_METHOD[method]
}

/** Whether a route is answered from the caches, which may be out of date. */
export function isFromCache({ method, isUncached }: Pick<Route, 'method' | 'isUncached'>): boolean {
  return method === 'GET' && isUncached !== true
}
