import { createHash } from 'node:crypto'
import type { UserInfo } from '../../kube/builtin.ts'
import { findNameProblem } from '../../core/bidi-controls.ts'

/** Somebody whose rights are those that Kubernetes gives. */
export interface Subject {
  /** As decisions record it. */
  readonly name: string
  readonly user: Required<UserInfo>
  /** The same for the same answers: a hash of all of `user`. */
  readonly key: string
}

/** Names that decisions record for somebody else. */
export const RESERVED_NAMES: readonly string[] = ['api', 'anonymous', 'kubectl (annotation)']

/** Of `by` in statuses. */
const MAX_NAME_LENGTH = 200
const HASH_LENGTH = 16

/** The person, or the account, that a user of Kubernetes is; undefined for a name that would deceive its readers. */
export function createSubject(given: UserInfo | undefined): Subject | undefined {
  const { username = '', uid = '', groups = [], extra = {} } = given ?? {}
  if (username === '' || RESERVED_NAMES.includes(username) || isUnreadable(username)) return undefined
  const user = { username, uid, groups, extra }
  const key = createHash('sha256').update(JSON.stringify(user)).digest('base64')
  return { name: shorten(username), user, key }
}

function isUnreadable(name: string): boolean {
  return /[\p{Cc}\u2028\u2029]/u.test(name) || findNameProblem(name) !== undefined
}

/** A service account's may be longer than what a status holds; two that are cut must not look the same. */
function shorten(name: string): string {
  if (name.length <= MAX_NAME_LENGTH) return name
  const hash = createHash('sha256').update(name).digest('hex').slice(0, HASH_LENGTH)
  return `${name.slice(0, MAX_NAME_LENGTH - HASH_LENGTH - 1)}~${hash}`
}
