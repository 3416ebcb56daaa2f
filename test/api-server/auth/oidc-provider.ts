/** A real OpenID provider on loopback (the npm package oidc-provider), and a browser that signs in there. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Configuration, Provider } from 'oidc-provider'

export const CLIENT_ID = 'slipway'
export const CLIENT_SECRET = 'a-client-secret-that-is-long-enough'

export interface TestProvider {
  readonly issuer: string
  /** By the name that a person signs in with. */
  readonly claims: Map<string, Record<string, unknown>>
  stop(): Promise<void>
}

export interface ProviderOptions {
  /** Where it may send browsers to. */
  readonly redirectUri: string
  /** 0: any free one. */
  readonly port?: number
  /** How long an id token is valid. */
  readonly idTokenSeconds?: number
}

export async function startProvider(options: ProviderOptions): Promise<TestProvider> {
  const { redirectUri, port = 0, idTokenSeconds = 3600 } = options
  const claims = new Map<string, Record<string, unknown>>()
  const server = createServer()
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const configuration: Configuration = {
    clients: [
      {
        client_id: CLIENT_ID,
        client_secret: CLIENT_SECRET,
        redirect_uris: [redirectUri],
        post_logout_redirect_uris: [`${new URL(redirectUri).origin}/`],
      },
    ],
    claims: { openid: ['sub', 'groups'], email: ['email', 'email_verified'], profile: ['name'] },
    conformIdTokenClaims: false,
    findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id, ...claims.get(id) }) }),
    ttl: {
      IdToken: idTokenSeconds,
      AccessToken: 600,
      AuthorizationCode: 60,
      Grant: 3600,
      Interaction: 600,
      Session: 3600,
    },
    cookies: { keys: ['a-key-of-the-tests'] },
    features: { devInteractions: { enabled: true } },
  }
  const provider = new Provider(issuer, configuration)
  const answer = provider.callback()
  server.on('request', (request, response) => void answer(request, response))
  return {
    issuer,
    claims,
    async stop() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

/** Cookies by host and port, as a browser would keep them if it told ports apart. */
export class CookieJar {
  readonly #byHost = new Map<string, Map<string, string>>()

  header(url: string): string {
    const pairs = [...(this.#byHost.get(new URL(url).host) ?? [])]
    return pairs.map(([name, value]) => `${name}=${value}`).join('; ')
  }

  keep(url: string, setCookies: readonly string[]): void {
    const { host } = new URL(url)
    const own = this.#byHost.get(host) ?? new Map<string, string>()
    for (const each of setCookies) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(each) ?? []
      if (value === '' || /expires=Thu, 01 Jan 1970/i.test(each)) own.delete(name)
      else own.set(name, value)
    }
    this.#byHost.set(host, own)
  }
}

export interface Visit {
  readonly url: string
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** One request of a browser, without following where the answer leads. */
export async function visit(jar: CookieJar, url: string, form?: Record<string, string>): Promise<Visit> {
  const response = await fetch(url, {
    redirect: 'manual',
    headers: { Cookie: jar.header(url), Accept: 'text/html' },
    ...(form && { method: 'POST', body: new URLSearchParams(form) }),
  })
  jar.keep(url, response.headers.getSetCookie())
  return { url, status: response.status, headers: response.headers, text: await response.text() }
}

/** Signs in at the provider, and stops in front of the address that it would send the browser back to. */
export async function signInAt(jar: CookieJar, start: string, login: string, callback: string): Promise<string> {
  let at = start
  let form: Record<string, string> | undefined
  for (let steps = 0; steps < 20; steps++) {
    if (at.startsWith(callback)) return at
    const { status, headers, text } = await visit(jar, at, form)
    form = undefined
    if (status >= 300 && status < 400) {
      at = new URL(headers.get('location') ?? '', at).href
      continue
    }
    const prompt = /name="prompt" value="(\w+)"/.exec(text)?.[1]
    const action = /action="([^"]+)"/.exec(text)?.[1]
    if (prompt === undefined || action === undefined) throw new Error(`${at}: ${status} ${text}`)
    at = new URL(action, at).href
    form = { prompt, ...(prompt === 'login' && { login, password: 'any' }) }
  }
  throw new Error(`${start} leads nowhere`)
}
