/**
 * Who a verified id token says somebody is, in the words of Kubernetes: user name and groups with their prefixes, as
 * kube-apiserver's `--oidc-…` flags make them. Source: docs/specification.md §9.10.
 */
import { type Scope, SCOPES } from '../../core/rest/route.ts'
import type { OidcSettings } from '../../lib/oidc-config.ts'
import type { Claims } from '../../lib/oidc-client.ts'

/** A person who has signed in. */
export interface Person {
  readonly username: string
  readonly groups: readonly string[]
}

/** An id token that names nobody we may believe; the text is for the person. */
export class NoPerson extends Error {
  override readonly name = 'NoPerson'
}

/** Names that Kubernetes keeps for its own: `system:masters` may do everything. */
const KUBERNETES_OWN = 'system:'

/** @throws NoPerson */
export function toPerson(claims: Claims, settings: OidcSettings): Person {
  const { usernameClaim = 'sub', groupsClaim, groupsPrefix = '' } = settings
  const value = claims[usernameClaim]
  if (typeof value !== 'string' || value === '') throw new NoPerson(`The id token has no claim ${usernameClaim}.`)
  // Stricter than kube-apiserver, which also takes an address that the provider says nothing about.
  if (usernameClaim === 'email' && claims['email_verified'] !== true)
    throw new NoPerson(`The provider does not say that the e-mail address ${value} is verified (email_verified).`)
  const username = `${usernamePrefixOf(settings)}${value}`
  if (username.startsWith(KUBERNETES_OWN)) throw new NoPerson(`The name ${username} is one of Kubernetes' own.`)
  const groups = groupsClaim === undefined ? [] : toTexts(claims[groupsClaim])
  const prefixed = groups.map((group) => `${groupsPrefix}${group}`)
  return { username, groups: prefixed.filter((group) => !group.startsWith(KUBERNETES_OWN)) }
}

/** `sub` is unique at one issuer only, so it carries the issuer unless told otherwise; `-` is none at all. */
function usernamePrefixOf({ issuer, usernameClaim = 'sub', usernamePrefix = '' }: OidcSettings): string {
  if (usernamePrefix === '-') return ''
  if (usernamePrefix !== '') return usernamePrefix
  return usernameClaim === 'email' ? '' : `${issuer}#`
}

function toTexts(claim: unknown): string[] {
  const all: unknown[] = Array.isArray(claim) ? claim : [claim]
  return all.filter((each) => typeof each === 'string').filter((each) => each !== '')
}

/** What the configured roles give a person, where no cluster says it. */
export function scopesOfPerson({ username, groups }: Person, roles: OidcSettings['roles'] = []): readonly Scope[] {
  const own = roles.filter(({ user, group }) => user === username || (group !== undefined && groups.includes(group)))
  return SCOPES.filter((scope) => own.some(({ scopes }) => scopes.includes(scope)))
}

/** Only groups that decide anything: a session must fit into a cookie. */
export function withGroupsOf(person: Person, roles: OidcSettings['roles'] = []): Person {
  const named = new Set(roles.map(({ group }) => group))
  return { ...person, groups: person.groups.filter((group) => named.has(group)) }
}
