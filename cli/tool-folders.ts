/**
 * Folders with tools that sandboxes show read-only (setting toolFolders), and those that are missing there.
 *
 * People install tools below their home, and a home holds credentials too. So a folder is shown only if somebody names it,
 * and never one that has a known place of credentials in it, or is in one.
 */
import { readdir, realpath, stat } from 'node:fs/promises'
import { delimiter, dirname, join, resolve } from 'node:path'
import { AGENT_PROGRAMS } from '../core/agent/programs.ts'
import { TOOL_HOMES } from '../core/agent/tools.ts'
import { ConfigError } from '../lib/config-place.ts'
import { ifThere, isIn } from '../lib/files.ts'
import { SYSTEM_PATHS } from '../node/sandbox.ts'
import type { Owner } from './agent-logins.ts'
import { programRoot } from './agent-programs.ts'

/** Files and folders of a home that hold credentials, or may. */
const CREDENTIALS = [
  ['.aws', '.azure', '.config', '.docker', '.kube', '.oci', '.step', '.terraform.d', '.vault-token'],
  ['.cargo/credentials', '.cargo/credentials.toml', '.gem/credentials', '.gradle', '.m2', '.npmrc', '.pypirc'],
  ['.git-credentials', '.gnupg', '.local/share/keyrings', '.netrc', '.password-store', '.pgpass', '.pki', '.ssh'],
  ['.bash_history', '.claude', '.codex', '.gemini', '.mozilla', '.yarnrc.yml', '.zsh_history'],
].flat()

/** Folders with keys, sockets and settings of the whole machine. */
const MACHINE = ['/boot', '/dev', '/etc', '/proc', '/run', '/sys']

/** Names that say the same in any folder. */
const CREDENTIAL_NAMES =
  /^(\.env|\.git-credentials|\.netrc|\.npmrc|\.pypirc|auth\.json|credentials(\.\w+)?|id_(rsa|dsa|ecdsa|ed25519))$/

interface Place {
  readonly home: string
  readonly dataDir: string
}

/**
 * Checks each of the folders.
 *
 * @throws ConfigError naming the setting and the folder
 */
export async function checkToolFolders(folders: readonly string[], place: Place): Promise<void> {
  for (const folder of folders) {
    const problem = await findToolFolderProblem(folder, place)
    if (problem !== undefined) throw new ConfigError(`configuration: toolFolders: ${folder} ${problem}`)
  }
}

/** Why sandboxes must not show this folder; undefined: they may. */
export async function findToolFolderProblem(folder: string, { home, dataDir }: Place): Promise<string | undefined> {
  if (!folder.startsWith('/')) return 'is not an absolute path'
  const entries = await findEntries(folder)
  if (entries === undefined) return 'is not a folder that can be read: correct it, or leave it out'
  // A link must not lead around what follows.
  const [real, ownHome, data] = [await resolveLinks(folder), await resolveLinks(home), await resolveLinks(dataDir)]
  if (isIn(real, ownHome)) return 'is your home, or holds it: name folders below it that hold tools only'
  if (isIn(real, data) || isIn(data, real)) return "must not hold Slipway's data folder, nor be in it"
  if (MACHINE.some((path) => isIn(path, real))) return 'is part of the system: sandboxes show what programs need of it'
  for (const name of CREDENTIALS) {
    const secret = await resolveLinks(join(ownHome, name))
    if (isIn(secret, real)) return `may hold credentials, as all of ${join(home, name)} may`
    if (isIn(real, secret)) return `is where ${join(home, name)} is: name a folder that holds tools only`
  }
  const found = entries.find((name) => CREDENTIAL_NAMES.test(name))
  return found && `holds ${found}, which looks like credentials: name the folder of the tools in it`
}

const UNREADABLE = ['ENOENT', 'ENOTDIR', 'EACCES', 'ELOOP']

async function resolveLinks(path: string): Promise<string> {
  return (await ifThere(realpath(path), ...UNREADABLE)) ?? resolve(path)
}

function findEntries(folder: string): Promise<string[] | undefined> {
  return ifThere(readdir(folder), ...UNREADABLE)
}

/** Variables by which tools in these folders find themselves; those of the owner win. */
export function toolVariables(folders: readonly string[], { env, home }: Owner): Record<string, string> {
  const found = TOOL_HOMES.flatMap(({ folder, variable }) => {
    if (variable === undefined) return []
    const path = env[variable] ?? join(home, folder)
    return folders.some((shown) => isIn(shown, path)) ? [[variable, path] as const] : []
  })
  return Object.fromEntries(found)
}

/** What sandboxes lack of the owner's PATH. */
export interface HiddenTools {
  /** Paths of programs that they do not find. */
  readonly programs: readonly string[]
  /** Folders that may be shown, and would bring them. */
  readonly offered: readonly string[]
}

/** Looks for programs on PATH, below the home, that sandboxes do not show. */
export async function findHiddenTools(owner: Owner, shown: readonly string[], place: Place): Promise<HiddenTools> {
  const path = (owner.env['PATH'] ?? '').split(delimiter).map((folder) => resolve('/', folder))
  const isShown = (folder: string): boolean => shown.some((one) => isIn(one, folder))
  const below = [...new Set(path)].filter((folder) => isIn(owner.home, folder) && !isShown(folder))
  const programs: string[] = []
  const wanted: string[] = []
  for (const folder of below) {
    const found = await findProgramsIn(folder)
    programs.push(...found)
    if (found.length > 0) wanted.push(...(await findNeeds(owner, folder, found)))
  }
  const offered: string[] = []
  for (const folder of wanted.sort()) {
    const isThere = [...SYSTEM_PATHS, ...shown, ...offered].some((one) => isIn(one, folder))
    if (!isThere && (await findToolFolderProblem(folder, place)) === undefined) offered.push(folder)
  }
  return { programs, offered }
}

/** Sandboxes show these one by one (agent-programs.ts). */
const LINKED: ReadonlySet<string> = new Set(Object.values(AGENT_PROGRAMS).map(({ command }) => command))

/** Nobody installs more, and each is looked at. */
const MAX_PROGRAMS = 2000

async function findProgramsIn(folder: string): Promise<string[]> {
  const names = ((await findEntries(folder)) ?? []).filter((name) => !LINKED.has(name))
  const paths = names.slice(0, MAX_PROGRAMS).map((name) => join(folder, name))
  const found = await Promise.all(paths.map(async (path) => ((await isProgram(path)) ? [path] : [])))
  return found.flat()
}

async function isProgram(path: string): Promise<boolean> {
  const found = await ifThere(stat(path), ...UNREADABLE)
  return found?.isFile() === true && (found.mode & 0o111) !== 0
}

/** A folder of PATH, the tool managers that it is of, and what links in it lead to. */
async function findNeeds({ env, home }: Owner, folder: string, programs: readonly string[]): Promise<string[]> {
  const homes = TOOL_HOMES.map(({ folder: usual, variable = '' }) => env[variable] ?? join(home, usual))
  const manager = homes.find((root) => isIn(root, folder))
  if (manager !== undefined) return [manager]
  const targets = await Promise.all(programs.map((path) => realpath(path)))
  const rest = targets.filter((path) => isIn(home, path) && !isIn(folder, path)).map(rootOf)
  const rustup = folder === join(home, '.cargo/bin') ? [env['RUSTUP_HOME'] ?? join(home, '.rustup')] : []
  return [folder, ...rest, ...rustup]
}

/** A program in `bin` needs what is installed beside that folder. */
function rootOf(path: string): string {
  const root = programRoot({ command: '', path })
  if (root !== path) return root
  const parent = dirname(path)
  return parent.endsWith('/bin') ? dirname(parent) : parent
}
