import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { allAuthorities, trustSettings } from '../../lib/authorities.ts'
import { ifThere } from '../../lib/files.ts'
import { type GitOptions, git } from '../../lib/git.ts'
import { mayReceiveCredentials } from '../../lib/git-host.ts'
import { parseGitUrl } from '../../lib/git-url.ts'
import { type GitLogin, loginOf, loginOptions, secretOf } from '../../lib/git-login.ts'
import { shellWord } from '../../core/shell.ts'
import { STRICT_SSH, userSession } from '../../lib/git-session.ts'
import type { WayOut } from '../../lib/outbound.ts'
import { proxyVariables } from '../../lib/proxy-variables.ts'
import type { StepContext } from '../context.ts'
import { type Redact, makeRedactor } from '../redact.ts'

/** How this step reaches the remote. */
export interface GitAccess {
  /** Safe to print and to keep in the clone. */
  readonly url: string
  readonly isLocal: boolean
  /** For every call that speaks to the remote. */
  readonly options: Pick<GitOptions, 'env' | 'config' | 'home'>
  readonly redact: Redact
}

/**
 * Reads the git credentials of this run and shapes them for git: a credential helper bound to one scheme and host,
 * or a key with its known hosts. They are used only when the repository's host is the one they belong to.
 *
 * An ssh key is copied to the step's own folder: a Secret's files can be group-readable, which ssh refuses.
 *
 * @throws UnusableGitUrl
 */
export async function openGitAccess({ run, tmp, env }: Pick<StepContext, 'run' | 'tmp' | 'env'>): Promise<GitAccess> {
  const url = parseGitUrl(run.repositoryUrl)
  const usable = run.gitCredentialsDir !== undefined && mayReceiveCredentials(url, run.gitHost)
  const directory = usable ? run.gitCredentialsDir : undefined
  const login = (directory === undefined ? undefined : await readLogin(directory)) ?? loginOf(url)
  const trust = await trustSettings(url, run.gitCaBundle, { tmp, env })
  const offered = login && loginOptions(url, login)
  const ssh = directory === undefined ? undefined : await readSshKey(directory, tmp)
  return {
    url: url.clean,
    isLocal: url.protocol === 'file',
    options: {
      env: {
        GIT_ALLOW_PROTOCOL: url.protocol === 'file' ? 'https:http:ssh:file' : 'https:http:ssh',
        ...proxyVariables(env),
        GIT_SSH_COMMAND: sshCommand(ssh, run.gitHome !== undefined),
        ...(run.gitHome === undefined ? {} : userSession(env)),
        ...offered?.env,
      },
      config: [...(offered?.config ?? []), ...trust],
      ...(run.gitHome === undefined ? {} : { home: run.gitHome }),
    },
    redact: makeRedactor([login?.password ?? '', secretOf(url)]),
  }
}

/** The login that git has for an http or https URL; asks git, whose helpers may be a person's own. */
export async function findLogin({ url, options }: GitAccess, signal: AbortSignal): Promise<GitLogin | undefined> {
  const { protocol, host, pathname } = new URL(url)
  const input = `protocol=${protocol.slice(0, -1)}\nhost=${host}\npath=${pathname.slice(1)}\n\n`
  // 128: there is none, and nobody can be asked for it.
  const { stdout } = await git(['credential', 'fill'], { ...options, input, signal, answers: [128] })
  const [, username] = /^username=(.*)$/m.exec(stdout.toString('utf8')) ?? []
  const [, password] = /^password=(.*)$/m.exec(stdout.toString('utf8')) ?? []
  return username === undefined || !password ? undefined : { username, password }
}

/**
 * For git in a clone that fetches from the remote what it lacks: the same without a person's own configuration, whose
 * filters a repository could make run.
 */
export async function withoutHome(access: GitAccess, signal: AbortSignal): Promise<GitAccess['options']> {
  const { home, env, config } = access.options
  const login = home === undefined || !/^https?:/.test(access.url) ? undefined : await findLogin(access, signal)
  const own = login && loginOptions(parseGitUrl(access.url), login)
  return { env: { ...env, ...own?.env }, config: [...(config ?? []), ...(own?.config ?? [])] }
}

/**
 * The way to an http or https URL, as git goes to the repository: the project's authorities count at the repository's host
 * alone. Node itself trusts the installation's, unless it is given a list.
 */
export async function wayTo(url: URL, { env, run }: Pick<StepContext, 'env' | 'run'>): Promise<WayOut> {
  const isOwnHost = url.hostname === parseGitUrl(run.repositoryUrl).host.replace(/:\d+$/, '')
  const bundle = isOwnHost ? run.gitCaBundle : undefined
  return { proxies: proxyVariables(env), ca: bundle === undefined ? undefined : await allAuthorities({ env }, bundle) }
}

async function readLogin(directory: string): Promise<GitLogin | undefined> {
  const password = await readKey(directory, 'password')
  if (password === undefined) return undefined
  // Hosts that take a token as password ignore the name, but git needs one.
  return { username: (await readKey(directory, 'username')) ?? 'git', password }
}

/** Password or token of a basic-auth Secret; an ssh-auth Secret has none. */
export async function findPassword(directory: string): Promise<string | undefined> {
  return readKey(directory, 'password')
}

async function readKey(directory: string, name: string): Promise<string | undefined> {
  return (await ifThere(readFile(join(directory, name), 'utf8')))?.replace(/\r?\n$/, '')
}

interface SshKey {
  readonly keyFile: string
  readonly knownHostsFile: string
}

async function readSshKey(directory: string, tmp: string): Promise<SshKey | undefined> {
  const keyFile = join(tmp, 'ssh-key')
  const key = await readKey(directory, 'ssh-privatekey')
  if (key === undefined) return undefined
  // OpenSSH 9.2 refuses a key without its last line feed, which is easily lost on the way into a Secret.
  await writeFile(keyFile, `${key}\n`, { mode: 0o600 })
  return { keyFile, knownHostsFile: join(directory, 'known_hosts') }
}

/** Git hands it to the shell. */
function sshCommand(key: SshKey | undefined, isUsers: boolean): string {
  if (key === undefined) return ['ssh', ...(isUsers ? [] : ['-F', '/dev/null']), ...STRICT_SSH].join(' ')
  const own = ['-i', key.keyFile, '-o', 'IdentitiesOnly=yes', '-o', `UserKnownHostsFile=${key.knownHostsFile}`]
  return ['ssh', '-F', '/dev/null', ...STRICT_SSH, ...own, '-o', 'GlobalKnownHostsFile=/dev/null']
    .map(shellWord)
    .join(' ')
}
