/**
 * Sign-in of people with OpenID Connect (docs/specification.md §9.10): the authorization code flow, and the sessions it
 * ends in. Nothing is stored: what a flow needs is sealed into a cookie of ten minutes, so any replica can end what
 * another has begun, and only the browser that began it.
 *
 * That cookie is SameSite=Lax, because the provider sends the browser back from another site. The session's stays
 * Strict: a browser takes it from that answer, and the page it is led to sends it with its own requests; only the
 * page itself, which needs none, is asked for without it.
 */
import type { Clock } from '../../lib/clock.ts'
import type { JsonObject } from '../../core/json.ts'
import type { WayOut } from '../../lib/outbound.ts'
import type { OidcClient } from '../../lib/oidc-client.ts'
import type { OidcSettings } from '../../lib/oidc-config.ts'
import { readOidcKeys } from './oidc-keys.ts'
import { type Person, scopesOfPerson, toPerson, withGroupsOf } from './person.ts'
import { createSeal } from './seal.ts'
import { createSubject } from './subject.ts'
import type { Caller } from './tokens.ts'

export interface Oidc {
  /** As people know the provider. */
  readonly name: string
  /** Where a browser begins; at the address that the provider sends it back to. */
  readonly startUrl: string
  /** @throws ProviderUnavailable */
  begin(returnTo: URL): Promise<{ readonly location: URL; readonly sealed: string }>
  /**
   * Ends the flow that `sealed` stands for.
   *
   * @throws SignInRefused, ProviderUnavailable; NoPerson for an id token that names nobody
   */
  finish(answer: URLSearchParams, sealed: string): Promise<SignedIn | 'unknown-flow'>
  /** Who a sealed session stands for, while it does. */
  findCaller(sealed: string): Caller | undefined
  /** Where the provider ends its own session. @throws ProviderUnavailable */
  endSessionUrl(): Promise<URL | undefined>
}

export interface SignedIn {
  readonly username: string
  readonly returnTo: string
  readonly endsAt: Date
  readonly sealed: string
  /** Undefined for a name that nobody may have. */
  readonly caller: Caller | undefined
}

export interface OidcOptions extends Pick<WayOut, 'proxies'> {
  readonly settings: OidcSettings
  readonly publicUrl: string
  /** True: roles of the namespace say what a person may do. */
  readonly hasSubjects: boolean
  readonly clock: Clock
  readonly randomBytes: (size: number) => Uint8Array
}

export const FLOW_MS = 10 * 60_000
const MAX_SESSION_MS = 8 * 3_600_000
export const START_PATH = '/api/session/oidc'
const CALLBACK_PATH = `${START_PATH}/callback`
/** Kubernetes gives it to everybody whom it has authenticated. */
const EVERYBODY = 'system:authenticated'

/** The provider is asked when the first person comes. @throws OidcFileUnreadable */
export function createOidc({ settings, publicUrl, hasSubjects, clock, randomBytes, proxies }: OidcOptions): Oidc {
  const { clientSecret, ca, sealKey } = readOidcKeys(settings)
  const { issuer, clientId, scopes = ['profile', 'email'] } = settings
  const { origin } = new URL(publicUrl)
  const redirectUri = `${origin}${CALLBACK_PATH}`
  const now = (): Date => clock.now()
  // Loaded when the first person comes: every other start would pay for it too.
  const load = () => import('../../lib/oidc-client.ts')
  let made: Promise<OidcClient> | undefined
  const getProvider = (): Promise<OidcClient> =>
    (made ??= load().then((module) =>
      module.createOidcClient({ issuer, clientId, clientSecret, ca, proxies, redirectUri, scopes, now }),
    ))
  const { seal, open } = createSeal(sealKey, randomBytes)

  const toCaller = (person: Person, sessionEndsAt: Date): Caller | undefined => {
    const user = { username: person.username, groups: [...person.groups, EVERYBODY] }
    const subject = createSubject(user)
    if (subject === undefined) return undefined
    const { name } = subject
    if (hasSubjects) return { name, scopes: [], subject, sessionEndsAt }
    return { name, scopes: scopesOfPerson(person, settings.roles), sessionEndsAt }
  }
  return {
    name: settings.name ?? new URL(issuer).host,
    startUrl: `${origin}${START_PATH}`,
    async begin(returnTo) {
      const checks = (await load()).makeChecks()
      const location = await (await getProvider()).authorizationUrl(checks)
      const end = now().getTime() + FLOW_MS
      return { location, sealed: seal('sign-in', { ...checks, returnTo: returnTo.href, end }) }
    },
    async finish(answer, sealed) {
      const { state, nonce, verifier, returnTo, end } = stillValid(open('sign-in', sealed), now())
      const isWhole = isText(state) && isText(nonce) && isText(verifier) && isText(returnTo)
      if (!isWhole || end === undefined || answer.get('state') !== state) return 'unknown-flow'
      const provider = await getProvider()
      const claims = await provider.finish(new URL(`${redirectUri}?${answer.toString()}`), { state, nonce, verifier })
      const person = toPerson(claims, settings)
      const kept = hasSubjects ? person : withGroupsOf(person, settings.roles)
      const endsAt = sessionEnd(settings, claims['exp'], now())
      const session = { user: kept.username, groups: [...kept.groups], end: endsAt.getTime() }
      const caller = toCaller(person, endsAt)
      return { username: person.username, returnTo, endsAt, caller, sealed: seal('session', session) }
    },
    findCaller(sealed) {
      const { user, groups, end } = stillValid(open('session', sealed), now())
      if (!isText(user) || !Array.isArray(groups) || typeof end !== 'number') return undefined
      return toCaller({ username: user, groups: groups.filter(isText) }, new Date(end))
    },
    endSessionUrl: async () => (await getProvider()).endSessionUrl(`${origin}/`),
  }
}

/** As long as the id token, and eight hours at most, unless the configuration says how long. */
function sessionEnd({ sessionMinutes }: OidcSettings, exp: unknown, now: Date): Date {
  const nowMs = now.getTime()
  if (sessionMinutes !== undefined) return new Date(nowMs + sessionMinutes * 60_000)
  const tokenEndMs = typeof exp === 'number' ? exp * 1000 : nowMs
  return new Date(Math.min(tokenEndMs, nowMs + MAX_SESSION_MS))
}

function stillValid(content: JsonObject | undefined, now: Date): JsonObject {
  const end = content?.['end']
  return content !== undefined && typeof end === 'number' && end > now.getTime() ? content : {}
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}
