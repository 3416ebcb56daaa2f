import { allows } from './access.ts'
import type { Audience, Caller } from './tokens.ts'

export type { Audience } from './tokens.ts'

/** For whom a record is made: its `actions` are those that this caller may take. Left out: somebody who may decide. */
export type Viewer = Pick<Caller, 'scopes' | 'audience'> & Partial<Pick<Caller, 'name'>>

/** Whose texts of one record differ: of those who may decide, its authors may not accept it where four eyes are asked for. */
export type Readership = Audience | 'authors'

export function audienceOf(viewer: Viewer | undefined): Audience {
  return viewer?.audience ?? (viewer === undefined || allows(viewer, 'decide') ? 'deciders' : 'readers')
}
