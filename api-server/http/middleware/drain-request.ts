/**
 * Answers to uploads that are refused before their end.
 *
 * Closing a connection on which bytes are still arriving resets it, and the reset overtakes the answer: the client
 * reads of a broken connection, not of what is wrong with its upload (RFC 9112, section 9.6). So the answer goes out
 * at once, and the connection ends only after the rest was read and thrown away, or has had its time.
 */
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { Context } from 'koa'
import type { Clock } from '../../../lib/clock.ts'
import type { RequestState } from './state.ts'

/** Without a byte for so long, the client waits for its answer or has gone. */
const DRAIN_PAUSE_MS = 2_000
/** For a client that sends on and on. */
const DRAIN_MS = 30_000

/** The rest of the body is not read, so the connection cannot be used again. */
export function refuseRest(ctx: Pick<Context, 'req' | 'set'> & { readonly state: RequestState }): void {
  if (ctx.req.complete) return
  ctx.set('Connection', 'close')
  ctx.state.isRestUnwanted = true
}

/** `text` at once; it ends when the request has, or its time is over. */
export function drainingAnswer(text: string, request: IncomingMessage, clock: Clock): Readable {
  return Readable.from(parts(text, request, clock), { objectMode: false })
}

async function* parts(text: string, request: IncomingMessage, clock: Clock): AsyncGenerator<string> {
  yield text
  await drainRequest(request, clock)
}

function drainRequest(request: IncomingMessage, clock: Clock): Promise<void> {
  if (request.complete) return Promise.resolve()
  return new Promise((resolve) => {
    let cancelPause = clock.schedule(DRAIN_PAUSE_MS, stop)
    const cancel = clock.schedule(DRAIN_MS, stop)
    function stop(): void {
      cancelPause()
      cancel()
      request.off('data', wait).off('end', stop).off('close', stop)
      resolve()
    }
    function wait(): void {
      cancelPause()
      cancelPause = clock.schedule(DRAIN_PAUSE_MS, stop)
    }
    request.on('data', wait).once('end', stop).once('close', stop).resume()
  })
}
