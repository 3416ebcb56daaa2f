/**
 * Reads the clone and the session that are kept of a task, for a person who goes on by hand (docs/adr/0016-take-over.md).
 *
 * Both are what an agent has left, so nothing in them is believed. Git runs in a bare repository of ours that sees the objects
 * of the clone, with an index of ours: no setting, hook or filter of the clone counts, and nothing nested is entered. The
 * working tree is only read, file by file, without following links. What is taken becomes objects of git, and the person's
 * git refuses to check out what does not belong in a working tree.
 */
import { lstat, mkdtemp, open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { SESSION_FILES, MAX_SESSION_BYTES } from '../../core/agent/session-files.ts'
import type { KnownAdapter } from '../../core/agent/programs.ts'
import { apiError } from '../../core/errors.ts'
import { clonePath, homePath, MAX_FILE_BYTES, mirrorsPath, sandboxOwnerPath } from '../../core/execution/layout.ts'
import { parseOwner } from '../../core/execution/owner.ts'
import { formatSize } from '../../core/sentences/amounts.ts'
import { forEachAtOnce } from '../../lib/async.ts'
import { ifPlain, ifThere, openRegularNoFollow, readRegularNoFollow, safeJoin } from '../../lib/files.ts'
import type { Clock } from '../../lib/clock.ts'
import { type GitOptions, git, gitText, GitFailed, GitTimedOut, withGitLimit } from '../../lib/git.ts'
import { listModified } from '../../lib/git-lfs.ts'
import { type Lender, keepShallow, makeView, readHead, UntrustedClone } from '../../lib/git-untrusted.ts'
import { removeTree } from '../../lib/remove-tree.ts'
import { findSessionFile } from '../../lib/session-file.ts'
import { type StoredFile, toStoredFile } from '../records/stored-files.ts'

/** Most bytes of a bundle, and of the files that are not committed. */
const MAX_BUNDLE_BYTES = 512 * 1024 * 1024
const MAX_UNCOMMITTED_BYTES = 256 * 1024 * 1024
/**
 * Memory of git where it reads the working tree: an agent can have the largest file converted as a whole. The server has less
 * than git may take elsewhere.
 */
const MAX_READING_BYTES = 256 * 1024 * 1024
/** Most bytes of files that have as good as none on the disk, which file systems that compress make of no real content. */
const MAX_HOLES_BYTES = 1024 * 1024 * 1024
const MIN_HOLES_BYTES = 1024 * 1024
const MAX_COMPRESSION = 64
/** Git reads a pipe in place of .gitignore, or matches some patterns in it, without end. */
const READING_LIMIT_MS = 5 * 60_000
/** More names than that of changed and new files are no work that a person goes on with. */
const MAX_UNCOMMITTED_FILES = 50_000

/** The sandbox of a task on the data volume. */
export interface Kept {
  readonly volumeRoot: string
  readonly task: string
  /** metadata.uid of the task: a sandbox of an earlier task of the name is none of its own. */
  readonly uid: string
}

/** The commit that the kept clone is at; undefined where none is kept, or it cannot be read safely. */
export async function findKeptHead(kept: Kept): Promise<string | undefined> {
  if ((await readOwner(kept)) === undefined) return undefined
  try {
    return (await readHead(safeJoin(kept.volumeRoot, clonePath(kept.task)))).commit
  } catch (error) {
    if (error instanceof UntrustedClone) return undefined
    throw error
  }
}

async function readOwner({ volumeRoot, task, uid }: Kept) {
  const path = safeJoin(volumeRoot, sandboxOwnerPath(task))
  const text = await ifPlain(readRegularNoFollow(dirname(path), basename(path), MAX_FILE_BYTES.owner))
  const owner = text && parseOwner(text.toString('utf8'))
  return owner?.uid === uid ? owner : undefined
}

/**
 * A bundle with one reference, {@link UNCOMMITTED_REF}: a commit of all that is not committed, on top of the clone's head.
 *
 * @param have commits whose history is left out; those that the clone does not have do not count
 * @throws ApiError `not_found`, `payload_too_large`, `transition_refused` for a clone that cannot be read safely
 */
export async function bundleKeptWork(
  kept: Kept,
  have: readonly string[],
  gone: AbortSignal,
  clock: Clock,
): Promise<StoredFile> {
  const owner = await readOwner(kept)
  if (owner === undefined) throw apiError('not_found', 'kept clone')
  const { volumeRoot, task } = kept
  const clone = safeJoin(volumeRoot, clonePath(task))
  const key = owner.mirror
  const lender = key === undefined ? undefined : { key, mirrors: safeJoin(volumeRoot, mirrorsPath(key)) }
  const tmp = await mkdtemp(join(tmpdir(), 'slipway-checkout-'))
  try {
    const make = (signal: AbortSignal) => makeBundle({ clone, lender, tmp, have, signal })
    return await withGitLimit(READING_LIMIT_MS, gone, clock, make)
  } catch (error) {
    if (!(error instanceof UntrustedClone || error instanceof GitFailed || error instanceof GitTimedOut)) throw error
    throw apiError('transition_refused', `the kept clone cannot be read: ${reasonOf(error)}`).causedBy(error)
  } finally {
    await removeTree(tmp)
  }
}

function reasonOf(error: Error): string {
  if (error instanceof UntrustedClone) return `${error.message}; run the task again for a fresh one`
  if (error instanceof GitTimedOut) return `${error.message}; try again when the server is less busy`
  return (error instanceof GitFailed && error.stderr.trim().split('\n').at(-1)) || error.message
}

interface Making {
  readonly clone: string
  readonly lender: Lender | undefined
  readonly tmp: string
  readonly have: readonly string[]
  readonly signal: AbortSignal
}

/** The reference of a bundle. */
const UNCOMMITTED_REF = 'refs/slipway/uncommitted'

async function makeBundle({ clone, lender, tmp, have, signal }: Making): Promise<StoredFile> {
  const gitDir = join(tmp, 'view.git')
  const { commit: head } = await makeView(clone, lender, gitDir, signal)
  await keepShallow(clone, gitDir)
  const view = { gitDir, signal }
  const uncommitted = await commitWorkingTree({ clone, tmp, view, head })
  await git(['update-ref', UNCOMMITTED_REF, uncommitted], view)
  const known: string[] = []
  for (const commit of have) if (await hasCommit(view, commit)) known.push(`^${commit}`)
  const path = join(tmp, 'work.bundle')
  const file = await open(path, 'wx+')
  try {
    const args = ['bundle', 'create', '--quiet', '-', UNCOMMITTED_REF, ...known]
    const { isCut } = await git(args, { ...view, output: file, maxOutputBytes: MAX_BUNDLE_BYTES })
    if (isCut) throw apiError('payload_too_large', MAX_BUNDLE_BYTES, 'the kept work')
  } finally {
    await file.close()
  }
  // Its folder is removed: what is open is sent.
  return toStoredFile(await open(path))
}

async function hasCommit(view: GitOptions, commit: string): Promise<boolean> {
  const { exitCode } = await git(['cat-file', '-e', `${commit}^{commit}`], { ...view, answers: [1, 128] })
  return exitCode === 0
}

interface WorkingTree {
  readonly clone: string
  readonly tmp: string
  readonly view: GitOptions
  readonly head: string
}

/** A commit of the working tree on top of the head; of the same tree where nothing is uncommitted. */
async function commitWorkingTree({ clone, tmp, view, head }: WorkingTree): Promise<string> {
  const env = { GIT_WORK_TREE: clone, GIT_INDEX_FILE: join(tmp, 'index') }
  const options = { ...view, cwd: clone, env, maxMemoryBytes: MAX_READING_BYTES }
  await git(['read-tree', head], options)
  await refuseHoles(clone, options)
  await git(['update-index', '-q', '--refresh', '--ignore-submodules'], { ...options, answers: [1] })
  const changed = await listChanged(clone, options)
  const added = await listNames(['ls-files', '--others', '--exclude-standard'], options)
  const names = await filterTakeable(clone, [...changed, ...added])
  const input = Buffer.from(names.map((name) => `${name}\0`).join(''), 'latin1')
  if (names.length > 0) await git(['update-index', '-z', '--add', '--remove', '--stdin'], { ...options, input })
  const tree = await gitText(['write-tree'], options)
  const by = { GIT_AUTHOR_NAME: 'Slipway', GIT_AUTHOR_EMAIL: 'slipway@localhost' }
  const committer = { GIT_COMMITTER_NAME: 'Slipway', GIT_COMMITTER_EMAIL: 'slipway@localhost' }
  const made = { ...view, env: { ...by, ...committer } }
  return gitText(['commit-tree', '-p', head, '-m', 'uncommitted work', tree], made)
}

/**
 * Refuses files of the index that are next to nothing but holes. Reading terabytes of them costs an agent nothing to ask for,
 * and git reads each file that it knows nothing of.
 */
async function refuseHoles(clone: string, options: GitOptions): Promise<void> {
  let bytes = 0
  await forEachAtOnce(await listNames(['ls-files'], options), 16, async (name) => {
    const stat = await ifThere(lstat(pathOf(clone, name)), ...ABSENT)
    if (stat?.isFile() !== true || stat.size < MIN_HOLES_BYTES || stat.size < stat.blocks * 512 * MAX_COMPRESSION)
      return
    bytes += stat.size
    if (bytes > MAX_HOLES_BYTES)
      throw new UntrustedClone(
        `it has files of more than ${formatSize(MAX_HOLES_BYTES)} with next to nothing in them, such as ${JSON.stringify(toText(name))}`,
      )
  })
}

/** Names of files that are not as in the index. Content of Git LFS where the index has its pointer is no change. */
async function listChanged(clone: string, options: GitOptions): Promise<string[]> {
  const modified = await listModified(clone, options)
  return modified.flatMap(({ name, isContent }) => (isContent ? [] : [name]))
}

function pathOf(clone: string, name: string): Buffer {
  return Buffer.concat([Buffer.from(`${clone}/`), Buffer.from(name, 'latin1')])
}

function toText(name: string): string {
  return Buffer.from(name, 'latin1').toString('utf8')
}

/** Names keep their bytes, as latin1. */
async function listNames([command = '', ...args]: readonly string[], options: GitOptions): Promise<string[]> {
  const { stdout } = await git([command, '-z', ...args], options)
  // A name that ends in a slash is a repository of its own, which nobody enters.
  return stdout
    .toString('latin1')
    .split('\0')
    .filter((name) => name !== '' && !name.endsWith('/'))
}

/**
 * Ordinary files with one name, links, which are taken as links, and names that are gone; of a sparse working tree what is
 * gone is what is left out. Pipes and the like are left behind.
 */
async function filterTakeable(clone: string, names: readonly string[]): Promise<string[]> {
  if (names.length > MAX_UNCOMMITTED_FILES)
    throw new UntrustedClone(`it has ${names.length} files that are not committed, more than ${MAX_UNCOMMITTED_FILES}`)
  const isSparse = (await ifThere(lstat(join(clone, '.git', 'info', 'sparse-checkout')), ...ABSENT)) !== undefined
  const takeable: string[] = []
  let bytes = 0
  for (const name of names) {
    const stat = await ifThere(lstat(pathOf(clone, name)), ...ABSENT)
    if (stat === undefined ? isSparse : !(stat.isSymbolicLink() || (stat.isFile() && stat.nlink === 1))) continue
    bytes += stat?.size ?? 0
    if (bytes > MAX_UNCOMMITTED_BYTES)
      throw new UntrustedClone(`its files that are not committed are larger than ${formatSize(MAX_UNCOMMITTED_BYTES)}`)
    takeable.push(name)
  }
  return takeable
}

const ABSENT = ['ENOENT', 'ENOTDIR', 'ELOOP']

/** The file of a session that may be given out. */
export interface SessionFile {
  readonly id: string
  /** Below the folder where the CLI keeps its sessions. */
  readonly file: string
  readonly size: number
}

/** Finds the file of a session: of the CLIs that we know, by their own names for it, and nothing else of the home. */
export async function findSession(
  kept: Kept,
  adapter: string,
  id: string | undefined,
): Promise<SessionFile | undefined> {
  if (!isKnownAdapter(adapter) || id === undefined || (await readOwner(kept)) === undefined) return undefined
  const found = await findSessionFile(kept.volumeRoot, homePath(kept.task), { adapter, id }, MAX_SESSION_BYTES)
  return found && { id, file: found.file, size: found.size }
}

function isKnownAdapter(adapter: string): adapter is KnownAdapter {
  return Object.hasOwn(SESSION_FILES, adapter)
}

/** Opens what {@link findSession} finds. @throws ApiError `not_found` */
export async function openSession(kept: Kept, adapter: string, id: string | undefined): Promise<StoredFile> {
  const found = await findSession(kept, adapter, id)
  if (found === undefined || !isKnownAdapter(adapter)) throw apiError('not_found', 'session file')
  const path = `${homePath(kept.task)}/${SESSION_FILES[adapter].folder}/${found.file}`
  const handle = await ifPlain(openRegularNoFollow(kept.volumeRoot, path))
  if (handle === undefined) throw apiError('not_found', 'session file')
  const { size } = await handle.stat()
  if (size <= MAX_SESSION_BYTES) return toStoredFile(handle)
  await handle.close()
  throw apiError('not_found', 'session file')
}
