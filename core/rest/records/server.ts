import { closed, Instant, maybe } from '../../schema/fields.ts'
import { SCOPES } from '../route.ts'
import { type Static, Type } from 'typebox'

/** `commit` is a full hash, `built_at` RFC 3339; each "" where the build does not know it. */
export const VersionRecord = closed({ version: Type.String(), commit: Type.String(), built_at: Type.String() })

export const HealthRecord = closed({ status: Type.String() })

export const ReadinessRecord = closed({
  status: Type.String(),
  /** What the control plane refuses this server for want of a right; everything else is served. */
  refused: maybe(Type.String()),
  /** What waits for a person on the data volume; everything else is served. Where the operator is in this process. */
  held: maybe(Type.String()),
})

/** Where people sign in with a browser in place of a token, and what it is called. */
export const SignInOffer = closed({ name: Type.String(), url: Type.String() })

export type SignInOffer = Static<typeof SignInOffer>

/** `sign_in` comes with a 401 where people can sign in with OpenID Connect. */
export const ErrorRecord = closed({ error: Type.String(), sign_in: maybe(SignInOffer) })

/** Who the server takes the caller for, and what they may do; `expires_at` where a session cookie says so. */
export const SessionRecord = closed({
  name: Type.String(),
  scopes: Type.Array(Type.Enum([...SCOPES])),
  expires_at: maybe(Instant),
})

export type SessionRecord = Static<typeof SessionRecord>
export type VersionRecord = Static<typeof VersionRecord>
