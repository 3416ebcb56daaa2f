/** The host that a git Secret is for, as its annotation names it, and the repositories that it may be sent to. */
import type { GitUrl } from './git-url.ts'

type Remote = Pick<GitUrl, 'protocol' | 'host'>

/** Ports of the schemes (RFC 9110 §4.2, RFC 4251 with IANA's registry); a local repository has none. */
const DEFAULT_PORTS = { https: '443', http: '80', ssh: '22', file: '' } as const satisfies Record<
  GitUrl['protocol'],
  string
>

/** `host` or `host:port`, either with a scheme. */
export const GIT_HOST_PATTERN = String.raw`^(?:(https?|ssh)://)?(\[[0-9a-f:.]+\]|[^/:@[\]\s]+)(?::(\d{1,5}))?/?$`

const GIT_HOST = new RegExp(GIT_HOST_PATTERN)

/**
 * Whether the credentials for `gitHost` (`host`, `host:port`, either with `https://`, `http://` or `ssh://`) may be sent
 * to this repository: the same host and port, over https or ssh; over plain http only to loopback, or where `gitHost`
 * says http itself. No port means the one of the URL's scheme, on either side.
 *
 * Source: specification §3.15.
 */
export function mayReceiveCredentials(url: Remote, gitHost: string | undefined): boolean {
  const [, scheme, name = '', port] = GIT_HOST.exec((gitHost ?? '').toLowerCase()) ?? []
  const asked = splitHost(url)
  if (name === '' || name !== asked.name || (port ?? DEFAULT_PORTS[url.protocol]) !== asked.port) return false
  if (scheme !== undefined) return scheme === url.protocol
  return url.protocol !== 'http' || /^(localhost|127(\.\d+){3}|\[::1\])$/.test(name)
}

/**
 * Says what is wrong with an annotation that names the repository's host but another port, and how to mend it; undefined
 * where it is for another host altogether.
 */
export function findPortFault(url: Remote, gitHost: string): string | undefined {
  const [, , name, port] = GIT_HOST.exec(gitHost.toLowerCase()) ?? []
  const asked = splitHost(url)
  const meant = port ?? DEFAULT_PORTS[url.protocol]
  if (name !== asked.name || meant === asked.port) return undefined
  return `is for port ${meant} of ${name}, and the repository is at port ${asked.port}: name it as ${name}:${asked.port}`
}

function splitHost({ host, protocol }: Remote): { readonly name: string; readonly port: string } {
  const [, name = host, port = DEFAULT_PORTS[protocol]] = /^(\[[^\]]*\]|[^:]*):(\d+)$/.exec(host) ?? []
  return { name, port }
}
