/**
 * Git as the agent runs it in its clone: with the index, settings, excludes, attributes and filters of the clone and of
 * the agent's home. Only the agent's own step may use this, since whatever the clone says is run there. Hooks, monitors
 * and signing do not run, and no variable of the container gets in.
 */
import { join } from 'node:path'
import type { Undelivered } from '../../core/execution/result.ts'
import { type GitOptions, git } from '../../lib/git.ts'
import { type StepContext, offspringEnvironment } from '../context.ts'

/** A clone that is looked at, by its own git. */
export interface Look {
  readonly context: StepContext
  readonly options: GitOptions
  readonly signal: AbortSignal
}

/** Something that is not delivered. */
export interface LeftBehind extends Undelivered {
  /** It is told, but no work of the agent's is lost by it. */
  readonly isNotice?: boolean
}

/** Options for git in the clone, or in a repository inside it. */
export function cloneGit(context: StepContext, signal: AbortSignal, folder = context.paths.clone): GitOptions {
  return {
    cwd: folder,
    // Otherwise a damaged clone would make git look for a repository in the folders above it.
    gitDir: join(folder, '.git'),
    home: context.paths.home,
    env: {
      GIT_CONFIG_NOSYSTEM: '0',
      GIT_ATTR_NOSYSTEM: '0',
      // What tools for worktrees leave behind, such as core.bare, would make git look elsewhere or nowhere.
      GIT_WORK_TREE: folder,
      ...offspringEnvironment(context),
    },
    config: [
      ['commit.gpgSign', 'false'],
      ['safe.directory', '*'],
    ],
    signal,
  }
}

/** One path that differs from HEAD or is untracked. Names keep their bytes, as latin1. */
export interface StatusEntry {
  readonly path: string
  readonly kind: 'tracked' | 'unmerged' | 'untracked' | 'nested'
  /** How the working tree differs from the index, in git's letters; `.`: it does not. */
  readonly change: string
  /** Whether the path is a submodule, now or in the index. */
  readonly isSubmodule: boolean
}

/** What `git status` says, without a look into submodules: that would run git with their settings. */
export async function readStatus(options: GitOptions): Promise<StatusEntry[]> {
  const args = ['--porcelain=v2', '--untracked-files=all', '--ignore-submodules=dirty', '--no-renames']
  const { stdout } = await git(['status', '-z', ...args], options)
  return splitZero(stdout).map(parseEntry)
}

/** Fields before the path, by the first letter of an entry (git-status(1), "Porcelain Format Version 2"). */
const FIELDS: Readonly<Record<string, number>> = { '1': 8, u: 10, '?': 1 }

function parseEntry(entry: string): StatusEntry {
  const letter = entry[0] ?? ''
  const fields = entry.split(' ', FIELDS[letter] ?? 1)
  const path = entry.slice(fields.join(' ').length + 1)
  const change = fields[1]?.[1] ?? '.'
  const isSubmodule = fields.slice(3, 6).includes('160000')
  if (letter === '?') return { path, kind: path.endsWith('/') ? 'nested' : 'untracked', change, isSubmodule }
  return { path, kind: letter === 'u' ? 'unmerged' : 'tracked', change, isSubmodule }
}

/** The NUL-terminated names that git printed, with every byte as latin1. */
export function splitZero(stdout: Buffer): string[] {
  return stdout.toString('latin1').split('\0').slice(0, -1)
}

/** Names for git's stdin. */
export function joinZero(paths: readonly string[]): Buffer {
  return Buffer.from(paths.map((path) => `${path}\0`).join(''), 'latin1')
}

/** A name for people, or for a call of the system. */
export function toText(path: string): string {
  return Buffer.from(path, 'latin1').toString('utf8')
}

/** Runs git-update-index for these names, if there are any. */
export async function updateIndex(
  options: GitOptions,
  args: readonly string[],
  paths: readonly string[],
): Promise<void> {
  if (paths.length > 0) await git(['update-index', '-z', ...args], { ...options, input: joinZero(paths) })
}
