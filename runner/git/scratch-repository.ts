/**
 * A bare repository of the runner's own, in which histories are brought together: nothing in it was written by an
 * agent. What an agent committed gets in only as objects that are named anew by their content, what the remote has by
 * fetching; no hook, filter, attribute or setting of a clone comes along, and nothing is borrowed from it.
 */
import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { git, gitText } from '../../lib/git.ts'
import type { GitOptions } from '../../lib/git.ts'
import { initBare } from '../../lib/git-untrusted.ts'
import type { StepContext } from '../context.ts'
import { copyObjects } from './copy-objects.ts'
import type { GitAccess } from './access.ts'

export interface ScratchRepository {
  readonly gitDir: string
  readonly signal: AbortSignal
}

/** An empty one, in the object format of `hash`. */
export async function openScratchRepository(
  { tmp }: StepContext,
  hash: string,
  signal: AbortSignal,
): Promise<ScratchRepository> {
  const gitDir = join(await mkdtemp(join(tmp, 'scratch-')), 'scratch.git')
  await initBare(gitDir, hash, signal)
  return { gitDir, signal }
}

/** Brings in a commit with its whole history from a view of a clone. @throws GitFailed */
export async function importHistory(
  { gitDir, signal }: ScratchRepository,
  view: string,
  commit: string,
): Promise<void> {
  await copyObjects({ from: view, to: gitDir, name: 'clone', select: ['--revs'], list: `${commit}\n` }, signal)
  // So that fetching asks only for what the clone did not have.
  await git(['update-ref', 'refs/slipway/clone', commit], { gitDir, signal })
}

/** Brings in a branch of the remote as it is now. @returns its commit @throws GitFailed */
export async function fetchBranch(
  { gitDir, signal }: ScratchRepository,
  access: GitAccess,
  branch: string,
): Promise<string> {
  const ref = `refs/slipway/remote/${branch}`
  const options = ['--quiet', '--no-tags', '--no-write-fetch-head']
  const source = ['--', access.url, `+refs/heads/${branch}:${ref}`]
  await git(['fetch', ...options, ...source], { gitDir, ...access.options, signal })
  return gitText(['rev-parse', '--verify', `${ref}^{commit}`], { gitDir, signal })
}

/** Whether `commit` is known there and reached from `head`. */
export async function isAncestor(options: GitOptions, commit: string, head: string): Promise<boolean> {
  // 128: the repository does not have the commit, so it cannot be part of what it has.
  const { exitCode } = await git(['merge-base', '--is-ancestor', commit, head], { ...options, answers: [1, 128] })
  return exitCode === 0
}

/** How many commits `head` has that `base` does not have. */
export async function countCommits(options: GitOptions, base: string, head: string): Promise<number> {
  return Number(await gitText(['rev-list', '--count', `${base}..${head}`], options))
}
