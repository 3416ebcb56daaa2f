import { closed, maybe } from '../fields.ts'
import { Type } from 'typebox'

/** Left out, with its whole body, where `Authorization` carries the token. */
export const SessionCreate = closed({ token: Type.String() })

export const LiveQuery = closed({ types: maybe(Type.String()), since: maybe(Type.String()) })
