/**
 * The agents' CLIs on this machine, and the paths that a sandbox must show so that they can run.
 *
 * People install them below their home (nvm, a native installer), which no sandbox shows. A folder of our own holds a
 * link to each CLI, and comes first in the PATH of containers. The target of each link is mounted read-only.
 */
import { access, constants, mkdir, realpath, rm, symlink } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { AGENT_PROGRAMS } from '../core/agent/programs.ts'
import { ifThere } from '../lib/files.ts'

/** A CLI that was found. */
export interface FoundProgram {
  readonly command: string
  /** Absolute, without links. */
  readonly path: string
}

/** Finds the known CLIs on `path`, a PATH variable. */
export async function findPrograms(path: string): Promise<FoundProgram[]> {
  const commands = Object.values(AGENT_PROGRAMS).map(({ command }) => command)
  const found = await Promise.all(commands.map(async (command) => ({ command, path: await findOnPath(path, command) })))
  return found.flatMap(({ command, path: where }) => (where === undefined ? [] : [{ command, path: where }]))
}

const MISSING = ['ENOENT', 'EACCES', 'ENOTDIR', 'ELOOP']

/** The real path of a program on `path`, a PATH variable; undefined when it is not there. */
export async function findOnPath(path: string, command: string): Promise<string | undefined> {
  for (const folder of path.split(delimiter).filter((entry) => entry.startsWith('/'))) {
    const candidate = join(folder, command)
    const isExecutable = access(candidate, constants.X_OK).then(() => true)
    if (await ifThere(isExecutable, ...MISSING)) return realpath(candidate)
  }
  return undefined
}

/** Fills `folder` with a link to each program, and removes all others. */
export async function linkPrograms(folder: string, programs: readonly FoundProgram[]): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true, mode: 0o755 })
  await Promise.all(programs.map(({ command, path }) => symlink(path, join(folder, command))))
}

const MODULES = '/node_modules/'

/** The path that a program needs to run: for an npm package the whole node_modules folder, else the file itself. */
export function programRoot({ path }: FoundProgram): string {
  const at = path.indexOf(MODULES)
  return at === -1 ? path : path.slice(0, at + MODULES.length - 1)
}
