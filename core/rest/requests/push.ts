import { maybe } from '../../schema/fields.ts'
import { type Static, Type } from 'typebox'

/** Longest endpoint taken; those of the known push services have up to about 600 characters. */
const MAX_ENDPOINT_LENGTH = 1024

const Endpoint = Type.String({ minLength: 1, maxLength: MAX_ENDPOINT_LENGTH })

/** Base64url; browsers send no padding, and some libraries do. */
const Key = (description: string) => Type.String({ description, pattern: '^[A-Za-z0-9_-]+={0,2}$', maxLength: 128 })

/**
 * What `PushSubscription.toJSON()` gives (W3C Push API, section 8). Open to members that browsers may add (decisions,
 * section 5); the handler checks whether endpoint and keys are usable, and names what is not.
 */
export const PushSubscribe = Type.Object({
  endpoint: Endpoint,
  /** Milliseconds since 1970. */
  expirationTime: maybe(Type.Union([Type.Number({ minimum: 0 }), Type.Null()])),
  keys: Type.Object({
    p256dh: Key('An uncompressed P-256 point: 65 bytes'),
    auth: Key('16 bytes'),
  }),
})

export const PushUnsubscribe = Type.Object({ endpoint: Endpoint })

export const PushTest = Type.Object({ endpoint: Endpoint })

export type PushSubscribe = Static<typeof PushSubscribe>
