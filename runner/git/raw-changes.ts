/** How two commits differ, entry by entry; for a clone's own git as well as for a repository of the runner's. */
import type { Undelivered } from '../../core/execution/result.ts'
import { type RawChange, parseRawChanges } from '../../core/review/hidden.ts'
import { type GitOptions, git } from '../../lib/git.ts'
import { toText } from './clone-git.ts'
import { readGitmodules } from './gitmodules.ts'

const GITLINK = '160000'

/** The paths in which two commits differ, or a commit and the index. */
export async function readRawChanges(options: GitOptions, which: readonly string[]): Promise<RawChange[]> {
  const args = ['--raw', '-z', '--no-abbrev', '--no-renames', '--ignore-submodules=none']
  return parseRawChanges(
    (await git([which[0] ?? '', ...args, ...which.slice(1), '--'], options)).stdout.toString('latin1'),
  )
}

/** Whether the path is a gitlink now. */
export function isGitlink({ modes }: RawChange): boolean {
  return modes[1] === GITLINK
}

/** Whether an entry of this mode has a content of its own: a file, or a link. */
export function isFile(mode: string): boolean {
  return mode.startsWith('1') && mode !== GITLINK
}

/** Gitlinks among `changes` that .gitmodules of `commit` does not name, so that nobody can fetch what they point to. */
export async function findLooseGitlinks(
  options: GitOptions,
  commit: string,
  changes: readonly RawChange[],
): Promise<Undelivered[]> {
  const links = changes.filter(isGitlink).map(({ path }) => path)
  if (links.length === 0) return []
  const named = new Set(await listSubmodules(options, commit))
  const reason = 'it is a gitlink that .gitmodules does not name: its files are in no commit, and nobody can fetch them'
  return links.filter((path) => !named.has(path)).map((path) => ({ path: toText(path), reason }))
}

/** The paths that .gitmodules of a commit names. */
export async function listSubmodules(options: GitOptions, commit: string): Promise<string[]> {
  return (await readGitmodules(options, commit)).flatMap(({ key, value }) => (key === 'path' ? [value] : []))
}
