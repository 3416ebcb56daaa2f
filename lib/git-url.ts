/** Repository URLs in the three forms that people write: with a scheme, scp-like, and a local path. */
import { parseUrl } from './url.ts'
import { trimSlashes } from '../core/trim.ts'

export interface GitUrl {
  /** The URL without any user or password for http(s); for ssh the user stays, it is no secret. */
  readonly clean: string
  readonly protocol: 'https' | 'http' | 'ssh' | 'file'
  /** `name` or `name:port`, lower case; empty for a local repository. */
  readonly host: string
  /** What stood in front of the `@` of an http(s) URL, decoded. */
  readonly username?: string
  readonly password?: string
}

/** A repository URL that we do not hand to git. */
export class UnusableGitUrl extends Error {
  readonly code = 'UNUSABLE_GIT_URL'
  override readonly name = 'UnusableGitUrl'
}

/**
 * The forms of a repository URL. The CRDs have the same patterns in CEL, so that nothing passes there that is refused
 * here. Neither user nor host begins with `-`, which git would hand to ssh as an option; `javascript:alert(1)` is none of
 * them, because a host without a user has a dot.
 */
export const URL_FORMS = {
  url: String.raw`^(https?|ssh)://([^-@/?#\x00-\x20\x7f-\x9f][^@/?#\x00-\x20\x7f-\x9f]*@)?[^-@/?#\x00-\x20\x7f-\x9f][^@/?#\x00-\x20\x7f-\x9f]*([/?#][^\x00-\x20\x7f-\x9f]*)?$`,
  local: String.raw`^(file://)?/[^\x00-\x1f\x7f-\x9f]*$`,
  scp: String.raw`^([A-Za-z0-9_][A-Za-z0-9_.-]*@[A-Za-z0-9][A-Za-z0-9.-]*|[A-Za-z0-9][A-Za-z0-9-]*[.][A-Za-z0-9.-]*):/?[^-:/\x00-\x20\x7f-\x9f][^\x00-\x20\x7f-\x9f]*$`,
} as const

const WITH_SCHEME = new RegExp(URL_FORMS.url)
const LOCAL = new RegExp(URL_FORMS.local)
const SCP = new RegExp(URL_FORMS.scp)

/**
 * Takes a repository URL apart.
 *
 * @throws UnusableGitUrl for what has none of {@link URL_FORMS}: a leading `-`, control characters, remote helpers
 *   (`ext::…`), and schemes other than https, http, ssh and file.
 */
export function parseGitUrl(text: string): GitUrl {
  if (LOCAL.test(text)) return { clean: text, protocol: 'file', host: '' }
  if (WITH_SCHEME.test(text)) return parseWithScheme(text)
  if (!SCP.test(text)) throw refused('it has none of the forms https://host/path, ssh://host/path and user@host:path')
  const [authority = ''] = text.split(':', 1)
  return { clean: text, protocol: 'ssh', host: authority.slice(authority.indexOf('@') + 1).toLowerCase() }
}

/** The same; undefined for what is none. */
export function findGitUrl(text: string): GitUrl | undefined {
  try {
    return parseGitUrl(text)
  } catch (error) {
    if (error instanceof UnusableGitUrl) return undefined
    throw error
  }
}

function parseWithScheme(text: string): GitUrl {
  const url = parseUrl(text)
  if (url === undefined) throw refused('it is malformed')
  switch (url.protocol) {
    case 'https:':
    case 'http:':
      return parseHttp(url)
    case 'ssh:':
      if (url.password !== '') throw refused('a password in an ssh URL is not used')
      return { clean: text, protocol: 'ssh', host: url.host.toLowerCase() }
    default:
      throw refused(`the scheme ${url.protocol.slice(0, -1)} is not used`)
  }
}

function parseHttp(url: URL): GitUrl {
  const [username, password] = [decode(url.username), decode(url.password)]
  url.username = ''
  url.password = ''
  return {
    clean: url.href,
    protocol: url.protocol === 'https:' ? 'https' : 'http',
    host: url.host,
    ...(username === '' ? {} : { username }),
    ...(password === '' ? {} : { password }),
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch (error) {
    // A lone percent sign: the text is meant literally.
    if (error instanceof URIError) return text
    throw error
  }
}

function refused(reason: string): UnusableGitUrl {
  return new UnusableGitUrl(`the repository URL cannot be used: ${reason}; use an https, http or ssh URL`)
}

/**
 * The path of a repository on its host, such as `owner/name`: without slashes around it, `.git`, or what only escapes
 * characters.
 *
 * @throws UnusableGitUrl
 */
export function repositoryPath(text: string): string {
  const { clean } = parseGitUrl(text)
  const url = parseUrl(clean)
  const path = url === undefined ? clean.replace(/^[^/]*?:/, '') : decode(url.pathname)
  return trimSlashes(path).replace(/\.git$/, '')
}

/**
 * One text for the forms in which people write the same repository: `https://host/a/b.git`, `ssh://git@host:22/a/b` and
 * `git@host:a/b` agree. Scheme, user, port, letter case and `.git` do not count; so two repositories that differ in
 * those alone count as one, and a host that serves one repository at two paths, or by two names, as two.
 *
 * @throws UnusableGitUrl
 */
export function canonicalRepository(text: string): string {
  const { host } = parseGitUrl(text)
  return `${host.replace(/:\d+$/, '')}/${repositoryPath(text)}`.toLowerCase()
}

/**
 * Whether two texts name one repository; false for what is none. Letter case counts in paths of this machine alone, and
 * the port does for http, where it may be another server, and not for ssh, which has one of its own on any host.
 */
export function isSameRepository(a: string, b: string): boolean {
  const [one, other] = [identify(a), identify(b)]
  return one !== undefined && one === other
}

function identify(text: string): string | undefined {
  if (LOCAL.test(text)) return trimSlashes(text.replace(/^file:\/\//, '')).replace(/\/\.git$/, '')
  const found = findGitUrl(text)
  if (found === undefined) return undefined
  const { protocol, host } = found
  return `${protocol === 'ssh' ? host.replace(/:\d+$/, '') : host}/${repositoryPath(text)}`.toLowerCase()
}
