/** Writes a checkout of exactly the staged head for each check, from a repository that nobody else can write. */
import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { STAGED_REPOSITORY, checkoutPath } from '../../core/execution/layout.ts'
import { copyTree } from '../../lib/copy-tree.ts'
import { type GitLimit, git } from '../../lib/git.ts'
import { handOutMounted } from '../environment/hand-out.ts'
import type { RunPaths, StepContext } from '../context.ts'
import type { GitAccess } from '../git/access.ts'
import { checkOutFiles } from '../git/check-out.ts'
import type { MergedSubmodules } from '../git/gitmodules.ts'
import { limitToFolders } from '../git/sparse.ts'
import { checkOutSubmodules } from '../git/submodules.ts'
import { STAGED_REF } from './keep.ts'
import type { Checks } from './staged-file.ts'

/** What is checked. */
export interface StagedCommit {
  readonly head: string
  /** Commits of the work: so much of the history a checkout has, and the one before. */
  readonly commits: number
  /** What people have merged of submodules; absent where none are wanted. */
  readonly merged: MergedSubmodules | undefined
}

/** The folder of a check that its program works in, and its home. */
export function checkPaths({ execution }: Pick<RunPaths, 'execution'>, check: string): { repo: string; home: string } {
  const folder = join(execution, checkoutPath(check))
  return { repo: join(folder, 'repo'), home: join(folder, 'home') }
}

/** @throws GitFailed, StepFailed, the system's error on a full disk */
export async function makeCheckouts(
  context: StepContext,
  access: GitAccess,
  { list }: Checks,
  staged: StagedCommit,
  limit: GitLimit,
): Promise<void> {
  let first: string | undefined
  for (const { name } of list) {
    const { repo, home } = checkPaths(context.paths, name)
    await mkdir(home, { mode: 0o700 })
    if (first === undefined) await checkOut(context, access, repo, staged, limit)
    else await copyOf(first, repo, limit.signal)
    first = repo
  }
  // Behind the copies: caches may name the folder that they lie in.
  for (const { name } of list) {
    const { repo, home } = checkPaths(context.paths, name)
    await handOutMounted({ ...context, paths: { ...context.paths, clone: repo, home } }, limit.signal)
  }
}

/** On one disk it takes longer to look for deltas than to copy what they would save. */
const WITHOUT_SEARCH = '--upload-pack=git -c pack.window=0 -c pack.compression=1 upload-pack'

async function checkOut(
  context: StepContext,
  access: GitAccess,
  folder: string,
  { head, commits, merged }: StagedCommit,
  limit: GitLimit,
): Promise<void> {
  const { run, paths } = context
  const { signal } = limit
  const format = head.length === 64 ? 'sha256' : 'sha1'
  await git(['init', '--quiet', '--template=', `--object-format=${format}`, '--', folder], { signal })
  const options = { cwd: folder, signal }
  const what = ['--quiet', '--no-tags', '--no-write-fetch-head', `--depth=${commits + 1}`, WITHOUT_SEARCH]
  const source = ['--', join(paths.execution, STAGED_REPOSITORY), STAGED_REF]
  await git(['fetch', ...what, ...source], { ...options, env: { GIT_ALLOW_PROTOCOL: 'file' } })
  // Copies have the same files at other places of the disk.
  await git(['config', 'core.checkStat', 'minimal'], options)
  await git(['config', 'core.trustctime', 'false'], options)
  await limitToFolders(context, options, head)
  await checkOutFiles(['--detach', head], options)
  const top = { folder, gitDir: join(folder, '.git'), url: access.url, access }
  const inside = merged === undefined ? [] : await checkOutSubmodules(context, top, limit, merged)
  if (run.checkout?.lfs === 'Fetch')
    await (await import('../git/lfs.ts')).fetchLfs(context, [top, ...inside], signal, paths.clone)
}

async function copyOf(from: string, to: string, signal: AbortSignal): Promise<void> {
  await mkdir(to)
  await copyTree({ root: dirname(from), segments: ['repo'] }, { root: dirname(to), segments: ['repo'] }, signal)
}
