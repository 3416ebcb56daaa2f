/** HTTP to push services: foreign servers at addresses that browsers name, so nothing of theirs is trusted. */
import { type IncomingMessage, Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import type { LookupFunction } from 'node:net'
import { rootCertificates } from 'node:tls'
import type { Clock } from '../../lib/clock.ts'
import { hasErrorCode } from '../../lib/files.ts'
import { guardedLookup } from '../../lib/address-rule.ts'
import { type WayOut, sendRequest } from '../../lib/outbound.ts'
import { isPrivateHost } from '../../lib/public-address.ts'
import type { PushRequest } from './message.ts'
import type { PushAnswer } from './retry.ts'

export interface TransportOptions extends Pick<WayOut, 'proxies'> {
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
export function createPushTransport({ clock, allowPrivate, ca, lookup, proxies }: TransportOptions): PushTransport {
  const guard = { lookup: lookup ?? guardedLookup({ allowPrivate }) }
  const options = { keepAlive: true, maxFreeSockets: 2, timeout: 2 * TIMEOUT_MS }
  const trusted = ca === undefined ? undefined : [...rootCertificates, ca]
  const [https, http] = [new HttpsAgent(options), new HttpAgent(options)]

  const send = ({ url, headers, body }: PushRequest, signal: AbortSignal): Promise<IncomingMessage> => {
    const agent = url.protocol === 'http:' ? http : https
    return sendRequest(url, { method: 'POST', headers, agent, signal, ...guard }, { proxies, ca: trusted }, body)
  }

  return {
    async post(request, signal) {
      if (!allowPrivate && (request.url.protocol !== 'https:' || isPrivateHost(request.url.hostname)))
        return { kind: 'forbidden' }
      const timeout = new AbortController()
      const cancel = clock.schedule(TIMEOUT_MS, () => timeout.abort())
      try {
        return await readAnswer(await send(request, AbortSignal.any([signal, timeout.signal])))
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
function readAnswer(response: IncomingMessage): Promise<PushAnswer> {
  const answer: PushAnswer = {
    kind: 'status',
    status: response.statusCode ?? 0,
    retryAfter: response.headers['retry-after'],
  }
  let sizeBytes = 0
  return new Promise((resolve) => {
    response.on('data', (chunk: Buffer) => {
      sizeBytes += chunk.length
      if (sizeBytes > MAX_ANSWER_BYTES) response.destroy()
    })
    // The status says all; how the body ends makes no difference.
    response.on('error', () => resolve(answer))
    response.on('close', () => resolve(answer))
  })
}
