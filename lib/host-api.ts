/**
 * The REST API of the service that hosts a repository: where it is, who gets the token, and how it is called.
 *
 * The token is for the API's own host: a redirect is followed there alone, and only for what has moved.
 */
import type { IncomingMessage } from 'node:http'
import type { HostType } from '../core/crd/types.ts'
import { withoutAbsent } from '../core/omit.ts'
import { trimEndOf } from '../core/trim.ts'
import { mayReceiveCredentials } from './git-host.ts'
import { parseGitUrl, repositoryPath } from './git-url.ts'
import { type WayOut, readText, sendRequest } from './outbound.ts'
import { parseUrl } from './url.ts'

/** Where each kind of host has its API, on the repository's own host. */
const API_PATHS = { GitHub: '/api/v3', GitLab: '/api/v4', Gitea: '/api/v1' } as const satisfies Record<HostType, string>

const GITHUB_API = 'https://api.github.com'

const KNOWN: ReadonlyMap<string, HostType> = new Map([
  ['github.com', 'GitHub'],
  ['gitlab.com', 'GitLab'],
  ['codeberg.org', 'Gitea'],
])

/** A repository at the API of its host. */
export interface HostApi {
  readonly type: HostType
  /** Without a slash at its end, such as `https://api.github.com`. */
  readonly apiUrl: string
  /** `owner/name`, or deeper where the host nests groups. */
  readonly path: string
}

/**
 * Finds the API for a repository: of the host that the project names, or of the one that its host name stands for;
 * undefined when neither is known.
 *
 * @throws UnusableGitUrl
 */
export function findHostApi(
  repositoryUrl: string,
  named: { readonly type?: HostType; readonly apiUrl?: string } = {},
): HostApi | undefined {
  const { host, protocol } = parseGitUrl(repositoryUrl)
  const name = host.replace(/:\d+$/, '')
  const type = named.type ?? KNOWN.get(name)
  if (type === undefined || (protocol === 'file' && named.apiUrl === undefined)) return undefined
  // The API does not listen at the port of ssh.
  const authority = protocol === 'ssh' ? name : host
  // Who serves repositories without TLS has no certificate for the API; the token goes there only where the Secret says http.
  const scheme = protocol === 'http' && !KNOWN.has(name) ? protocol : 'https'
  const own = type === 'GitHub' && name === 'github.com' ? GITHUB_API : `${scheme}://${authority}${API_PATHS[type]}`
  return { type, apiUrl: trimEndOf(named.apiUrl ?? own, '/'), path: repositoryPath(repositoryUrl) }
}

/**
 * The host name that must be the git Secret's for its token to be sent to this API. GitHub's API has another host name,
 * which counts as github.com.
 */
function tokenHost(apiUrl: string): string {
  return apiUrl === GITHUB_API ? 'github.com' : parseGitUrl(apiUrl).host
}

/** The same as a Secret has to name it, with the scheme, which counts too. */
export function tokenOrigin(apiUrl: string): string {
  return apiUrl === GITHUB_API ? tokenHost(apiUrl) : new URL(apiUrl).origin
}

/** Whether the token of a Secret for `gitHost` may be sent to this API. Source: specification §3.15. */
export function mayReceiveToken(apiUrl: string, gitHost: string | undefined): boolean {
  return mayReceiveCredentials({ ...parseGitUrl(apiUrl), host: tokenHost(apiUrl) }, gitHost)
}

export interface HostRequest {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly body?: Readonly<Record<string, string>>
}

export interface HostAnswer {
  readonly status: number
  /** Parsed JSON; a text where it is none. */
  readonly body: unknown
  /** Where it redirects to. */
  readonly location?: string
  /** Present when a rate limit refused it: words on when that ends, if the host said it. */
  readonly limitEnds?: string
}

/** What a failure concerns: whatever the host is asked, by whoever has this token, or one repository. */
export type FailureScope = 'host' | 'login' | 'repository'

/** A host that gave no answer: it cannot be reached, sends too much, or redirects elsewhere. */
export class HostUnanswered extends Error {
  readonly code = 'HOST_UNANSWERED'
  override readonly name = 'HostUnanswered'
  readonly scope: FailureScope
  constructor(message: string, scope: FailureScope = 'host') {
    super(message)
    this.scope = scope
  }
}

export interface HostAccess {
  readonly token: string
  /** Told with each answer that names it: which part of what the token may ask for is left, from 0 to 1. */
  readonly onQuota?: (left: number) => void
  readonly signal: AbortSignal
  readonly way: WayOut
}

/** Size of an answer; a list of fifty pull requests is much smaller. */
const MAX_BODY_BYTES = 8 * 1024 * 1024

const MAX_REDIRECTS = 3
/** The repository was renamed or moved: repeat the same request at its new address. */
const MOVED = [301, 307, 308]

/**
 * Calls a host with a token, and follows a redirect only on the API's own host and for what has moved: the token is for
 * this host alone, and other redirects lead to pages for people.
 *
 * @throws HostUnanswered; the signal's reason
 */
export async function callHost(request: HostRequest, access: HostAccess): Promise<HostAnswer> {
  let url = new URL(request.url)
  for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
    const answer = await send({ ...request, url: url.href }, access)
    if (!MOVED.includes(answer.status) || answer.location === undefined) return answer
    const next = parseUrl(answer.location, url)
    if (next?.origin !== url.origin) throw new HostUnanswered(elsewhere(url, next), 'repository')
    url = next
  }
  throw new HostUnanswered(`${url.host} redirects more than ${MAX_REDIRECTS} times`, 'repository')
}

function elsewhere({ host }: URL, next: URL | undefined): string {
  return `${host} redirects to ${next?.origin ?? 'what is no URL'}, and the token is not sent there: correct the repository's URL, or host.apiUrl of the project`
}

async function send(
  { method, url, body }: HostRequest,
  { token, onQuota, signal, way }: HostAccess,
): Promise<HostAnswer> {
  const { host } = new URL(url)
  const json = body === undefined ? undefined : JSON.stringify(body)
  const headers = {
    Authorization: `Bearer ${token}`,
    Accept: 'application/json',
    'User-Agent': 'slipway',
    ...(json === undefined ? {} : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(json) }),
  }
  const refuse = (problem: string, scope?: FailureScope): Error =>
    new HostUnanswered(`the API of ${host} cannot be reached: ${problem}`, scope)
  try {
    const response = await sendRequest(new URL(url), { method, headers, signal, agent: false }, way, json)
    const text = await readText(response, MAX_BODY_BYTES, (problem) => refuse(problem, 'repository'))
    const { location } = response.headers
    const left = findQuota(response)
    if (left !== undefined) onQuota?.(left)
    const status = response.statusCode ?? 0
    return { status, body: parse(text), ...withoutAbsent({ location }), ...findLimit(response, text) }
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof HostUnanswered || !(error instanceof Error)) throw error
    throw refuse(error.message)
  }
}

/** The headers of GitHub, and of GitLab. */
function findQuota({ headers }: IncomingMessage): number | undefined {
  const [left, limit] = ['remaining', 'limit'].map((what) =>
    Number(headers[`x-ratelimit-${what}`] ?? headers[`ratelimit-${what}`] ?? NaN),
  )
  return left !== undefined && limit !== undefined && left >= 0 && limit > 0 ? left / limit : undefined
}

/** Hosts tell a limit by 429, and GitHub by 403 with these headers, or by words alone for its secondary limits. */
function findLimit({ statusCode, headers }: IncomingMessage, text: string): Pick<HostAnswer, 'limitEnds'> {
  const wait = headers['retry-after']
  const isSpent = headers['x-ratelimit-remaining'] === '0' || wait !== undefined
  const isLimit = statusCode === 429 || (statusCode === 403 && (isSpent || /rate limit/i.test(text)))
  if (!isLimit) return {}
  return { limitEnds: Number(wait) > 0 ? `; it asks to wait ${Number(wait)} seconds` : '' }
}

/** An answer that is not JSON, such as a proxy's page, stays a text. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return text
    throw error
  }
}

/** The value at a path in a JSON object; undefined when there is none. */
function valueAt(value: unknown, path: readonly string[]): unknown {
  let found: unknown = value
  for (const key of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined
    found = Object.entries(found).find(([name]) => name === key)?.[1]
  }
  return found
}

/** The string at a path in a JSON object; undefined when there is none. */
export function textOf(value: unknown, ...path: readonly string[]): string | undefined {
  const found = valueAt(value, path)
  return typeof found === 'string' ? found : undefined
}

/** The items of a JSON list, or of the one at a path in a JSON object; empty for any other value. */
export function itemsOf(value: unknown, ...path: readonly string[]): readonly unknown[] {
  const found = valueAt(value, path)
  return Array.isArray(found) ? found : []
}
