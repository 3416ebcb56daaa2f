import { closed, maybe } from '../../schema/fields.ts'
import { Type } from 'typebox'

/** Where a sign-in comes back to: the path of a page of this server, with its query. */
export const SignInQuery = closed({ return: maybe(Type.String()) })

/** What a provider sends back (RFC 6749 §4.1.2, RFC 9207); providers add fields of their own. */
export const SignInAnswer = Type.Object({
  code: maybe(Type.String()),
  state: maybe(Type.String()),
  iss: maybe(Type.String()),
  error: maybe(Type.String()),
})

/** Left out, with its whole body, where `Authorization` carries the token. */
export const SessionCreate = closed({ token: Type.String() })

export const LiveQuery = closed({ types: maybe(Type.String()), since: maybe(Type.String()) })
