import { Readable } from 'node:stream'
import type { ParameterizedContext } from 'koa'
import type { Content, Route } from '../../../core/rest/route.ts'
import { apiError } from '../../../core/errors.ts'
import type { AnyReply } from '../../handlers/handler.ts'
import type { StoredFile } from '../../records/stored-files.ts'
import { parseRange } from '../range.ts'
import { type Representation, matchesTag } from '../../records/representation.ts'
import { UNTRUSTED_CONTENT_POLICY } from './security-headers.ts'

/** Sends what a handler returned, in the form that its row gives for the status. */
export async function sendReply(ctx: ParameterizedContext, route: Route, reply: AnyReply): Promise<void> {
  ctx.status = reply.status
  ctx.set(reply.headers ?? {})
  const { body } = reply
  if (body === undefined) return
  if (typeof body === 'string') sendText(ctx, body, route.responses[reply.status])
  else if ('json' in body) sendJson(ctx, body)
  else if ('handle' in body) await sendFile(ctx, body, contentTypeOf(route.responses[reply.status]))
  else await sendEvents(ctx, body)
}

function sendJson(ctx: ParameterizedContext, { json, etag }: Representation<unknown>): void {
  if (etag !== undefined) {
    ctx.set('ETag', etag)
    const known = ctx.get('If-None-Match')
    if (ctx.method !== 'POST' && ctx.method !== 'PUT' && known !== '' && matchesTag(known, etag)) {
      ctx.status = 304
      return
    }
  }
  ctx.type = 'application/json'
  ctx.body = json
}

function sendText(ctx: ParameterizedContext, text: string, content: Content | undefined): void {
  ctx.body = text
  ctx.set('Content-Type', contentTypeOf(content))
}

/** The whole file, or the one part that `Range` asks for (RFC 9110 §14.2); several parts at once are not offered. */
export async function sendFile(ctx: ParameterizedContext, file: StoredFile, contentType: string): Promise<void> {
  const { handle, sizeBytes, downloadName, etag } = file
  ctx.set('ETag', etag)
  const known = ctx.get('If-None-Match')
  if (known !== '' && matchesTag(known, etag)) {
    await handle.close()
    ctx.status = 304
    return
  }
  const range = isRangeWanted(ctx, etag) ? parseRange(ctx.get('Range'), sizeBytes) : undefined
  if (range === 'unsatisfiable') {
    await handle.close()
    throw apiError('range_not_satisfiable', ctx.get('Range'), sizeBytes)
  }
  const { start, end } = range ?? { start: 0, end: sizeBytes - 1 }
  if (range !== undefined) {
    ctx.status = 206
    ctx.set('Content-Range', `bytes ${start}-${end}/${sizeBytes}`)
  }
  ctx.set('Accept-Ranges', 'bytes')
  // What an agent wrote must never be taken for a page of ours.
  ctx.set('X-Content-Type-Options', 'nosniff')
  const isOwnPage = contentType.startsWith('text/html')
  if (!isOwnPage) ctx.set('Content-Security-Policy', UNTRUSTED_CONTENT_POLICY)
  if (downloadName !== undefined) ctx.attachment(downloadName)
  if (sizeBytes === 0 || ctx.method === 'HEAD') {
    await handle.close()
    ctx.body = ''
  } else {
    const content = handle.createReadStream({ start, end })
    // Made shorter meanwhile: that the rest does not come, only a cut connection says.
    content.once('end', () => content.bytesRead <= end - start && ctx.res.destroy())
    ctx.body = content
  }
  ctx.set('Content-Type', contentType)
  ctx.length = end - start + 1
}

/** A part is of use only with the rest that the client has: `If-Range` says which version that is of (RFC 9110 §13.1.5). */
function isRangeWanted(ctx: ParameterizedContext, etag: string): boolean {
  const condition = ctx.get('If-Range')
  return condition === '' || condition === etag
}

/** Koa destroys the stream when the client goes, which ends the events' iterator and closes its files. */
async function sendEvents(ctx: ParameterizedContext, events: AsyncIterable<string>): Promise<void> {
  if (ctx.method === 'HEAD') await events[Symbol.asyncIterator]().return?.()
  ctx.body = ctx.method === 'HEAD' ? '' : Readable.from(events, { objectMode: false })
  ctx.set('Content-Type', 'text/event-stream; charset=utf-8')
  ctx.set('Cache-Control', 'no-cache, no-transform')
  // nginx would otherwise collect the events until its buffer is full.
  ctx.set('X-Accel-Buffering', 'no')
  if (ctx.method !== 'HEAD') ctx.flushHeaders()
}

function contentTypeOf(content: Content | undefined): string {
  return content !== undefined && 'contentType' in content ? content.contentType : 'application/octet-stream'
}
