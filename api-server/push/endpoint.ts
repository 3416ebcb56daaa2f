import { parseUrl } from '../../lib/url.ts'
import { createECDH } from 'node:crypto'
import { apiError } from '../../core/errors.ts'
import type { PushSubscribe } from '../../core/rest/requests/push.ts'
import { toTimestamp } from '../../core/time.ts'
import { isPrivateHost } from '../../lib/public-address.ts'
import type { Subscription } from './subscriptions.ts'

const AUTH_BYTES = 16
/** Last instant that a Date can be, in milliseconds (ECMA-262, section 21.4.1.1). */
const MAX_TIME_MS = 8.64e15

export interface EndpointRule {
  /** True: private addresses and plain http are taken too. */
  readonly allowPrivate: boolean
}

/**
 * A browser's subscription as it is stored.
 *
 * @throws ApiError `invalid_request` naming what cannot be used: the endpoint, or one of the keys
 */
export function toSubscription(input: PushSubscribe, rule: EndpointRule, now: Date): Subscription {
  const problem = findEndpointProblem(input.endpoint, rule)
  if (problem !== undefined)
    throw apiError('invalid_request', `endpoint: ${problem}, not ${JSON.stringify(input.endpoint)}`)
  const { p256dh, auth } = input.keys
  if (!isPoint(p256dh))
    throw apiError('invalid_request', 'keys.p256dh: must be a P-256 public key of 65 bytes in base64url')
  if (Buffer.from(auth, 'base64url').length !== AUTH_BYTES)
    throw apiError('invalid_request', `keys.auth: must be ${AUTH_BYTES} bytes in base64url`)
  const expiresAt = toInstant(input.expirationTime)
  return {
    endpoint: input.endpoint,
    p256dh: unpadded(p256dh),
    auth: unpadded(auth),
    createdAt: toTimestamp(now),
    ...(expiresAt === undefined ? {} : { expiresAt }),
  }
}

/** Why nothing may be sent to an endpoint, judged by its text alone; undefined when there is no reason. */
function findEndpointProblem(endpoint: string, { allowPrivate }: EndpointRule): string | undefined {
  const url = parseUrl(endpoint)
  if (url === undefined) return 'must be an absolute URL'
  const { protocol, hostname, username, password } = url
  if (protocol !== 'https:' && !(allowPrivate && protocol === 'http:')) return 'must be an https URL'
  if (username !== '' || password !== '') return 'must not carry credentials'
  if (!allowPrivate && isPrivateHost(hostname)) return 'must not be at a private address'
  return undefined
}

/** Whether the key is a point of the curve that RFC 8291 uses; other bytes would fail at every notification. */
function isPoint(key: string): boolean {
  const point = Buffer.from(key, 'base64url')
  if (point.length !== 65) return false
  const ecdh = createECDH('prime256v1')
  ecdh.generateKeys()
  try {
    ecdh.computeSecret(point)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_CRYPTO_ECDH_INVALID_PUBLIC_KEY') return false
    throw error
  }
}

function toInstant(ms: number | null | undefined): string | undefined {
  return ms === null || ms === undefined || ms > MAX_TIME_MS ? undefined : toTimestamp(new Date(ms))
}

function unpadded(text: string): string {
  return text.replace(/={1,2}$/, '')
}
