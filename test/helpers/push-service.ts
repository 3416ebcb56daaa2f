/**
 * A push service of the tests' own, over http or https: it takes messages as RFC 8030 says, checks the VAPID token (RFC
 * 8292), and decrypts as a browser does (RFC 8291, RFC 8188), by node:crypto alone.
 */
import assert from 'node:assert/strict'
import { type ECDH, createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto'
import { once } from 'node:events'
import {
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
  createServer,
} from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { aCertificate } from './certificate.ts'

/** What a page has after `pushManager.subscribe`. */
export interface Browser {
  /** As `PushSubscription.toJSON()`. */
  readonly subscription: {
    readonly endpoint: string
    readonly expirationTime: number | null
    readonly keys: { readonly p256dh: string; readonly auth: string }
  }
  decrypt(body: Buffer): unknown
}

export interface Received {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** How to answer the n-th message of a path, counted from 1; "hang": never. */
export type Answer = { readonly status: number; readonly headers?: Record<string, string> } | 'hang'

export interface PushService {
  readonly url: string
  /** The certificate, where it is https. */
  readonly ca: string | undefined
  /** All messages, in the order of arrival. */
  readonly received: readonly Received[]
  at(path: string): readonly Received[]
  answer: (path: string, nth: number) => Answer
  stop(): Promise<void>
}

const ACCEPT: Answer = { status: 201, headers: { Location: '/message/1' } }

export async function startPushService(scheme: 'http' | 'https' = 'http'): Promise<PushService> {
  const received: Received[] = []
  const at = (path: string): Received[] => received.filter((message) => message.path === path)
  const listener: RequestListener = (request, response) => void take(request, response)
  const tls = scheme === 'https' ? aCertificate('127.0.0.1') : undefined
  const server =
    tls === undefined ? createServer(listener) : createTlsServer({ key: tls.key, cert: tls.certificate }, listener)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const service: PushService = {
    url: `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ca: tls?.certificate,
    received,
    at,
    answer: () => ACCEPT,
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return service

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    const path = request.url ?? ''
    received.push({ path, headers: request.headers, body: Buffer.concat(chunks) })
    const answer = service.answer(path, at(path).length)
    if (answer !== 'hang') response.writeHead(answer.status, answer.headers).end()
  }
}

/** A browser that is subscribed at `endpoint`. */
export function aBrowser(endpoint: string): Browser {
  const ecdh = createECDH('prime256v1')
  const publicKey = ecdh.generateKeys()
  const auth = randomBytes(16)
  return {
    subscription: {
      endpoint,
      expirationTime: null,
      keys: { p256dh: publicKey.toString('base64url'), auth: auth.toString('base64url') },
    },
    decrypt: (body) => JSON.parse(decryptMessage(body, ecdh, publicKey, auth).toString('utf8')),
  }
}

/** RFC 8291, section 3.4, over one record of RFC 8188. */
function decryptMessage(body: Buffer, ecdh: ECDH, ownKey: Buffer, auth: Buffer): Buffer {
  const salt = body.subarray(0, 16)
  const recordSize = body.readUInt32BE(16)
  const keyLength = body.readUInt8(20)
  const senderKey = body.subarray(21, 21 + keyLength)
  const record = body.subarray(21 + keyLength)
  assert.equal(keyLength, 65)
  assert.ok(record.length <= recordSize, 'more than one record')
  const keyInfo = Buffer.concat([Buffer.from('WebPush: info\0'), ownKey, senderKey])
  const secret = hkdf(auth, ecdh.computeSecret(senderKey), keyInfo, 32)
  const key = hkdf(salt, secret, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
  const nonce = hkdf(salt, secret, Buffer.from('Content-Encoding: nonce\0'), 12)
  const decipher = createDecipheriv('aes-128-gcm', key, nonce)
  decipher.setAuthTag(record.subarray(-16))
  const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()])
  const end = padded.lastIndexOf(2)
  assert.ok(end >= 0 && padded.subarray(end + 1).every((byte) => byte === 0), 'not the last record')
  return padded.subarray(0, end)
}

function hkdf(salt: Buffer, secret: Buffer, info: Buffer, length: number): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, salt, info, length))
}

/** The claims of a message's VAPID token; fails unless it is signed by the key that comes with it. */
export function verifyVapid(headers: IncomingHttpHeaders): {
  readonly key: string
  readonly claims: Record<string, unknown>
} {
  const match = /^vapid t=([\w-]+)\.([\w-]+)\.([\w-]+), ?k=([\w-]+)$/.exec(headers.authorization ?? '')
  assert.ok(match, `not a VAPID header: ${String(headers.authorization)}`)
  const [, header = '', claims = '', signature = '', key = ''] = match
  assert.deepEqual(JSON.parse(decode(header).toString()), { typ: 'JWT', alg: 'ES256' })
  const point = decode(key)
  const [x = '', y = ''] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'))
  const publicKey = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' })
  const signed = Buffer.from(`${header}.${claims}`)
  const isSigned = verify('sha256', signed, { key: publicKey, dsaEncoding: 'ieee-p1363' }, decode(signature))
  assert.ok(isSigned, 'the signature does not fit')
  return { key, claims: JSON.parse(decode(claims).toString()) }
}

function decode(text: string): Buffer {
  return Buffer.from(text, 'base64url')
}
