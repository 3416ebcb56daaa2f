import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { SignatureRejected } from '../../core/errors.ts'
import type { Access } from '../access.ts'
import { bearerToken } from '../access.ts'

/** Decides whether a webhook is from whom it says: its bytes and headers, before anything of it is believed. */
export interface WebhookGate {
  /** @throws SignatureRejected while a secret is set; without one Unauthorized where a token is set */
  check(headers: IncomingHttpHeaders, bytes: Uint8Array): void
}

/**
 * With a secret the HMAC-SHA256 over the raw body counts and nothing else; without one the token that every other
 * request needs (interface specification, section 5; decisions, section 5).
 */
export function createWebhookGate(secret: string | undefined, access: Access): WebhookGate {
  if (secret === undefined) return { check: (headers) => void access.authenticate(bearerToken({ headers })) }
  return {
    check(headers, bytes) {
      const given = headers['x-hub-signature-256']
      // The form is judged first, so that what is compared has one length; it is no secret.
      const [, hex] = /^sha256=([0-9a-f]{64})$/.exec(typeof given === 'string' ? given : '') ?? []
      const expected = createHmac('sha256', secret).update(bytes).digest()
      if (hex === undefined || !timingSafeEqual(Buffer.from(hex, 'hex'), expected)) throw new SignatureRejected()
    },
  }
}
