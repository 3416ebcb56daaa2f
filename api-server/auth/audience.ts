import { allows } from './access.ts'
import type { Caller } from './tokens.ts'

/** For whom a record is made: its `actions` are those that this caller may take. Left out: somebody who may decide. */
export type Viewer = Pick<Caller, 'scopes'>

/** Those who may decide and those who may not: each record has at most one text for either. */
export type Audience = 'deciders' | 'readers'

export function audienceOf(viewer: Viewer | undefined): Audience {
  return viewer === undefined || allows(viewer, 'decide') ? 'deciders' : 'readers'
}
