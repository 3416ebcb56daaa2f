/** A person's shell where an agent works: the same files, programs and walls, without the agent's credentials. */
import type { ChildProcess } from 'node:child_process'
import { lstat, readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import process from 'node:process'
import { type Static, Type } from 'typebox'
import { mirrorsPath } from '../core/execution/layout.ts'
import { parseJson } from '../core/json.ts'
import { shellWord } from '../core/shell.ts'
import { ifThere } from '../lib/files.ts'
import { signalGroup } from '../lib/process.ts'
import { compileCheck } from '../lib/validate.ts'
import { existing } from '../node/container.ts'
import type { Mount } from '../node/mounts.ts'
import { resolverPaths, startInSandbox } from '../node/sandbox.ts'
import { readSandboxOwner } from '../operator/volume.ts'
import { UsageError } from './command.ts'
import { SHOWN_FILE } from './local-node.ts'

const Shown = Type.Object({
  imagePaths: Type.Array(Type.String()),
  env: Type.Record(Type.String(), Type.String()),
  path: Type.String(),
  hiddenPaths: Type.Array(Type.String()),
  runtime: Type.Literal('bwrap'),
})

const checkShown = compileCheck(Shown)

/** What the node at a data folder shows to its sandboxes, as it wrote at its last start; undefined: it has none. */
async function readShown(dataDir: string): Promise<Static<typeof Shown> | undefined> {
  const text = await ifThere(readFile(join(dataDir, 'node', SHOWN_FILE), 'utf8'))
  const checked = text === undefined ? undefined : checkShown(parseJson(text))
  return checked?.ok === true ? checked.value : undefined
}

/** What is opened. */
export interface Shell {
  /** Absolute: the folder that holds clone and home. */
  readonly sandbox: string
  readonly readOnly: boolean
  /** Paths in the home where agents are given their logins, which stay there after a run. */
  readonly logins: readonly string[]
  readonly command: readonly string[]
  readonly isTerminal: boolean
}

/**
 * Starts a program, or a shell, in the sandbox of a task.
 *
 * @throws UsageError where this machine has no such sandbox
 */
export async function startShell({ sandbox, readOnly, logins, command, isTerminal }: Shell): Promise<ChildProcess> {
  const volume = dirname(dirname(sandbox))
  const shown = await readShown(dirname(volume))
  const clone = join(sandbox, 'repo')
  const isThere = (await ifThere(lstat(clone))) !== undefined
  if (isThere && shown === undefined) {
    throw new UsageError(
      `shell: executions of this server run as plain processes, which isolate nothing. The workspace is ${clone}: git runs there what its settings name`,
    )
  }
  if (shown !== undefined && !isThere && readOnly)
    throw new UsageError('shell: the workspace is made just now: try again once the agent works')
  if (shown === undefined || !isThere) {
    throw new UsageError(
      `shell: there is no workspace ${clone} of a sandbox on this machine: it is removed once the work is accepted, and on other machines and in clusters it is reached with the command that the page of the run shows`,
    )
  }
  const { mirror } = (await readSandboxOwner(volume, basename(sandbox))) ?? {}
  const borrowed = mirror === undefined ? [] : [join(volume, mirrorsPath(mirror))]
  const mounts: Mount[] = [
    { source: sandbox, mountPath: sandbox, readOnly },
    ...(await existing(borrowed)).map((source) => ({ source, mountPath: source, readOnly: true })),
    ...(await findFiles(logins.map((path) => join(sandbox, 'home', path)))).map((mountPath) => ({
      source: '/dev/null',
      mountPath,
      readOnly: true,
    })),
  ]
  const view = {
    hostname: basename(sandbox).slice(0, 63),
    imagePaths: await existing([...shown.imagePaths, ...(await resolverPaths())]),
    mounts,
    hiddenPaths: shown.hiddenPaths,
    cwd: clone,
    termination: { source: '/dev/null', path: '/dev/termination-log' },
  }
  const env = {
    ...shown.env,
    PATH: shown.path,
    HOME: join(sandbox, 'home'),
    TERM: process.env['TERM'] ?? 'dumb',
    LANG: 'C.UTF-8',
    PS1: `${basename(sandbox)}${readOnly ? ' (read-only)' : ''}:\\w$ `,
  }
  const child = startInSandbox(view, argvOf(command, isTerminal), { env, stdio: 'inherit', detached: false })
  const resize = (): void => void tellSize(child)
  process.on('SIGWINCH', resize)
  child.once('exit', () => process.off('SIGWINCH', resize))
  return child
}

/**
 * Has the program inside look at the size of the terminal again: it is in a session of its own, which the kernel does not
 * tell. bwrap's only child leads that session, and `script` hands the size on.
 */
async function tellSize({ pid }: ChildProcess): Promise<void> {
  const children = pid === undefined ? undefined : await ifThere(readFile(`/proc/${pid}/task/${pid}/children`, 'utf8'))
  const session = Number.parseInt(children ?? '', 10)
  if (session > 1) signalGroup(session, 'SIGWINCH')
}

async function findFiles(paths: readonly string[]): Promise<string[]> {
  const found = await Promise.all(
    [...new Set(paths)].map(async (path) =>
      (await ifThere(lstat(path), 'ENOENT', 'ENOTDIR', 'ELOOP'))?.isFile() === true ? [path] : [],
    ),
  )
  return found.flat()
}

/** A terminal of its own inside: what runs there must not write into that of the person (TIOCSTI), and Ctrl-C is for it. */
function argvOf(command: readonly string[], isTerminal: boolean): readonly string[] {
  const argv = command.length > 0 ? command : ['bash', '--norc']
  // Without a terminal to read from, `script` would not know the end of what it is given.
  if (!isTerminal || !process.stdin.isTTY) return argv
  return ['script', '--quiet', '--return', '--command', argv.map(shellWord).join(' '), '/dev/null']
}
