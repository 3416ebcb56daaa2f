import { closed, maybe } from '../fields.ts'
import { Type } from 'typebox'

export const LiveQuery = closed({ types: maybe(Type.String()), since: maybe(Type.String()) })
