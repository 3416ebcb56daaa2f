/**
 * A bare repository of the runner's own for rebasing and merging. No agent has written anything in it: an agent's commits
 * get in as objects whose names are computed again from their content, and the remote's commits by fetching. No hook,
 * filter, attribute or setting of a clone gets in, and it borrows at most from a mirror, which no agent can write.
 */
import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { type GitOptions, git, gitText } from '../../lib/git.ts'
import { initBare } from '../../lib/git-untrusted.ts'
import type { StepContext } from '../context.ts'
import type { GitAccess } from './access.ts'
import { refuseShallow } from './clone-remote.ts'

export interface ScratchRepository {
  readonly gitDir: string
  readonly signal: AbortSignal
  /** Whether all that it borrows is a mirror, so that git may look for branches there. */
  readonly isMirrored?: boolean
}

/** Makes an empty one, in the object format of `hash`. @param borrowed objects of a mirror, by the path of their folder */
export async function openScratchRepository(
  { tmp }: StepContext,
  hash: string,
  signal: AbortSignal,
  borrowed?: string,
): Promise<ScratchRepository> {
  const gitDir = join(await mkdtemp(join(tmp, 'scratch-')), 'scratch.git')
  await initBare(gitDir, hash, signal, borrowed)
  return { gitDir, signal, isMirrored: borrowed !== undefined }
}

/** Fetches a branch of the remote. @returns its commit @throws GitFailed; StepFailed for a shallow remote */
export async function fetchBranch(
  { gitDir, signal, isMirrored }: ScratchRepository,
  access: GitAccess,
  branch: string,
): Promise<string> {
  const ref = `refs/slipway/remote/${branch}`
  const options = ['--quiet', '--no-tags', '--no-write-fetch-head']
  const source = ['--', access.url, `+refs/heads/${branch}:${ref}`]
  // Git looks for refs where the objects are borrowed from, which may be a clone that an agent had.
  const noRefs = isMirrored === true ? [] : [['core.alternateRefsCommand', 'true'] as const]
  const config = [...(access.options.config ?? []), ...noRefs]
  refuseShallow(await git(['fetch', ...options, ...source], { gitDir, ...access.options, config, signal }), access.url)
  return gitText(['rev-parse', '--verify', `${ref}^{commit}`], { gitDir, signal })
}

/** Whether the repository has the commit, whole. */
export async function hasCommit(options: GitOptions, commit: string): Promise<boolean> {
  return (await git(['cat-file', '-e', `${commit}^{commit}`], { ...options, answers: [1, 128] })).exitCode === 0
}

/** Those of the commits, named in full, that the repository has, each once. */
export async function filterKnown(options: GitOptions, commits: readonly string[]): Promise<string[]> {
  const asked = [...new Set(commits)]
  const known = new Set<string>()
  for (let next = 0; next < asked.length;) {
    // To peel a commit is to read it, not its header alone.
    const input = asked.slice(next).map((commit) => `${commit}^{commit}\n`)
    const how = { ...options, input: input.join(''), answers: [128] }
    const { exitCode, stdout } = await git(['cat-file', '--batch-check=%(objectname)'], how)
    const lines = stdout.toString('utf8').split('\n').slice(0, -1)
    for (const line of lines) known.add(line)
    // 128: git ends at the first that it cannot read.
    next += exitCode === 0 ? asked.length : lines.length + 1
  }
  return asked.filter((commit) => known.has(commit))
}

/** How many commits `head` has that `base` does not have. */
export async function countCommits(options: GitOptions, base: string, head: string): Promise<number> {
  return Number(await gitText(['rev-list', '--count', `${base}..${head}`], options))
}
