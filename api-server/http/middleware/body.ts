import type { Context, Middleware } from 'koa'
import { type ApiError, apiError } from '../../../core/errors.ts'
import { measureJson } from '../../../core/json.ts'
import type { Clock } from '../../../lib/clock.ts'
import { refuseRest } from './drain-request.ts'
import type { RequestState } from './state.ts'
import { messageOf } from '../../../lib/error-message.ts'

/** Largest JSON body (specification §8.2). */
const MAX_BODY_BYTES = 1024 * 1024
/** More than any record of ours has; what recurses through a body never meets a deep one. */
const MAX_DEPTH = 64
/** Far more than any record of ours has. Each that is wrong costs some hundred bytes of memory to say so. */
const MAX_VALUES = 50_000
/** For a body that is read into memory, as a whole: 1 MiB in it needs 35 KiB a second. */
const BODY_MS = 30_000

const UTF8 = new TextDecoder('utf-8', { fatal: true })

type BodyContext = Pick<Context, 'req' | 'request' | 'set'> & { readonly state: RequestState }

/** Offers the parsed body, or its bytes, to those behind it; nothing is read unless somebody asks, so a refusal costs no upload. */
export function body(clock: Clock, budget: BodyMemoryBudget): Middleware<RequestState> {
  return (ctx, next) => {
    ctx.state.readBytes = (maxBytes) => readBytes(ctx, { clock, budget, maxBytes })
    ctx.state.readJson = () => readJson(ctx)
    return next()
  }
}

async function readJson({ request, req, state }: BodyContext): Promise<unknown> {
  const type = request.type.toLowerCase()
  if (type !== '' && type !== 'application/json' && !type.endsWith('+json'))
    throw apiError('unsupported_media_type', type)
  refuseCharset(request.charset)
  refuseEncoded(req.headers['content-encoding'])
  const bytes = await state.readBytes(MAX_BODY_BYTES)
  try {
    const text = UTF8.decode(bytes)
    const { depth, values } = measureJson(text)
    if (depth > MAX_DEPTH) throw new Error(`nested deeper than ${MAX_DEPTH} levels`)
    if (values > MAX_VALUES) throw new Error(`more than ${MAX_VALUES} values`)
    return JSON.parse(text)
  } catch (error) {
    throw apiError('invalid_json', messageOf(error)).causedBy(error)
  }
}

/** JSON is UTF-8 (RFC 8259 §8.1), of which US-ASCII is a part: other text would be read as what it does not say. */
function refuseCharset(charset: string): void {
  if (!['', 'utf-8', 'utf8', 'us-ascii'].includes(charset.toLowerCase())) throw apiError('unsupported_charset', charset)
}

/** @throws ApiError `unsupported_encoding` */
export function refuseEncoded(contentEncoding: string | undefined): void {
  if (contentEncoding !== undefined && contentEncoding.toLowerCase() !== 'identity')
    throw apiError('unsupported_encoding', contentEncoding)
}

/**
 * Memory for bodies that are still arriving, shared by all requests. Each has a limit of its own, but connections are
 * thousands, and who sends a login or a webhook is known only once its body is whole.
 */
export interface BodyMemoryBudget {
  /** Counts bytes that have come. @throws ApiError `unavailable` when others have taken it all */
  take(sizeBytes: number): void
  /** Gives them back. */
  give(sizeBytes: number): void
}

export function createBodyMemoryBudget(maxBytes: number): BodyMemoryBudget {
  let takenBytes = 0
  return {
    take(sizeBytes) {
      if (takenBytes + sizeBytes > maxBytes) throw apiError('unavailable', 'too many bodies are being sent; try again')
      takenBytes += sizeBytes
    },
    give(sizeBytes) {
      takenBytes -= sizeBytes
    },
  }
}

interface Reading {
  readonly clock: Clock
  readonly budget: BodyMemoryBudget
  readonly maxBytes: number
}

/** Not by iteration: ending one early would cut the connection, and the refusal with it. */
async function readBytes(ctx: BodyContext, { clock, budget, maxBytes }: Reading): Promise<Buffer> {
  const { req } = ctx
  if ((ctx.request.length ?? 0) > maxBytes) throw refuseSize(ctx, maxBytes)
  const chunks: Buffer[] = []
  let sizeBytes = 0
  let takenBytes = 0
  let stop = (): void => undefined
  const whole = new Promise<void>((resolve, reject) => {
    const take = (chunk: Buffer): void => {
      sizeBytes += chunk.length
      if (sizeBytes > maxBytes) return reject(refuseSize(ctx, maxBytes))
      try {
        budget.take(chunk.length)
      } catch (error) {
        refuseRest(ctx)
        return reject(error)
      }
      takenBytes += chunk.length
      chunks.push(chunk)
    }
    const cancel = clock.schedule(BODY_MS, () => reject(refuseDelay(ctx)))
    const cut = (): void => reject(lateBody())
    const end = (): void => {
      // At once: a request closes behind its end, before anybody who waits for `whole` goes on.
      stop()
      resolve()
    }
    req.on('data', take).once('end', end).once('error', reject).once('close', cut)
    stop = () => {
      cancel()
      req.off('data', take).off('end', end).off('error', reject).off('close', cut)
    }
  })
  try {
    await whole
  } finally {
    stop()
    budget.give(takenBytes)
  }
  return Buffer.concat(chunks)
}

function refuseSize(ctx: BodyContext, maxBytes: number): ApiError {
  refuseRest(ctx)
  return apiError('payload_too_large', maxBytes)
}

/** Nothing more is waited for, not even to be thrown away. */
function refuseDelay(ctx: BodyContext): ApiError {
  ctx.set('Connection', 'close')
  return lateBody()
}

function lateBody(): ApiError {
  return apiError('request_timed_out', `the request body did not arrive within ${BODY_MS} ms`)
}
