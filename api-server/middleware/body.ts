import type { Context, Middleware } from 'koa'
import { InvalidJson, PayloadTooLarge, UnsupportedMediaType } from '../../core/errors.ts'
import type { RequestState } from './state.ts'

/** Largest JSON body (decisions, section 5). */
export const MAX_BODY_BYTES = 1024 * 1024

/** Offers the parsed body to those behind it; nothing is read unless somebody asks, so a refusal costs no upload. */
export function body(): Middleware<RequestState> {
  return (ctx, next) => {
    ctx.state.readJson = () => readJson(ctx)
    return next()
  }
}

async function readJson(ctx: Pick<Context, 'req' | 'request' | 'set'>): Promise<unknown> {
  const { type } = ctx.request
  if (type !== '' && type !== 'application/json' && !type.endsWith('+json')) throw new UnsupportedMediaType(type)
  const bytes = await readBytes(ctx)
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (error) {
    throw new InvalidJson(error instanceof Error ? error.message : String(error), error)
  }
}

async function readBytes(ctx: Pick<Context, 'req' | 'request' | 'set'>): Promise<Buffer> {
  const chunks: Buffer[] = []
  let sizeBytes = ctx.request.length ?? 0
  if (sizeBytes > MAX_BODY_BYTES) throw refuseRest(ctx)
  sizeBytes = 0
  const stream: AsyncIterable<Buffer> = ctx.req
  for await (const chunk of stream) {
    sizeBytes += chunk.length
    if (sizeBytes > MAX_BODY_BYTES) throw refuseRest(ctx)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** What is still to come is not wanted, so the connection cannot be used again. */
function refuseRest(ctx: Pick<Context, 'set'>): PayloadTooLarge {
  ctx.set('Connection', 'close')
  return new PayloadTooLarge(MAX_BODY_BYTES)
}
