/**
 * Settings of sign-in with OpenID Connect: their schema, and what no schema can judge. Names and meanings are those of
 * kube-apiserver's `--oidc-…` flags where it has such, so that a person is the same user to both. Source:
 * docs/specification.md §9.10.
 */
import { type Static, Type } from 'typebox'
import { SCOPES } from '../core/rest/route.ts'
import { isLoopback } from './address-rule.ts'
import { parseUrl } from './url.ts'
import { closed, maybe } from '../core/schema/fields.ts'

const Path = Type.String({ pattern: '^/' })
const Claim = Type.String({ minLength: 1, maxLength: 253 })
const Prefix = Type.String({ maxLength: 253 })

/** What a user or a group may do where no cluster says so. */
const OidcRole = closed({
  user: maybe(Claim),
  group: maybe(Claim),
  scopes: Type.Array(Type.Enum([...SCOPES]), { minItems: 1, uniqueItems: true }),
})

export const OidcSettings = closed({
  issuer: Type.String({ pattern: '^https?://' }),
  clientId: Type.String({ minLength: 1, maxLength: 512 }),
  clientSecretFile: maybe(Path),
  name: maybe(Type.String({ minLength: 1, maxLength: 60 })),
  scopes: maybe(Type.Array(Type.String({ pattern: '^[!#-\\[\\]-~]+$' }), { uniqueItems: true })),
  usernameClaim: maybe(Claim),
  usernamePrefix: maybe(Prefix),
  groupsClaim: maybe(Claim),
  groupsPrefix: maybe(Prefix),
  caBundle: maybe(Path),
  sessionKeyFile: maybe(Path),
  sessionMinutes: maybe(Type.Integer({ minimum: 1, maximum: 10_080 })),
  roles: maybe(Type.Array(OidcRole)),
})

export type OidcSettings = Static<typeof OidcSettings>

interface Around {
  readonly publicUrl?: string | undefined
  readonly identity: { readonly kubernetes?: object; readonly oidc?: OidcSettings }
}

/** Why the settings cannot be used: the field and what it lacks; undefined where they can, or there are none. */
export function findOidcProblem({ publicUrl, identity: { kubernetes, oidc } }: Around): string | undefined {
  if (oidc === undefined) return undefined
  return (
    findAddressProblem('identity.oidc.issuer', oidc.issuer) ??
    (publicUrl === undefined
      ? 'publicUrl: is needed for identity.oidc: the provider sends people back to it'
      : findAddressProblem('publicUrl', publicUrl)) ??
    findKeyProblem(oidc) ??
    findRolesProblem(oidc, kubernetes !== undefined)
  )
}

function findAddressProblem(field: string, text: string): string | undefined {
  const url = parseUrl(text)
  if (url === undefined) return `${field}: must be a URL`
  if (url.protocol !== 'https:' && !isLoopback(url.hostname))
    return `${field}: must begin with https:// for identity.oidc; http:// is for this machine (loopback) only`
  if (url.search !== '' || url.hash !== '' || url.username !== '' || url.password !== '')
    return `${field}: must have no query, fragment, user or password`
  return undefined
}

function findKeyProblem({ clientSecretFile, sessionKeyFile }: OidcSettings): string | undefined {
  if (clientSecretFile !== undefined || sessionKeyFile !== undefined) return undefined
  return 'identity.oidc.sessionKeyFile: is needed without clientSecretFile: sessions are sealed with one of them'
}

function findRolesProblem({ roles = [], groupsClaim }: OidcSettings, hasCluster: boolean): string | undefined {
  const where = 'identity.oidc.roles'
  if (hasCluster)
    return roles.length > 0 ? `${where}: with identity.kubernetes the roles of the namespace count alone` : undefined
  if (roles.length === 0) return `${where}: name at least one user or group, or set identity.kubernetes`
  for (const [index, { user, group }] of roles.entries()) {
    if ((user === undefined) === (group === undefined)) return `${where}[${index}]: give either user or group`
    if (group !== undefined && groupsClaim === undefined)
      return `${where}[${index}].group: needs identity.oidc.groupsClaim, the claim that holds groups`
  }
  return undefined
}
