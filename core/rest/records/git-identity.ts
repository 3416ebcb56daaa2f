import { closed } from '../fields.ts'
import { Type } from 'typebox'

/** Author and committer of commits. */
export const GitIdentity = closed({ name: Type.String(), email: Type.String() })
