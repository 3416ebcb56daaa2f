/** Servers that a person has logged in to, with their tokens, in a file that nobody else can read. */
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import { asRecord, parseJson } from '../../core/json.ts'
import { writeFileAtomic } from '../../lib/files.ts'
import { UsageError } from '../command.ts'

export interface Profile {
  readonly name: string
  /** The origin that the token was saved for, and goes to. */
  readonly server: string
  readonly token: string
}

export interface Profiles {
  /** The one that commands use when nothing else is asked for. */
  readonly current?: string
  readonly profiles: readonly Profile[]
}

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/
const NO_PROFILES: Profiles = { profiles: [] }
const OTHERS = 0o077

/** The file, as the XDG Base Directory Specification places it: a relative XDG_CONFIG_HOME does not count. */
export function profilesPath(env: Readonly<Record<string, string | undefined>>): string {
  const { XDG_CONFIG_HOME: given = '', HOME: home = homedir() } = env
  return join(isAbsolute(given) ? given : join(home, '.config'), 'slipway', 'profiles.json')
}

/** The saved profiles; none if there is no file. @throws Error if others may read the file, or it is damaged */
export function loadProfiles(path: string): Profiles {
  const text = readPrivate(path)
  return text === undefined ? NO_PROFILES : parseProfiles(text, path)
}

function readPrivate(path: string): string | undefined {
  const file = openIfThere(path)
  if (file === undefined) return undefined
  try {
    if ((fstatSync(file).mode & OTHERS) !== 0)
      throw new Error(`${path} holds tokens, and others on this machine may read or change it: chmod 600 ${path}`)
    return readFileSync(file, 'utf8')
  } finally {
    closeSync(file)
  }
}

function openIfThere(path: string): number | undefined {
  try {
    return openSync(path, 'r')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

function parseProfiles(text: string, path: string): Profiles {
  const { current, profiles } = asRecord(parseJson(text))
  const damaged = (): Error => new Error(`${path} is damaged: remove it, and log in again with slipway login`)
  if (!Array.isArray(profiles)) throw damaged()
  const list = profiles.map((entry: unknown): Profile => {
    const { name, server, token } = asRecord(entry)
    if (typeof name !== 'string' || typeof server !== 'string' || typeof token !== 'string') throw damaged()
    return { name, server, token }
  })
  if (current === undefined) return { profiles: list }
  if (typeof current !== 'string' || !list.some(({ name }) => name === current)) throw damaged()
  return { current, profiles: list }
}

/** Replaces the file whole, mode 0600; its folder is made for this user alone. */
export async function saveProfiles(path: string, profiles: Profiles): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  await writeFileAtomic(path, `${JSON.stringify(profiles, undefined, 2)}\n`, 0o600)
}

/** Adds the profile, or replaces that of the same name; it is the current one then. */
export function withProfile({ profiles }: Profiles, profile: Profile): Profiles {
  return { current: profile.name, profiles: [...profiles.filter(({ name }) => name !== profile.name), profile] }
}

/** Without a current one if it was that. */
export function withoutProfile({ current, profiles }: Profiles, name: string): Profiles {
  const rest = profiles.filter((profile) => profile.name !== name)
  return current === undefined || current === name ? { profiles: rest } : { current, profiles: rest }
}

/** @throws UsageError that names those there are */
export function getProfile({ profiles }: Profiles, name: string): Profile {
  const found = profiles.find((profile) => profile.name === name)
  if (found !== undefined) return found
  const there = profiles.length === 0 ? 'none' : profiles.map((profile) => profile.name).join(', ')
  throw new UsageError(`there is no profile ${JSON.stringify(name)}; there is ${there}. See: slipway login --help`)
}

/** The profile of an origin: the current one, else the only one. Several may have different rights, so none is guessed. */
export function findProfileOf({ current, profiles }: Profiles, origin: string): Profile | undefined {
  const matching = profiles.filter(({ server }) => server === origin)
  return matching.find(({ name }) => name === current) ?? (matching.length === 1 ? matching[0] : undefined)
}

/** @throws UsageError for a name that is none */
export function checkProfileName(name: string): string {
  if (NAME.test(name)) return name
  throw new UsageError(
    `--profile must be letters, digits, ".", "_" and "-", at most 63, beginning with a letter or digit: not ${JSON.stringify(name)}`,
  )
}

/** The host, as the name of a profile that was given none. */
export function nameOf(server: URL): string {
  return server.host
    .replaceAll(/[^A-Za-z0-9.]+/g, '-')
    .replace(/^-/, '')
    .slice(0, 63)
}
