/** What git of a person on their own machine is found by: their ssh agent, key ring and configuration. */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { ifThere } from './files.ts'
import { git, GitFailed } from './git.ts'

/** The person whose git is used on their own machine. */
export interface GitUser {
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
}

/** What a sandbox has to show of a person's git. */
export interface OwnGit {
  readonly home: string
  /** Absolute paths of files, folders and sockets that exist. */
  readonly paths: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

const SESSION_VARIABLES = ['SSH_AUTH_SOCK', 'XDG_CONFIG_HOME', 'XDG_RUNTIME_DIR', 'DBUS_SESSION_BUS_ADDRESS']

/** The variables of `env` that lead to the person's own credentials. */
export function userSession(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const found = SESSION_VARIABLES.flatMap((name) => {
    const value = env[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return Object.fromEntries(found)
}

/** Options of an ssh that never asks, takes no host that is not known already, and gives up one that says nothing. */
export const STRICT_SSH = [
  'BatchMode=yes',
  'StrictHostKeyChecking=yes',
  'ConnectTimeout=30',
  'ServerAliveInterval=30',
  'ServerAliveCountMax=4',
].flatMap((option) => ['-o', option])

/** Configuration, logins and keys that git, libcurl and ssh look for in a home. */
const OWN_FILES = ['.gitconfig', '.config/git', '.git-credentials', '.netrc', '.ssh']

/** Finds what of a person's git exists: files of their home, and the socket of their ssh agent. */
export async function findOwnGit({ home, env }: GitUser): Promise<OwnGit> {
  const { SSH_AUTH_SOCK: socket } = env
  const wanted = [...OWN_FILES.map((name) => join(home, name)), ...(socket === undefined ? [] : [socket])]
  const paths = (await Promise.all(wanted.map(existing))).flat()
  return { home, paths, env: socket !== undefined && paths.includes(socket) ? { SSH_AUTH_SOCK: socket } : {} }
}

/** Author and committer of commits. */
export interface GitIdentity {
  readonly name: string
  readonly email: string
}

/** The identity that a person's own git has; undefined where it has none, or cannot be read. */
export async function findOwnIdentity({ home, env }: GitUser): Promise<GitIdentity | undefined> {
  const wanted = ['--global', '--includes', '--null', '--get-regexp', String.raw`^user\.(name|email)$`]
  try {
    const { stdout } = await git(['config', ...wanted], { home, env: userSession(env), answers: [1] })
    const values = new Map(stdout.toString('utf8').split('\0').map(toPair))
    const [name, email] = [values.get('user.name'), values.get('user.email')]
    return name && email ? { name, email } : undefined
  } catch (error) {
    if (error instanceof GitFailed) return undefined
    throw error
  }
}

function toPair(line: string): readonly [string, string] {
  const end = line.indexOf('\n')
  return [line.slice(0, end), line.slice(end + 1)]
}

/** The path alone, or nothing. @throws for any other reason than that it is not there */
async function existing(path: string): Promise<string[]> {
  return (await ifThere(stat(path), 'ENOENT', 'ENOTDIR')) === undefined ? [] : [path]
}
