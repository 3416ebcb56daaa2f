/** What an agent made that the commits of its branch do not hold, as the clone's own git tells it. */
import { countOf } from '../../core/sentences/amounts.ts'
import { lstat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { RESULT_LIMITS } from '../../core/execution/result-limits.ts'
import type { RawChange } from '../../core/review/hidden.ts'
import { ifThere } from '../../lib/files.ts'
import { type GitOptions, git, GitFailed, gitText } from '../../lib/git.ts'
import { readPointers } from '../../lib/git-lfs.ts'
import { type LeftBehind, type Look, type StatusEntry, joinZero, splitZero, toText } from './clone-git.ts'
import { requireListable } from './listable.ts'
import { describeUncommitted, describeUnpushed } from './nested.ts'
import { findLooseGitlinks, isGitlink, listSubmodules, readRawChanges } from './raw-changes.ts'

/** Untracked files that are tracked at `since`: `git rm --cached` took them out, so they stay out. */
export async function findUntracked(
  options: GitOptions,
  since: string,
  entries: readonly StatusEntry[],
): Promise<{ readonly paths: ReadonlySet<string>; readonly changed: readonly LeftBehind[] }> {
  const untracked = new Set(entries.filter(({ kind }) => kind === 'untracked').map(({ path }) => path))
  if (untracked.size === 0) return { paths: untracked, changed: [] }
  const all = await readRawChanges(options, ['diff-index', '--cached', '--diff-filter=D', since])
  const removed = all.filter(({ path }) => untracked.has(path))
  const changed: LeftBehind[] = []
  for (const { path, objects } of removed.slice(0, RESULT_LIMITS.undelivered)) {
    const now = await gitText(['hash-object', '--', toText(path)], { ...options, answers: [128] })
    const reason = 'it was taken out of git (git rm --cached) and changed afterwards, so it is not committed again'
    if (now !== objects[0]) changed.push({ path: toText(path), reason, isNotice: true })
  }
  return { paths: new Set(removed.map(({ path }) => path)), changed }
}

/** Looks beyond the working tree of a clone whose leftovers are committed. @param changes since the work started */
export async function findLeftBehind(look: Look, changes: readonly RawChange[]): Promise<LeftBehind[]> {
  return [
    ...(await findLooseGitlinks(look.options, 'HEAD', changes)),
    ...(await findInSubmodules(look, changes)),
    ...(await findOnBranches(look.options)),
    ...(await findTags(look)),
    ...(await findSequence(look)),
    ...(await findInWorktrees(look)),
    ...(await findOutsideLfs(look.options, changes)),
  ]
}

async function findInSubmodules(look: Look, changes: readonly RawChange[]): Promise<LeftBehind[]> {
  const found: LeftBehind[] = []
  const changed = new Set(changes.filter(isGitlink).map(({ path }) => path))
  for (const path of await listSubmodules(look.options, 'HEAD')) {
    const unpushed = changed.has(path) ? await describeUnpushed(look, path) : undefined
    found.push(...listOf(unpushed ?? (await describeUncommitted(look, toText(path), 'submodule'))))
  }
  return found
}

/** Commits on other branches, and stashes, that neither HEAD nor the remote has, in their own form or in another. */
async function findOnBranches(options: GitOptions): Promise<LeftBehind[]> {
  const found: LeftBehind[] = []
  const names = ['--no-merged=HEAD', '--format=%(objectname) %(refname)', 'refs/heads', 'refs/stash']
  const listed = await gitText(['for-each-ref', ...names], options)
  // A name need not be UTF-8, and git would not know it again.
  for (const [commit = '', ref = ''] of listed.split('\n').map((line) => line.split(' '))) {
    const reason = commit === '' ? undefined : await describeUnmerged(options, commit, ref)
    if (reason !== undefined) found.push({ path: ref.replace(/^refs\/(heads\/)?/, ''), reason })
  }
  return found
}

/** Tags that came after the clone: git packs those that a clone brings along. */
async function findTags(look: Look): Promise<LeftBehind[]> {
  const found: LeftBehind[] = []
  const reason = 'this tag was made or fetched in the clone, and tags are never pushed'
  for (const ref of (await gitText(['for-each-ref', '--format=%(refname)', 'refs/tags'], look.options)).split('\n'))
    if (ref !== '' && (await hasFile(look, ref)))
      found.push({ path: ref.slice('refs/'.length), reason, isNotice: true })
  return found
}

/** What is left of several commits, where git thinks it is at them still: they may be missing, or were given up. */
async function findSequence(look: Look): Promise<LeftBehind[]> {
  const path = 'sequencer/todo'
  const reason = 'a cherry-pick or revert of several commits has not ended: what it names may be missing'
  return (await hasFile(look, path)) ? [{ path: `.git/${path}`, reason, isNotice: true }] : []
}

async function hasFile({ context }: Look, path: string): Promise<boolean> {
  const file = lstat(join(context.paths.clone, '.git', path))
  return (await ifThere(file, 'ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ELOOP', 'EACCES')) !== undefined
}

/** Why what a ref, or the HEAD of a linked worktree, has is not part of the work; undefined where it is. */
async function describeUnmerged(options: GitOptions, commit: string, ref: string): Promise<string | undefined> {
  try {
    await requireListable(options, commit)
    const known = ref === 'HEAD' ? ['--remotes', '--branches', '--tags'] : ['--remotes']
    const own = ['--count', '--cherry-pick', '--right-only', `HEAD...${commit}`, '--not', ...known, '--']
    const count = Number(await gitText(['rev-list', ...own], options))
    const { exitCode } = await git(['diff-tree', '--quiet', 'HEAD', commit, '--'], { ...options, answers: [1] })
    if (count === 0 || exitCode === 0) return undefined
    if (ref === 'refs/stash') return 'changes were stashed and not applied'
    const what = ref === 'HEAD' ? 'linked worktree' : 'branch'
    return `${countOf(count, `commit of this ${what} is`, `commits of this ${what} are`)} not part of the work`
  } catch (error) {
    if (!(error instanceof GitFailed)) throw error
    return `the clone has lost what it needs (git ${error.command}), so nobody can tell whether it is part of the work`
  }
}

async function findInWorktrees(look: Look): Promise<LeftBehind[]> {
  const listed = await gitText(['worktree', 'list', '--porcelain'], look.options)
  const entries = [...listed.matchAll(/^worktree (.*)\n(?:HEAD (.*)\n(detached$)?)?/gm)]
  const [main, ...linked] = entries.map(([, folder = '', commit = '', detached]) => ({ folder, commit, detached }))
  const found: LeftBehind[] = []
  for (const { folder, commit, detached } of linked) {
    const path = relative(main?.folder ?? '', folder)
    const reason = detached === undefined ? undefined : await describeUnmerged(look.options, commit, 'HEAD')
    found.push(...listOf(reason === undefined ? undefined : { path, reason }))
    found.push(...listOf(await describeUncommitted(look, path, 'linked worktree')))
  }
  return found
}

/** Files that belong into Git LFS and are whole in git, since no git-lfs was there to put them elsewhere. */
async function findOutsideLfs(options: GitOptions, changes: readonly RawChange[]): Promise<LeftBehind[]> {
  const files = changes.filter(({ modes }) => modes[1].startsWith('100'))
  const input = joinZero(files.map(({ path }) => path))
  const { stdout } = await git(['check-attr', '-z', '--stdin', 'filter'], { ...options, input })
  const values = splitZero(stdout)
  const inLfs = files.filter((_, i) => values[3 * i + 2] === 'lfs')
  const pointers = await readPointers(options, [...new Set(inLfs.map(({ objects }) => objects[1]))])
  const reason =
    'its attributes name Git LFS, but no git-lfs ran in the agent’s container: the branch has its content itself'
  const outside = inLfs.filter(({ objects }) => !pointers.has(objects[1]))
  return outside.map(({ path }) => ({ path: toText(path), reason, isNotice: true }))
}

function listOf(found: LeftBehind | undefined): LeftBehind[] {
  return found === undefined ? [] : [found]
}
