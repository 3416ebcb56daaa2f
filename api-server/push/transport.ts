/** HTTP to push services: foreign servers at addresses that browsers name, so nothing of theirs is trusted. */
import { Agent as HttpAgent, request as httpRequest } from 'node:http'
import type { ClientRequest, IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import type { LookupFunction } from 'node:net'
import { rootCertificates } from 'node:tls'
import type { Clock } from '../../lib/clock.ts'
import { hasErrorCode } from '../../lib/files.ts'
import { guardedLookup } from '../../lib/address-rule.ts'
import { isPrivateHost } from '../../lib/public-address.ts'
import type { PushRequest } from './message.ts'
import type { PushAnswer } from './retry.ts'

export interface TransportOptions {
  readonly clock: Clock
  /** True: private addresses and plain http too. */
  readonly allowPrivate: boolean
  /** Certificate authorities besides Node's own, as PEM; for a push service of one's own, and for tests. */
  readonly ca?: string | undefined
  /** Default: public addresses only, from the system's resolver. */
  readonly lookup?: LookupFunction | undefined
}

export interface PushTransport {
  /** One try; never throws for what the other side does. Aborting counts as unreachable. */
  post(request: PushRequest, signal: AbortSignal): Promise<PushAnswer>
  /** Closes the connections that are kept for the next message. */
  close(): void
}

/** For one try, from the connection to the end of the answer. */
const TIMEOUT_MS = 10_000
/** Answers have no body worth reading; of one that goes on the connection is closed. */
const MAX_ANSWER_BYTES = 64 * 1024

/** Opens no connection before the first message. */
export function createPushTransport({ clock, allowPrivate, ca, lookup }: TransportOptions): PushTransport {
  const guard = { lookup: lookup ?? guardedLookup({ allowPrivate }) }
  const options = { keepAlive: true, maxFreeSockets: 2, timeout: 2 * TIMEOUT_MS }
  const https = new HttpsAgent({ ...options, ...(ca === undefined ? {} : { ca: [...rootCertificates, ca] }) })
  const http = new HttpAgent(options)

  const open = ({ url, headers }: PushRequest, signal: AbortSignal): ClientRequest =>
    url.protocol === 'http:'
      ? httpRequest(url, { method: 'POST', headers, agent: http, signal, ...guard })
      : httpsRequest(url, { method: 'POST', headers, agent: https, signal, ...guard })

  return {
    async post(request, signal) {
      if (!allowPrivate && (request.url.protocol !== 'https:' || isPrivateHost(request.url.hostname)))
        return { kind: 'forbidden' }
      const timeout = new AbortController()
      const cancel = clock.schedule(TIMEOUT_MS, () => timeout.abort())
      try {
        return await exchange(open(request, AbortSignal.any([signal, timeout.signal])), request.body)
      } catch (error) {
        return { kind: hasErrorCode(error, 'PRIVATE_ADDRESS') ? 'forbidden' : 'unreachable' }
      } finally {
        cancel()
      }
    },
    close() {
      https.destroy()
      http.destroy()
    },
  }
}

/** Resolves with the end of the answer, so that the connection is free again. */
function exchange(request: ClientRequest, body: Uint8Array): Promise<PushAnswer> {
  return new Promise((resolve, reject) => {
    request.on('error', reject)
    request.on('response', (response: IncomingMessage) => {
      const answer: PushAnswer = {
        kind: 'status',
        status: response.statusCode ?? 0,
        retryAfter: response.headers['retry-after'],
      }
      let sizeBytes = 0
      response.on('data', (chunk: Buffer) => {
        sizeBytes += chunk.length
        if (sizeBytes > MAX_ANSWER_BYTES) response.destroy()
      })
      // The status says all; how the body ends makes no difference.
      response.on('error', () => resolve(answer))
      response.on('close', () => resolve(answer))
    })
    request.end(body)
  })
}
