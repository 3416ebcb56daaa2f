/**
 * An OpenID provider as a client of it sees it: discovery, the authorization code flow with PKCE, and id tokens whose
 * signature, issuer, audience, end and nonce are checked (openid-client). What the provider says of itself is kept for
 * an hour; what failed is asked again the next time. Sources: OpenID Connect Core 1.0, RFC 7636, RFC 9207.
 */
import { buffer } from 'node:stream/consumers'
import * as client from 'openid-client'
import { isLoopback } from './address-rule.ts'
import { ProviderUnavailable, SignInRefused } from './oidc-errors.ts'
import { type WayOut, sendRequest } from './outbound.ts'
import { messageOf } from './error-message.ts'

export interface OidcClientOptions extends WayOut {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret?: string | undefined
  readonly redirectUri: string
  readonly scopes: readonly string[]
  readonly now: () => Date
}

/** What one sign-in is checked against; made at its start, known to the browser that began it alone. */
export interface OidcChecks {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

export type Claims = Readonly<Record<string, unknown>>

/** Each throws {@link ProviderUnavailable} when the provider cannot be asked. */
export interface OidcClient {
  authorizationUrl(checks: OidcChecks): Promise<URL>
  /**
   * Claims of the verified id token that the code in an answer stands for.
   *
   * @param answer the address that the provider sent the browser to
   * @throws SignInRefused when the provider, or a check, says no
   */
  finish(answer: URL, checks: OidcChecks): Promise<Claims>
  /** Where the provider ends its own session; undefined when it has no such page. */
  endSessionUrl(returnTo: string): Promise<URL | undefined>
}

const KEPT_MS = 3_600_000
const TIMEOUT_SECONDS = 10

/** Fresh and unguessable. */
export function makeChecks(): OidcChecks {
  return { state: client.randomState(), nonce: client.randomNonce(), verifier: client.randomPKCECodeVerifier() }
}

/** Nothing is asked yet. */
export function createOidcClient(options: OidcClientOptions): OidcClient {
  let kept: { readonly provider: Promise<client.Configuration>; readonly atMs: number } | undefined
  const discover = (): Promise<client.Configuration> => {
    const nowMs = options.now().getTime()
    if (kept !== undefined && Math.abs(nowMs - kept.atMs) < KEPT_MS) return kept.provider
    const provider = askProvider(options).catch((error: unknown) => {
      kept = undefined
      throw new ProviderUnavailable(describe(error))
    })
    kept = { provider, atMs: nowMs }
    return provider
  }
  return {
    async authorizationUrl({ state, nonce, verifier }) {
      return client.buildAuthorizationUrl(await discover(), {
        redirect_uri: options.redirectUri,
        scope: [...new Set(['openid', ...options.scopes])].join(' '),
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        state,
        nonce,
      })
    },
    async finish(answer, { state, nonce, verifier }) {
      const provider = await discover()
      try {
        const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true }
        return (await client.authorizationCodeGrant(provider, answer, checks)).claims() ?? {}
      } catch (error) {
        if (isProvidersFault(error)) throw new ProviderUnavailable(describe(error))
        throw new SignInRefused(describe(error))
      }
    },
    async endSessionUrl(returnTo) {
      const provider = await discover()
      if (provider.serverMetadata().end_session_endpoint === undefined) return undefined
      return client.buildEndSessionUrl(provider, { post_logout_redirect_uri: returnTo })
    },
  }
}

async function askProvider({
  issuer,
  clientId,
  clientSecret,
  ca,
  proxies,
}: OidcClientOptions): Promise<client.Configuration> {
  const url = new URL(issuer)
  // Over TLS the standard lets a client believe an id token unsigned; we check its signature all the same.
  const execute = [client.enableNonRepudiationChecks]
  if (url.protocol === 'http:' && isLoopback(url.hostname)) execute.push(client.allowInsecureRequests)
  return client.discovery(url, clientId, {}, authentication(clientSecret), {
    execute,
    timeout: TIMEOUT_SECONDS,
    [client.customFetch]: fetchBy({ ca, proxies }),
  })
}

/** The way that every provider takes unless it says otherwise (OpenID Connect Discovery 1.0, section 3). */
function authentication(secret: string | undefined): client.ClientAuth {
  if (secret === undefined) return client.None()
  const [basic, post] = [client.ClientSecretBasic(secret), client.ClientSecretPost(secret)]
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    return methods.includes('client_secret_basic') ? basic(server, ...rest) : post(server, ...rest)
  }
}

/** The fetch of Node takes neither certificates nor a proxy. */
function fetchBy(way: WayOut): client.CustomFetch {
  return async (url, { method, headers, body, signal }) => {
    const sent = body == null ? undefined : new Uint8Array(await new Response(body).arrayBuffer())
    const answer = await sendRequest(new URL(url), { method, headers, ...(signal && { signal }) }, way, sent).catch(
      (error: unknown) => {
        signal?.throwIfAborted()
        throw new TypeError('no answer', { cause: error })
      },
    )
    const answered = Object.entries(answer.headersDistinct).flatMap(([name, values = []]) =>
      values.map((value): [string, string] => [name, value]),
    )
    return new Response(await buffer(answer), { status: answer.statusCode ?? 502, headers: answered })
  }
}

const PROVIDERS_FAULTS: readonly unknown[] = [
  'OAUTH_TIMEOUT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_PARSE_ERROR',
]

/** Not the person's: they may try again later. `invalid_client` is a wrong secret of ours. */
function isProvidersFault(error: unknown): boolean {
  if (error instanceof client.ResponseBodyError) return error.status >= 500 || error.error === 'invalid_client'
  return error instanceof client.ClientError ? PROVIDERS_FAULTS.includes(error.code) : error instanceof TypeError
}

/** Never the cause: answers of a provider hold tokens. */
function describe(error: unknown): string {
  if (error instanceof client.ResponseBodyError || error instanceof client.AuthorizationResponseError)
    return `${error.error}: ${error.error_description ?? error.message}`
  const cause = error instanceof TypeError && error.cause instanceof Error ? `: ${error.cause.message}` : ''
  return `${messageOf(error)}${cause}`
}
