import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { apiError } from '../../core/errors.ts'
import type { Caller } from '../auth/access.ts'
import type { Authorization } from '../auth/authorization.ts'

/** The facts of a delivery before its signature is checked. */
export interface Delivery {
  readonly headers: IncomingHttpHeaders
  readonly bytes: Uint8Array
  readonly caller: Caller
}

/** Decides whether a webhook is from whom it says. */
export interface WebhookSignature {
  /**
   * @returns in whose name it makes tasks: its token's, or with a signature nobody's in particular
   * @throws ApiError `signature_rejected` while a secret is set; without one, as for any operation
   */
  check(delivery: Delivery): Promise<string>
}

/**
 * With a secret the HMAC-SHA256 over the raw body counts and nothing else; without one a token that may make tasks, as
 * for any other request (specification §8.30, §9.1).
 */
export function createWebhookSignature(secret: string | undefined, authorization: Authorization): WebhookSignature {
  if (secret === undefined) return { check: ({ caller }) => requireRight(caller, authorization) }
  return {
    async check({ headers, bytes }) {
      const given = headers['x-hub-signature-256']
      // The form is judged first, so that what is compared has one length; it is no secret.
      const [, hex] = /^sha256=([0-9a-f]{64})$/.exec(typeof given === 'string' ? given : '') ?? []
      const expected = createHmac('sha256', secret).update(bytes).digest()
      if (hex === undefined || !timingSafeEqual(Buffer.from(hex, 'hex'), expected)) throw apiError('signature_rejected')
      return SIGNED
    },
  }
}

/** Whose a task is that a program made which no token names. */
const SIGNED = 'webhook'

async function requireRight(caller: Caller, authorization: Authorization): Promise<string> {
  if (caller.subject === undefined && caller.scopes.length === 0) throw apiError('unauthorized')
  await authorization.admit(caller, 'receiveWebhook')
  return caller.name
}
