/**
 * Brings a kept clone to the tip of its branch, in the agent's own step and by the clone's own git (clone-git.ts).
 *
 * The agent's commits that are not on the branch are rebased beside the working tree first. If that is clean, git moves
 * index and working tree from the one commit to the other, as a checkout does: what the agent had staged, changed or not
 * tracked stays, because nothing is moved where both have changed the same path. If it conflicts, git repeats the rebase in
 * the clone and stops there. Everything else leaves the clone as it is.
 *
 * What is begun is noted in the clone, so that the next start goes on after a kill.
 */
import { lstat, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { BranchMove, MoveEnd } from '../../core/execution/branch-move.ts'
import { asRecord, parseJson } from '../../core/json.ts'
import { shortCommit } from '../../core/text.ts'
import { hasErrorCode, ifPlain, ifThere, readRegularNoFollow, writeFileAtomic } from '../../lib/files.ts'
import { type GitOptions, git, gitText, isAncestor } from '../../lib/git.ts'
import { removeStaleLocks } from '../../lib/git-locks.ts'
import { keepShallow, makeView, readHead } from '../../lib/git-untrusted.ts'
import { type StepContext, findLender } from '../context.ts'
import { listFiles, StepFailed } from '../failure.ts'
import { type StatusEntry, cloneGit, joinZero, readStatus, splitZero, toText } from './clone-git.ts'
import { identity } from './commit.ts'
import { copyObjects } from './copy-objects.ts'
import { type Combined, rebase } from './merge.ts'
import { isGitlink, readRawChanges } from './raw-changes.ts'
import { hasCommit } from './scratch-repository.ts'
import { findOperation } from './unfinished.ts'

interface Follow {
  readonly context: StepContext
  /** For git in the clone. */
  readonly options: GitOptions
  readonly signal: AbortSignal
  readonly move: BranchMove
  readonly tip: string
}

/** @throws UntrustedClone, GitFailed, the system's error; then {@link takeBack} makes the clone what it was */
export async function followBranch(context: StepContext, move: BranchMove, signal: AbortSignal): Promise<MoveEnd> {
  const { clone } = context.paths
  const { tip } = move
  if (tip === undefined) return left('there is nothing to bring it to')
  await removeStaleLocks(join(clone, '.git'), () => true)
  const options = cloneGit(context, signal)
  const follow = { context, options, signal, move, tip }
  await finishEarlier(follow)
  if (!(await hasCommit(options, tip))) return left('it has not got that commit')
  const entries = await readStatus(options)
  const operation = await findOperation(join(clone, '.git'))
  if (operation !== undefined) {
    if (await isRebaseOnto(clone, tip)) return { kind: 'conflict', files: unmergedOf(entries) }
    return left(`${operation} in it has not ended`)
  }
  const { commit: head } = await readHead(clone)
  if (await isDone(follow, head)) return noteSeen(follow)
  const combined = await combine(follow, head)
  if (combined === 'merges') return left('it has merge commits of its own, which are not rebased')
  if (combined.kind === 'conflict') return stopInRebase(follow, entries, combined.files)
  const obstacle = await findObstacle(follow, { from: head, to: combined.commit }, entries)
  if (obstacle !== undefined) return left(obstacle)
  await write(clone, { kind: 'move', from: head, to: combined.commit })
  await moveTree(options, head, combined.commit)
  return noteSeen(follow)
}

/**
 * Brings the clone to exactly the commit that a person has handed back. What differs goes: commits, changes and new files
 * that are not ignored, all of which were theirs to take.
 *
 * @throws GitFailed, StepFailed; then {@link takeBack} makes the clone usable
 */
export async function standAt(
  context: StepContext,
  { head, branch }: { readonly head: string; readonly branch: string },
  signal: AbortSignal,
): Promise<void> {
  const { clone } = context.paths
  await removeStaleLocks(join(clone, '.git'), () => true)
  const options = cloneGit(context, signal)
  await finishEarlier({ context, options })
  if (!(await hasCommit(options, head)))
    throw new StepFailed('git', `the clone does not have ${shortCommit(head)}, which was handed back: ${AGAIN}`)
  for (const operation of ['rebase', 'am']) await git([operation, '--quit'], { ...options, answers: [1, 128] })
  await git(['reset', '--hard', '--quiet', head], options)
  await git(['clean', '-d', '--force', '--quiet'], options)
  await git(['update-ref', `refs/remotes/origin/${branch}`, head], options)
}

const AGAIN = 'check the task out and hand it back again'

function left(reason: string): MoveEnd {
  return { kind: 'left', reason }
}

/** The clone has what the branch has, and no more what that has lost. */
async function isDone({ options, move: { isRewritten, since }, tip }: Follow, head: string): Promise<boolean> {
  if (!(await isAncestor(options, tip, head))) return false
  return !isRewritten || since === undefined || !(await isAncestor(options, since, head))
}

/** The clone knows the tip from now on, as after a fetch. */
async function noteSeen({ context, options, move, tip }: Follow): Promise<MoveEnd> {
  await git(['update-ref', `refs/remotes/origin/${move.branch}`, tip], options)
  await rm(journalOf(context.paths.clone), { force: true })
  return { kind: 'followed' }
}

/** The commit to move to, made in a repository beside the clone; its objects are the clone's too then. */
async function combine(follow: Follow, head: string): Promise<Combined | 'merges'> {
  const { context, options, signal, move, tip } = follow
  const { paths, run, tmp } = context
  const since = move.since ?? tip
  if ((await isAncestor(options, head, since)) || (await isAncestor(options, head, tip)))
    return { kind: 'clean', commit: tip }
  const own = [head, `^${since}`, `^${tip}`]
  if ((await gitText(['rev-list', '--merges', '--max-count=1', ...own], options)) !== '') return 'merges'
  const view = join(tmp, 'follow.git')
  await makeView(paths.clone, findLender(run), view, signal)
  await keepShallow(paths.clone, view)
  const combined = await rebase(context, { gitDir: view, signal }, { head, since, onto: tip })
  if (combined.kind === 'conflict') return combined
  const name = `slipway-${combined.commit}`
  const gitDir = join(paths.clone, '.git')
  await rm(join(gitDir, 'objects', `${name}.pack`), { force: true })
  const list = `${combined.commit}\n^${tip}\n^${head}\n`
  await copyObjects({ from: view, to: gitDir, name, select: ['--revs'], list }, signal)
  return combined
}

/** Why nothing can be moved without a loss; undefined: it can. */
async function findObstacle(
  { context, options }: Follow,
  { from, to }: { readonly from: string; readonly to: string },
  entries: readonly StatusEntry[],
): Promise<string | undefined> {
  const { clone } = context.paths
  const changes = await readRawChanges(options, ['diff-tree', '-r', from, to])
  const link = changes.find((change) => isGitlink(change) || change.modes[0] === '160000')
  if (link !== undefined) return `submodule ${toText(link.path)} is another one there`
  const changed = new Set(changes.map(({ path }) => path))
  const found = new Set(entries.filter(({ path }) => changed.has(path)).map(({ path }) => path))
  for (const { path, kind } of entries)
    if (kind === 'nested' && changes.some((change) => change.path.startsWith(path))) found.add(path)
  // Files that git does not look at, and those that it ignores, would be overwritten.
  const hidden = await listHidden(options)
  for (const { path, modes } of changes)
    if ((modes[0] === '000000' || hidden.has(path)) && (await isInTheWay(clone, path, changed))) found.add(path)
  if (found.size === 0) return undefined
  return `what is not committed in ${listFiles([...found].map(toText))} was changed there too`
}

/** Files whose changes git was told to overlook. */
async function listHidden(options: GitOptions): Promise<ReadonlySet<string>> {
  const { stdout } = await git(['ls-files', '-v', '-z'], options)
  const marked = splitZero(stdout).filter((entry) => /^(?:[a-z]|S) /.test(entry))
  return new Set(marked.map((entry) => entry.slice(2)))
}

async function isInTheWay(clone: string, path: string, changed: ReadonlySet<string>): Promise<boolean> {
  try {
    await lstat(Buffer.concat([Buffer.from(`${clone}/`), Buffer.from(path, 'latin1')]))
    return true
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return false
    if (!hasErrorCode(error, 'ENOTDIR')) throw error
    // A file in place of a folder is none of the agent's if it goes with the move.
    const parents = path.split('/').map((_, i, parts) => parts.slice(0, i).join('/'))
    return !parents.some((parent) => changed.has(parent))
  }
}

async function moveTree(options: GitOptions, from: string, to: string): Promise<void> {
  await git(['read-tree', '-m', '-u', from, to], options)
  await git(['update-ref', '-m', 'slipway: to the tip of the branch', 'HEAD', to, from], options)
}

/** Has git run into the conflict in the clone, where the agent resolves it. */
async function stopInRebase(
  follow: Follow,
  entries: readonly StatusEntry[],
  files: readonly string[],
): Promise<MoveEnd> {
  const { context, options, move, tip } = follow
  const { clone } = context.paths
  const conflicts = `its commits conflict with that in ${listFiles(files)}`
  if (entries.some(({ kind }) => kind === 'tracked' || kind === 'unmerged'))
    return left(`${conflicts}, and it has changes that are not committed`)
  await write(clone, { kind: 'rebase' })
  const how = ['--quiet', '--no-fork-point', '--empty=drop', '--no-autostash', '--no-autosquash', '--no-gpg-sign']
  const args = ['rebase', ...how, '--no-verify', '--onto', tip, move.since ?? tip]
  const env = { ...options.env, ...identity(context), GIT_EDITOR: 'true' }
  const { exitCode } = await git(args, { ...options, env, answers: [1] })
  if (exitCode === 0) return noteSeen(follow)
  const unmerged = unmergedOf(await readStatus(options))
  if (unmerged.length === 0) {
    await finishEarlier(follow)
    return left(conflicts)
  }
  await noteSeen(follow)
  return { kind: 'conflict', files: unmerged }
}

function unmergedOf(entries: readonly StatusEntry[]): string[] {
  return entries.filter(({ kind }) => kind === 'unmerged').map(({ path }) => toText(path))
}

async function isRebaseOnto(clone: string, commit: string): Promise<boolean> {
  const onto = await ifPlain(readRegularNoFollow(clone, '.git/rebase-merge/onto', 128))
  return onto?.toString('utf8').trim() === commit
}

/** What is under way, for who finds it after a kill. */
type Journal = { readonly kind: 'move'; readonly from: string; readonly to: string } | { readonly kind: 'rebase' }

const JOURNAL = 'slipway-follow.json'

function journalOf(clone: string): string {
  return join(clone, '.git', JOURNAL)
}

function write(clone: string, journal: Journal): Promise<void> {
  return writeFileAtomic(journalOf(clone), JSON.stringify(journal))
}

/** Takes back what a failure has cut short. What it throws means that the clone is no place to work in yet. */
export async function takeBack(context: StepContext, signal: AbortSignal): Promise<void> {
  await removeStaleLocks(join(context.paths.clone, '.git'), () => true)
  await finishEarlier({ context, options: cloneGit(context, signal) })
}

/** Takes back what a kill has cut short, or ends it where only HEAD is missing. No agent has worked here since. */
async function finishEarlier({ context, options }: Pick<Follow, 'context' | 'options'>): Promise<void> {
  const { clone } = context.paths
  const bytes = await ifPlain(readRegularNoFollow(clone, `.git/${JOURNAL}`, 1024))
  if (bytes === undefined) return
  const { kind, from, to } = asRecord(parseJson(bytes.toString('utf8')))
  if (kind === 'rebase') await git(['rebase', '--abort'], { ...options, answers: [1, 128] })
  else if (typeof from === 'string' && typeof to === 'string' && (await readHead(clone)).commit === from)
    await restore(clone, options, { from, to })
  await rm(journalOf(clone), { force: true })
}

/** Makes the working tree what the index says, in the paths that were to change: git writes the index in one go. */
async function restore(
  clone: string,
  options: GitOptions,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> {
  const paths = (await readRawChanges(options, ['diff-tree', '-r', from, to])).map(({ path }) => path)
  const indexed = new Set(splitZero((await git(['ls-files', '-z'], options)).stdout))
  const kept = paths.filter((path) => indexed.has(path))
  for (const path of paths.filter((one) => !indexed.has(one))) await removeFile(clone, path)
  await git(['checkout-index', '--force', '--quiet', '-z', '--stdin'], { ...options, input: joinZero(kept) })
  await git(['update-index', '-q', '--refresh'], { ...options, answers: [1] })
  const missing = new Set((await readRawChanges(options, ['diff-index', '--cached', to])).map(({ path }) => path))
  if (paths.some((path) => missing.has(path))) return
  await git(['update-ref', '-m', 'slipway: to the tip of the branch', 'HEAD', to, from], options)
}

async function removeFile(clone: string, path: string): Promise<void> {
  const file = Buffer.concat([Buffer.from(`${clone}/`), Buffer.from(path, 'latin1')])
  await ifThere(rm(file), 'ENOENT', 'ENOTDIR', 'EISDIR', 'ERR_FS_EISDIR')
}
