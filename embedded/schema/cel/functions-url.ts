import { parseUrl } from '../../../lib/url.ts'
import { EvaluationError } from '@marcbachmann/cel-js'
import type { Environment } from '@marcbachmann/cel-js'

/** Resolves absolute paths; its scheme and host are never shown. */
const BASE = 'path://'

/** An absolute URL or an absolute path, as Go's `url.ParseRequestURI` takes them. */
class CelUrl {
  readonly scheme: string
  readonly host: string
  readonly port: string
  readonly path: string
  readonly query: URLSearchParams

  constructor(text: string) {
    const isPath = text.startsWith('/')
    const url = new URL(text, BASE)
    this.scheme = isPath ? '' : url.protocol.slice(0, -1)
    this.host = isPath ? '' : url.hostname
    this.port = /^[^/]*\/\/[^/]*:(\d+)(?:[/?#]|$)/.exec(text)?.[1] ?? ''
    this.path = /^(?:[^/?#]*\/\/[^/?#]*)?([^?#]*)/.exec(text)?.[1] ?? ''
    this.query = url.searchParams
  }
}

/** Kubernetes' URL library: `isURL(text)`, and `url(text)` with its parts. */
export function registerUrls(env: Environment): void {
  env.registerType('kubernetes.URL', { ctor: CelUrl })
  env.registerFunction('isURL(string): bool', isUrl)
  env.registerFunction('url(string): kubernetes.URL', toCelUrl)
  env.registerFunction('kubernetes.URL.getScheme(): string', (url: CelUrl) => url.scheme)
  env.registerFunction('kubernetes.URL.getHost(): string', (url: CelUrl) =>
    url.port === '' ? url.host : `${url.host}:${url.port}`,
  )
  env.registerFunction('kubernetes.URL.getHostname(): string', (url: CelUrl) => url.host.replaceAll(/^\[|\]$/g, ''))
  env.registerFunction('kubernetes.URL.getPort(): string', (url: CelUrl) => url.port)
  env.registerFunction('kubernetes.URL.getEscapedPath(): string', (url: CelUrl) => url.path)
  env.registerFunction(
    'kubernetes.URL.getQuery(): map<string, list<string>>',
    (url: CelUrl) => new Map([...url.query.keys()].map((key) => [key, url.query.getAll(key)])),
  )
}

function isUrl(text: string): boolean {
  const isAbsolute = text.startsWith('/') || /^[A-Za-z][A-Za-z0-9+.-]*:/.test(text)
  return isAbsolute && parseUrl(text, BASE) !== undefined
}

function toCelUrl(text: string): CelUrl {
  if (isUrl(text)) return new CelUrl(text)
  throw new EvaluationError(`URL parse error during conversion from string: parse "${text}": invalid URI for request`)
}
