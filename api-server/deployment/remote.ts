import { isIP } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { AddressRule } from '../../lib/address-rule.ts'
import { findAddress } from '../../lib/address-rule.ts'
import type { GitOptions, GitSetting } from '../../lib/git.ts'
import type { GitUser } from '../../lib/git-session.ts'
import { STRICT_SSH, userSession } from '../../lib/git-session.ts'
import { parseGitUrl } from '../../lib/git-url.ts'

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
export interface Reach extends AddressRule {
  /** Absent: only what everybody may read is mirrored, and no disk of this machine. */
  readonly user?: GitUser | undefined
}

/**
 * The API server has no right to git Secrets, so without a user it reads what everybody may read: https and http, at
 * addresses that the rule allows, without following redirects to elsewhere. With one, what their git reads: local
 * paths, ssh and their own network too.
 *
 * @throws UnusableGitUrl, UnreachableRemote, PrivateAddress; errors of DNS
 */
export async function toRemote(text: string, reach: Reach): Promise<Remote> {
  const { clean, protocol } = parseGitUrl(text)
  if (reach.user !== undefined) return toUsersRemote(clean, protocol, reach.user)
  if (protocol === 'file' || protocol === 'ssh')
    throw new UnreachableRemote(`${protocol} repositories need credentials or a disk that this server does not have`)
  const config = [...ANONYMOUS, await pinAddress(new URL(clean), reach)]
  return { url: clean, options: { env: { GIT_ALLOW_PROTOCOL: protocol }, config } }
}

function toUsersRemote(clean: string, protocol: string, { home, env }: GitUser): Remote {
  const variables = {
    ...userSession(env),
    GIT_ALLOW_PROTOCOL: protocol,
    GIT_SSH_COMMAND: ['ssh', ...STRICT_SSH].join(' '),
  }
  return { url: clean.startsWith('file:') ? fileURLToPath(clean) : clean, options: { env: variables, home } }
}

/** Git connects to the address that was judged, whatever the name means a moment later (http.curloptResolve, git 2.37). */
async function pinAddress(url: URL, rule: AddressRule): Promise<GitSetting> {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const port = url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port
  const address = await findAddress(host, rule)
  return ['http.curloptResolve', `${host}:${port}:${isIP(address) === 6 ? `[${address}]` : address}`]
}

/** No helper and no question for a password: a repository that wants one is not public. */
const ANONYMOUS: readonly GitSetting[] = [
  ['credential.helper', ''],
  ['core.askPass', '/bin/true'],
  ['http.followRedirects', 'false'],
]
