/**
 * Repositories inside a clone: submodules, and those that somebody made or cloned there.
 *
 * Git lists a folder with a `.git` as one path and takes none of its files. Once its index has an entry below that folder,
 * git treats it like any other folder, except that it never looks at the `.git`. So the files of a nested repository are
 * taken in by such an entry, and the ignore files in it and above it count.
 */
import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { redactUrls } from '../../core/redact-urls.ts'
import { shortCommit } from '../../core/text.ts'
import { hasErrorCode } from '../../lib/files.ts'
import { type GitOptions, git, GitFailed, gitText } from '../../lib/git.ts'
import { type LeftBehind, type Look, type StatusEntry, cloneGit, readStatus, toText, updateIndex } from './clone-git.ts'

/** A name below a nested repository that nobody uses. */
const ENTRY = '.slipway-takes-in'

/**
 * Makes git list the files of the nested repositories that have no remote; the others are left out.
 *
 * @param made gets the entries that the index has for it, which the caller removes
 * @returns the status then
 */
export async function takeInNested(
  look: Look,
  made: string[],
): Promise<{ readonly entries: readonly StatusEntry[]; readonly left: readonly LeftBehind[] }> {
  const left: LeftBehind[] = []
  const known = new Set<string>()
  for (;;) {
    const entries = await readStatus(look.options)
    const found = entries.filter(({ kind, path }) => kind === 'nested' && !known.has(path)).map(({ path }) => path)
    if (found.length === 0) return { entries, left }
    const own: string[] = []
    for (const path of found) {
      known.add(path)
      const other = await describeForeign(look, path)
      if (other === 'own') own.push(path)
      else if (other !== 'worktree') left.push(other)
    }
    made.push(...(await takeIn(look, own)))
  }
}

async function takeIn({ context, options }: Look, folders: readonly string[]): Promise<string[]> {
  const blob = await gitText(['hash-object', '-w', '--stdin'], { ...options, input: '' })
  const entries = folders.map((folder) => `${folder}${ENTRY}`)
  const lines = entries.map((entry) => `100644 ${blob}\t${entry}`)
  await updateIndex(options, ['--index-info'], lines)
  for (const folder of folders)
    context.say(`${toText(folder)} is a repository without a remote: its files are committed, its .git is left out`)
  return entries
}

/** Why a nested repository is not delivered; `own`: it has no remote. */
async function describeForeign(look: Look, at: string): Promise<LeftBehind | 'own' | 'worktree'> {
  const path = toText(at).replace(/\/$/, '')
  const found = await inRepository(look, path, async (options) => {
    // A linked worktree of this clone: left-behind.ts looks at all of them.
    if ((await commonFolder(options)) === (await commonFolder(look.options))) return 'worktree'
    const { stdout } = await git(['config', '--get-regexp', '^remote\\..*\\.url$'], { ...options, answers: [1] })
    const url = stdout.toString('utf8').split('\n')[0]?.split(' ')[1]
    if (url === undefined) return 'own'
    const isNotice = (await readStatus(options)).length === 0 && (await findUnpushed(options)) === undefined
    const what = `it is a clone of ${redactUrls(url)}`
    return {
      path,
      reason: isNotice ? `${what}, which has all of it` : `${what} with changes that are nowhere else`,
      isNotice,
    }
  })
  return found ?? { path, reason: 'it is a repository whose name is no UTF-8, so nothing can be run in it' }
}

function commonFolder(options: GitOptions): Promise<string> {
  return gitText(['rev-parse', '--path-format=absolute', '--git-common-dir'], options)
}

/** A commit that no remote-tracking branch of a repository has. */
async function findUnpushed(options: GitOptions): Promise<string | undefined> {
  const args = ['rev-list', '--max-count=1', 'HEAD', '--branches', '--not', '--remotes', '--']
  // 128: it has no commit.
  const commit = await gitText(args, { ...options, answers: [128] })
  return commit === '' ? undefined : commit
}

/** What would be lost of a submodule whose checked-out commit is recorded anew; undefined: nothing. */
export function describeUnpushed(look: Look, at: string): Promise<LeftBehind | undefined> {
  const path = toText(at)
  return inRepository(look, path, async (options) => {
    const commit = await findUnpushed(options)
    if (commit === undefined) return undefined
    const where = `commit ${shortCommit(commit)} of this submodule is in the clone alone`
    return { path, reason: `${where}: it has to be pushed to the submodule's own remote first` }
  })
}

/** What is not committed in a submodule or linked worktree; undefined: nothing, or it is not checked out. */
export function describeUncommitted(look: Look, path: string, what: string): Promise<LeftBehind | undefined> {
  const reason = `this ${what} has changes that are not committed in it`
  return inRepository(look, path, async (options) =>
    (await readStatus(options)).length === 0 ? undefined : { path, reason },
  )
}

/** Looks into a repository inside the clone, where there is one. A damaged one must not hold up what is beside it. */
async function inRepository<T>(
  { context, signal }: Look,
  path: string,
  use: (options: GitOptions) => Promise<T>,
): Promise<T | LeftBehind | undefined> {
  const folder = join(context.paths.clone, path)
  try {
    await lstat(join(folder, '.git'))
    return await use(cloneGit(context, signal, folder))
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT', 'ENOTDIR')) return undefined
    if (!(error instanceof GitFailed)) throw error
    return { path, reason: `it is a repository that git cannot read: ${redactUrls(error.stderr.trim())}` }
  }
}
