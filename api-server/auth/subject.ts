import { createHash } from 'node:crypto'
import type { UserInfo } from '../../kube/builtin.ts'
import { findShownName } from '../../lib/user-name.ts'

/** Somebody whose rights are those that Kubernetes gives. */
export interface Subject {
  /** As decisions record it. */
  readonly name: string
  readonly user: Required<UserInfo>
  /** The same for the same answers: a hash of all of `user`. */
  readonly key: string
}

/** The person, or the account, that a user of Kubernetes is; undefined for a name that would deceive its readers. */
export function createSubject(given: UserInfo | undefined): Subject | undefined {
  const { username = '', uid = '', groups = [], extra = {} } = given ?? {}
  const name = findShownName(username)
  if (name === undefined) return undefined
  const user = { username, uid, groups, extra }
  const key = createHash('sha256').update(JSON.stringify(user)).digest('base64')
  return { name, user, key }
}
