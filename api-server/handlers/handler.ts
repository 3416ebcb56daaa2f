/** What a handler is given and what it returns, typed by its row of the route table. */
import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import type { Static } from 'typebox'
import type { Route } from '../../core/rest/route.ts'
import type { OperationId, RouteOf } from '../../core/rest/routes.ts'
import type { Caller } from '../auth/access.ts'
import type { Representation } from '../records/representation.ts'
import type { StoredFile } from '../records/stored-files.ts'

/** A request body that the handler reads itself. */
export interface RawBody {
  /** As sent, with its parameters (`multipart/form-data; boundary=…`). */
  readonly contentType: string
  readonly headers: IncomingHttpHeaders
  readonly stream: Readable
  /** The whole of it, for what is not large. @throws ApiError `payload_too_large`, `request_timed_out`, `unavailable` */
  readonly readBytes: (maxBytes: number) => Promise<Buffer>
}

type BodyInput<B> = B extends { readonly kind: 'raw' }
  ? RawBody
  : B extends { readonly late: infer L; readonly schema: infer S }
    ? boolean extends L
      ? unknown
      : L extends true
        ? () => Promise<Static<S & object>>
        : Static<S & object>
    : undefined

export interface Input<R extends Route> {
  readonly params: Static<R['params']>
  readonly query: Static<R['query']>
  /** A function where the route takes its body late; undefined where it takes none. */
  readonly body: BodyInput<R['body']>
  readonly caller: Caller
  /** Entity tags of `If-Match`, as sent. */
  readonly ifMatch: string | undefined
  readonly lastEventId: string | undefined
  /** As sent; for what is about cookies alone. */
  readonly cookie: string | undefined
  /** Aborts when the client closes the connection before its answer; for handlers that work for nobody else. */
  readonly untilGone: () => AbortSignal
}

type Sent<C> = C extends { readonly kind: 'json'; readonly schema: infer S }
  ? Representation<Static<S & object>>
  : C extends { readonly kind: 'none' }
    ? undefined
    : C extends { readonly kind: 'file' }
      ? StoredFile
      : C extends { readonly kind: 'text' }
        ? string
        : C extends { readonly kind: 'eventStream' }
          ? AsyncIterable<string>
          : never

/** A list: the header is sent once for each. */
export type ReplyHeaders = Readonly<Record<string, string | string[]>>

/** Status, body and headers of an answer, as the row allows them together. */
export type Reply<R extends Route> = {
  readonly [S in keyof R['responses'] & number]: {
    readonly status: S
    readonly body: Sent<R['responses'][S]>
    readonly headers?: ReplyHeaders
  }
}[keyof R['responses'] & number]

/** A method, so that a handler of one route fits where one of any route is wanted: the guard has checked its input. */
interface Operation<R extends Route> {
  handle(input: Input<R>): Promise<Reply<R>>
}
export type Handler<R extends Route> = Operation<R>['handle']

/** One handler per operation: a row without one, or one without a row, does not compile. */
export type Handlers = { readonly [Id in OperationId]: Handler<RouteOf<Id>> }

/** What the guard sends, whatever the route. */
export interface AnyReply {
  readonly status: number
  readonly body: Representation<unknown> | StoredFile | AsyncIterable<string> | string | undefined
  readonly headers?: ReplyHeaders
}
