import { type GitOptions, git } from '../../lib/git.ts'
import { splitZero, toText } from '../git/clone-git.ts'

/** What a commit has at a path. */
export interface TreeEntry {
  /** As git writes it: `100644` and the like. */
  readonly mode: string
  readonly id: string
}

/** What a commit has at these paths; those that it does not have are left out. @throws GitFailed */
export async function readTree(
  options: GitOptions,
  commit: string,
  paths: readonly string[],
): Promise<ReadonlyMap<string, TreeEntry>> {
  if (paths.length === 0) return new Map()
  // With -t also a folder that another path leads through.
  const { stdout } = await git(['ls-tree', '-t', '-z', '--full-tree', commit, '--', ...paths], literally(options))
  const wanted = new Set(paths)
  const found = splitZero(stdout).flatMap((line) => {
    const [, mode = '', id = '', path = ''] = /^(\S+) \S+ (\S+)\t(.*)$/s.exec(line) ?? []
    return wanted.has(toText(path)) ? [[toText(path), { mode, id }] as const] : []
  })
  return new Map(found)
}

/** Names at the top of a commit. @throws GitFailed */
export async function readTop(options: GitOptions, commit: string): Promise<string[]> {
  const { stdout } = await git(['ls-tree', '--name-only', '-z', '--full-tree', commit], options)
  return splitZero(stdout).map(toText)
}

/** The paths in the index that are one of these, or lie below. @throws GitFailed */
export async function listTracked(options: GitOptions, paths: readonly string[]): Promise<string[]> {
  if (paths.length === 0) return []
  const { stdout } = await git(['ls-files', '-z', '--', ...paths], literally(options))
  return splitZero(stdout)
}

function literally(options: GitOptions): GitOptions {
  return { ...options, env: { ...options.env, GIT_LITERAL_PATHSPECS: '1' } }
}
