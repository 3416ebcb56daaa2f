/**
 * Whether a repository can be read, tried before a project is made of it (specification §8.37).
 *
 * It is reached as mirrors are: with the owner's git where this server has one, else as everybody may; and with what the
 * URL itself carries, which a run uses too. Secrets are not this server's to read, so a refusal says nothing about them.
 */
import { access, constants, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { apiError } from '../../core/errors.ts'
import { redactUrls } from '../../core/redact-urls.ts'
import type { RepositoryTrialRecord } from '../../core/rest/records/setup.ts'
import type { RepositoryTry } from '../../core/kinds/project.ts'
import { createSemaphore } from '../../lib/async.ts'
import type { Clock } from '../../lib/clock.ts'
import { hasErrorCode } from '../../lib/files.ts'
import { git, GitFailed, GitTimedOut, withGitLimit } from '../../lib/git.ts'
import { formatGitFailureMessage } from '../../lib/git-failure-message.ts'
import { loginOf, loginOptions, secretOf } from '../../lib/git-login.ts'
import { type RemoteBranches, parseRemote } from '../../lib/git-remote.ts'
import { type GitUrl, parseGitUrl, UnusableGitUrl } from '../../lib/git-url.ts'
import { PrivateAddress } from '../../lib/public-address.ts'
import { type Reach, toRemote, UnreachableRemote } from './remote.ts'

export interface RepositoryTrials {
  /** @throws ApiError `unavailable` when too many wait already; the signal's reason */
  run(wanted: RepositoryTry, signal: AbortSignal): Promise<RepositoryTrialRecord>
}

const LIMIT_MS = 15_000
const MAX_AT_ONCE = 4
const MAX_WAITING = 12

/** Trials of one server: four gits at a time. */
export function createRepositoryTrials(reach: Reach, clock: Clock): RepositoryTrials {
  const refuse = () => apiError('unavailable', 'too many repositories are being tried; try again in a moment', 5)
  const enter = createSemaphore(MAX_AT_ONCE, { maxWaiting: MAX_WAITING, refuse })
  return {
    async run(wanted, signal) {
      const leave = await enter(signal)
      try {
        return await withGitLimit(LIMIT_MS, signal, clock, (limit) => tryOut(wanted, reach, limit))
      } finally {
        leave()
      }
    },
  }
}

async function tryOut(
  { remote_url, git: settings }: RepositoryTry,
  reach: Reach,
  signal: AbortSignal,
): Promise<RepositoryTrialRecord> {
  const url = parseGitUrl(remote_url)
  const tried_as = loginOf(url) !== undefined ? 'url' : reach.user !== undefined ? 'owner' : 'nobody'
  const secret = settings?.secret_name
  try {
    const { defaultBranch, commits } = await listBranches(remote_url, url, reach, signal)
    return {
      outcome: 'reachable',
      usable: commits.size > 0,
      ...(commits.size === 0 ? { reason: 'it has no commit yet: work begins from one, so push a first one' } : {}),
      tried_as,
      ...(defaultBranch === undefined ? {} : { default_branch: defaultBranch }),
      branches: commits.size,
      ...(await judgePush(url, secret)),
    }
  } catch (error) {
    const reason = reasonOf(error, url)
    const isSecrets = secret !== undefined && error instanceof GitFailed
    const isUntold = error instanceof UnreachableRemote || isSecrets
    const more = secret === undefined ? '' : `; the first task tries it with Secret ${secret}, which is not read here`
    return {
      outcome: isUntold ? 'unknown' : 'unreachable',
      usable: isUntold,
      reason: `${reason}${more}`,
      tried_as,
      push: 'unknown',
    }
  }
}

async function listBranches(text: string, url: GitUrl, reach: Reach, signal: AbortSignal): Promise<RemoteBranches> {
  const { url: clean, options } = await toRemote(text, reach)
  const login = loginOf(url)
  const offered = login && url.protocol.startsWith('http') ? loginOptions(url, login) : undefined
  const { stdout } = await git(['ls-remote', '--symref', '--', clean, 'HEAD', 'refs/heads/*'], {
    ...options,
    env: { ...options.env, ...offered?.env },
    config: [...(options.config ?? []), ...(offered?.config ?? [])],
    signal,
  })
  return parseRemote(stdout.toString('utf8'))
}

/** @throws what is none of the ways in which a repository is not reached */
function reasonOf(error: unknown, url: GitUrl): string {
  const secret = secretOf(url)
  const redact = (text: string): string => redactUrls(secret === '' ? text : text.replaceAll(secret, '[redacted]'))
  if (error instanceof GitFailed) return formatGitFailureMessage(error, url.clean, redact)
  if (error instanceof GitTimedOut) return `${url.clean} did not answer within ${LIMIT_MS / 1_000} seconds`
  const isNamed =
    error instanceof UnusableGitUrl || error instanceof UnreachableRemote || error instanceof PrivateAddress
  if (isNamed) return error.message
  if (hasErrorCode(error, 'ENOTFOUND', 'EAI_AGAIN'))
    return `the host of ${url.clean} cannot be reached: check the URL and the network`
  throw error
}

type PushJudgement = Pick<RepositoryTrialRecord, 'push' | 'push_reason'>

/** A server says whether it takes a push only when one comes; a folder is asked for its permissions. */
async function judgePush({ clean, protocol }: GitUrl, secret: string | undefined): Promise<PushJudgement> {
  if (protocol !== 'file') {
    const who = secret === undefined ? '' : `, with Secret ${secret}`
    return { push: 'unknown', push_reason: `the first task shows whether it may push${who}` }
  }
  const folder = clean.startsWith('file:') ? fileURLToPath(clean) : clean
  const objects = [join(folder, '.git', 'objects'), join(folder, 'objects')]
  for (const path of objects) {
    const isThere = await stat(path).then(
      () => true,
      (error: unknown) => !isAbsent(error),
    )
    if (isThere) return judgeFolder(path)
  }
  return { push: 'unknown', push_reason: 'its objects are kept in another folder' }
}

async function judgeFolder(path: string): Promise<PushJudgement> {
  try {
    await access(path, constants.W_OK)
    return { push: 'likely' }
  } catch (error) {
    if (!hasErrorCode(error, 'EACCES', 'EPERM', 'EROFS')) throw error
    return { push: 'unlikely', push_reason: `Slipway may not write in ${path}` }
  }
}

/** @throws whatever else is wrong */
function isAbsent(error: unknown): boolean {
  if (hasErrorCode(error, 'ENOENT', 'ENOTDIR')) return true
  throw error
}
