/**
 * What a kubeconfig's user presents to the API server, and over which connections.
 *
 * KubeConfig knows every way to log in (tokens, token files, exec plugins, OIDC, certificates). It is asked again
 * every few seconds and after a 401, because tokens and certificates change while we run; the connections are
 * made anew only when the TLS material did change.
 */
import type { RequestOptions } from 'node:https'
import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { createSecureContext } from 'node:tls'
import type { Dispatcher, buildConnector } from 'undici'
import type { Clock } from '../lib/clock.ts'
import { Agent, ProxyAgent } from './undici.ts'

/** How long an answer of KubeConfig is used; a token file is read again after at most a minute by KubeConfig itself. */
const CREDENTIALS_MAX_AGE_MS = 10_000

/** Probes an idle connection before load balancers drop it, commonly after 60 s; undici's time-outs are off. */
const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelay: 30_000 }

/**
 * How long a connection without requests is kept: each new one costs a TLS handshake. kube-apiserver keeps them for 90 s,
 * load balancers commonly for 60; a server that says how long (`Keep-Alive`) is believed.
 */
const IDLE_MS = 30_000

/** Where an API server is, as a kubeconfig says it. */
export interface Cluster {
  readonly server: string
  readonly proxyUrl?: string | undefined
}

/** What a login is made from; client-node's KubeConfig is one. */
export interface LoginSource {
  getCurrentContext(): string
  getCurrentCluster(): Cluster | null
  /** Adds what proves who we are, and whom we trust. */
  applyToHTTPSOptions(options: RequestOptions): Promise<void>
}

/** Headers that prove who we are, and as many connections as are needed, so that watches never starve requests. */
export interface Login {
  readonly headers: Readonly<Record<string, string>>
  /** One for requests and watches: a watch goes on over the connection of its list, and saves a TLS handshake. */
  readonly connections: Dispatcher
}

/** The current way to log in, renewed as it ages. */
export interface Credentials {
  /** The login to use now. Rejects when the kubeconfig's files or exec plugin fail. */
  login(): Promise<Login>
  /** Forgets the headers: the server refused them. */
  expire(): void
  /**
   * Forgets the connections of `login`, over which no answer came: after an outage on which none of them broke, idle ones
   * and those half open would swallow the next requests too. What is under way on them goes on.
   */
  reconnect(login: Login): void
  /** Ends all connections, streams included. */
  close(): Promise<void>
}

/**
 * Reads nothing yet: what is wrong with files, plugin or protocol shows at the first login.
 *
 * @throws Error when the kubeconfig's current context names no cluster
 */
export function createCredentials(config: LoginSource, clock: Clock): Credentials {
  const cluster = currentCluster(config)
  let current: { readonly login: Login; readonly tls: string; readonly readAt: number } | undefined
  let reading: Promise<Login> | undefined
  let isClosed = false
  /** Requests and watches under way keep their old connections until they end by themselves. */
  const leaving = new Set<Login>()

  const read = async (): Promise<Login> => {
    const options: RequestOptions = {}
    await config.applyToHTTPSOptions(options)
    const tls = fingerprint(options)
    const connections = current?.tls === tls ? current.login.connections : openConnections(cluster, options)
    const outdated = current?.tls === tls ? undefined : current?.login
    const login = { headers: toHeaders(options), connections }
    current = { login, tls, readAt: clock.now().getTime() }
    if (outdated) {
      leaving.add(outdated)
      void closeSoon(outdated).then(() => leaving.delete(outdated))
    }
    return login
  }

  return {
    login() {
      if (isClosed) return Promise.reject(new Error('the client is closed'))
      if (current && clock.now().getTime() - current.readAt < CREDENTIALS_MAX_AGE_MS)
        return Promise.resolve(current.login)
      reading ??= read().finally(() => {
        reading = undefined
      })
      return reading
    },
    expire() {
      if (current) current = { ...current, readAt: -Infinity }
    },
    reconnect(login) {
      // Only once for all requests that these connections have swallowed.
      if (current?.login.connections === login.connections) current = { ...current, tls: '', readAt: -Infinity }
    },
    async close() {
      isClosed = true
      const all = current ? [current.login, ...leaving] : [...leaving]
      await Promise.all(all.map(({ connections }) => connections.destroy()))
      current = undefined
    },
  }
}

/** Once whoever was just given the login has begun its request: a pool that closes takes none. */
async function closeSoon({ connections }: Login): Promise<void> {
  await setImmediate()
  await Promise.allSettled([connections.close()])
}

/** @throws Error when the current context does not exist or names no cluster */
export function currentCluster(config: LoginSource): Cluster {
  const cluster = config.getCurrentCluster()
  if (cluster === null) throw new Error(`the kubeconfig has no cluster for context "${config.getCurrentContext()}"`)
  return cluster
}

function openConnections({ server, proxyUrl }: Cluster, options: RequestOptions): Dispatcher {
  const timeouts = { headersTimeout: 0, bodyTimeout: 0, keepAliveTimeout: IDLE_MS }
  const isSecure = server.startsWith('https:')
  // One context for all connections: each would parse the certificates again, and a start opens two dozen.
  const tls = { ...tlsOptions(options), ...(isSecure && { secureContext: createSecureContext(options) }) }
  const limits = { ...timeouts, connections: null }
  if (proxyUrl === undefined) return new Agent({ ...limits, connect: { ...tls, ...KEEP_ALIVE } })
  if (proxyUrl.startsWith('socks')) throw new Error('the kubeconfig asks for a SOCKS proxy, which is not supported')
  return new ProxyAgent({ ...limits, uri: proxyUrl, requestTls: { ...tls, ...KEEP_ALIVE } })
}

function tlsOptions(options: RequestOptions): buildConnector.BuildOptions {
  const { ca, cert, key, pfx, passphrase, rejectUnauthorized, servername } = options
  const given = { ca, cert, key, pfx, passphrase, rejectUnauthorized, servername }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}

function fingerprint(options: RequestOptions): string {
  return createHash('sha256')
    .update(JSON.stringify(tlsOptions(options)))
    .digest('base64')
}

/** The headers that prove who we are. */
export function toHeaders(options: RequestOptions): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(options.headers ?? {})) headers[name] = String(value)
  if (typeof options.auth === 'string')
    headers['Authorization'] = `Basic ${Buffer.from(options.auth).toString('base64')}`
  return headers
}
