/** Names of users of Kubernetes, as decisions record them; docs/specification.md §4.32 and §9.9. */
import { createHash } from 'node:crypto'
import { findNameProblem } from '../core/bidi-controls.ts'
import { KEPT_OF_LONG_NAME, MAX_NAME_LENGTH, UNPROVEN_NAMES } from '../core/decision.ts'

const HASH_LENGTH = MAX_NAME_LENGTH - KEPT_OF_LONG_NAME - 1

/** @returns undefined for a name that would deceive its readers */
export function findShownName(username: string): string | undefined {
  const isDeceptive = UNPROVEN_NAMES.includes(username) || isUnreadable(username)
  return isDeceptive ? undefined : shorten(username)
}

function isUnreadable(name: string): boolean {
  return /[\p{Cc}\u2028\u2029]/u.test(name) || findNameProblem(name) !== undefined
}

/** A service account's may be longer than what a status holds; two that are cut must not look the same. */
function shorten(name: string): string {
  if (name.length <= MAX_NAME_LENGTH) return name
  const hash = createHash('sha256').update(name).digest('hex').slice(0, HASH_LENGTH)
  return `${name.slice(0, KEPT_OF_LONG_NAME)}~${hash}`
}
