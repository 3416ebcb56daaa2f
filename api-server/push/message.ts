import { type NotificationUrgency, PUSH_PRIORITIES } from '../../core/notify.ts'
import type { Subscription } from './subscriptions.ts'
import type { VapidKeys } from './vapid.ts'

/** The fields that all messages of this server share. */
export interface Sender {
  readonly keys: VapidKeys
  /** `mailto:` or `https:` (RFC 8292, section 2.1). */
  readonly subject: string
  readonly publicUrl?: string | undefined
}

/** The content for one browser. */
export interface PushContent {
  readonly urgency: NotificationUrgency
  /** A newer message of the same topic takes an older one's place at the push service (RFC 8030, section 5.4). */
  readonly topic: string
  /** JSON, as the service worker reads it. */
  readonly payload: string
}

/** One request to a push service. */
export interface PushRequest {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

/** A push service may refuse tokens that hold longer than a day (RFC 8292, section 2). */
const TOKEN_LASTS_SECONDS = 12 * 3600

/**
 * A message for one browser: encrypted for it alone (RFC 8291, RFC 8188), signed with the server's key (RFC 8292).
 *
 * The library makes ciphertext and token only. Its own sending knows no limit for the whole of a request, reads
 * answers of any length, and cannot be told which addresses are out of bounds.
 */
export async function toPushRequest(
  { urgency, topic, payload }: PushContent,
  { endpoint, p256dh, auth }: Subscription,
  { keys, subject }: Sender,
  now: Date,
): Promise<PushRequest> {
  // Takes a twentieth of a second to load: not before the first notification.
  const { default: webPush } = await import('web-push')
  const url = new URL(endpoint)
  const { header, ttlSeconds } = PUSH_PRIORITIES[urgency]
  const { cipherText } = webPush.encrypt(p256dh, auth, payload, 'aes128gcm')
  const expiresAt = Math.floor(now.getTime() / 1000) + TOKEN_LASTS_SECONDS
  const { Authorization } = webPush.getVapidHeaders(
    url.origin,
    subject,
    keys.publicKey,
    keys.privateKey,
    'aes128gcm',
    expiresAt,
  )
  return {
    url,
    headers: {
      Authorization,
      'Content-Encoding': 'aes128gcm',
      'Content-Type': 'application/octet-stream',
      'Content-Length': String(cipherText.length),
      TTL: String(ttlSeconds),
      Urgency: header,
      Topic: topic,
    },
    body: cipherText,
  }
}

/** Who push services are told to turn to when nothing is configured: the server itself, where it has a public address. */
export function defaultSubject(publicUrl: string | undefined): string {
  const isUsable = publicUrl?.startsWith('https://') === true && new URL(publicUrl).hostname !== 'localhost'
  // A reserved domain (RFC 2606): some services refuse tokens without any contact, and those of localhost.
  return isUsable ? publicUrl : 'mailto:slipway@example.com'
}
