import { isIP } from 'node:net'
import { fileURLToPath } from 'node:url'
import { type AddressRule, findAddress, isAllowedAddress } from '../../lib/address-rule.ts'
import { type Place, trustSettings } from '../../lib/authorities.ts'
import type { GitOptions, GitSetting } from '../../lib/git.ts'
import { type GitUser, STRICT_SSH, userSession } from '../../lib/git-session.ts'
import { type GitUrl, parseGitUrl } from '../../lib/git-url.ts'
import { type WayOut, findProxy } from '../../lib/outbound.ts'
import { PrivateAddress } from '../../lib/public-address.ts'
import { hostOf, portOf } from '../../lib/url.ts'

/** How a mirror reaches what it mirrors. */
export interface Remote {
  readonly url: string
  readonly options: Pick<GitOptions, 'env' | 'config' | 'home'>
}

/** The repository cannot be mirrored by this server; the message says why. */
export class UnreachableRemote extends Error {
  override readonly name = 'UnreachableRemote'
  readonly code = 'UNREACHABLE_REMOTE'
}

/** What a server may reach for its mirrors. */
export interface Reach extends AddressRule, Pick<WayOut, 'proxies'> {
  /** Absent: only what everybody may read is mirrored, and no disk of this machine. */
  readonly user?: GitUser | undefined
  /** Absent: no authorities but the usual ones. */
  readonly trust?: Place | undefined
}

/**
 * The API server has no right to git Secrets, so without a user it reads what everybody may read: https and http, at
 * addresses that the rule allows, without following redirects to elsewhere; of what a proxy leads to, the proxy knows
 * the address. With one, what their git reads: local
 * paths, ssh and their own network too.
 *
 * @throws UnusableGitUrl, UnreachableRemote, PrivateAddress; errors of DNS
 */
export async function toRemote(text: string, reach: Reach): Promise<Remote> {
  const url = parseGitUrl(text)
  const { clean, protocol } = url
  const isHttp = protocol === 'https' || protocol === 'http'
  if (!isHttp && reach.user === undefined)
    throw new UnreachableRemote(`${protocol} repositories need credentials or a disk that this server does not have`)
  const trust = reach.trust === undefined ? [] : await trustSettings(url, undefined, reach.trust)
  const proxies = isHttp && findProxy(new URL(clean), reach.proxies) !== undefined ? reach.proxies : undefined
  if (reach.user !== undefined) return toUsersRemote(url, reach.user, proxies, trust)
  const config = [...ANONYMOUS, ...trust, ...(await pinAddress(new URL(clean), reach, proxies !== undefined))]
  // Whom we leave to the proxy is not asked directly, without a rule for addresses, because libcurl reads the exceptions otherwise.
  return { url: clean, options: { env: { GIT_ALLOW_PROTOCOL: protocol, ...proxies, no_proxy: '' }, config } }
}

function toUsersRemote(
  { clean, protocol }: GitUrl,
  { home, env }: GitUser,
  proxies: WayOut['proxies'],
  config: readonly GitSetting[],
): Remote {
  const variables = {
    ...userSession(env),
    ...proxies,
    GIT_ALLOW_PROTOCOL: protocol,
    GIT_SSH_COMMAND: ['ssh', ...STRICT_SSH].join(' '),
  }
  return { url: clean.startsWith('file:') ? fileURLToPath(clean) : clean, options: { env: variables, home, config } }
}

/**
 * Git connects to the address that was judged, whatever the name means a moment later (http.curloptResolve, git 2.37).
 * Behind a proxy the name is the proxy's to resolve.
 */
async function pinAddress(url: URL, rule: AddressRule, isByProxy: boolean): Promise<GitSetting[]> {
  const host = hostOf(url)
  if (isByProxy) {
    if (isIP(host) !== 0 && !isAllowedAddress(host, rule)) throw new PrivateAddress(host)
    return []
  }
  const address = await findAddress(host, rule)
  return [['http.curloptResolve', `${host}:${portOf(url)}:${isIP(address) === 6 ? `[${address}]` : address}`]]
}

/** No helper and no question for a password: a repository that wants one is not public. */
const ANONYMOUS: readonly GitSetting[] = [
  ['credential.helper', ''],
  ['core.askPass', '/bin/true'],
  ['http.followRedirects', 'false'],
]
