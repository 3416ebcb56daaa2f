/**
 * Gives the files of a fresh clone that are in Git LFS their content, which comes from the server of the repository's own URL.
 *
 * No filter of the clone runs. The content goes to where git-lfs looks for it, is checked against its pointer and copied into
 * the working tree, and the index is told that the file is as it was, so that `git status` stays clean without git-lfs too.
 */
import { constants } from 'node:fs'
import { copyFile, lstat, mkdir, open, chmod, rename, rm, statfs, unlink, utimes } from 'node:fs/promises'
import { createHash } from 'node:crypto'
import { basename, dirname, join } from 'node:path'
import { countOf, formatSize, listOf } from '../../core/sentences/amounts.ts'
import { addMs } from '../../core/time.ts'
import { forEachAtOnce } from '../../lib/async.ts'
import { ifPlain, inFolderNoFollow, isOutOfSpace, openRegularNoFollow } from '../../lib/files.ts'
import { type GitOptions, git } from '../../lib/git.ts'
import { type LfsPointer, lfsUrl, objectPath, readPointers } from '../../lib/git-lfs.ts'
import { parseUrl } from '../../lib/url.ts'
import type { StepContext } from '../context.ts'
import { OUT_OF_SPACE, StepFailed } from '../failure.ts'
import { type GitAccess, findLogin, wayTo } from './access.ts'
import { joinZero, splitZero, toText, updateIndex } from './clone-git.ts'
import { type LfsAnswer, type LfsServer, askBatch, download, LfsFailed } from './lfs-server.ts'
import type { CheckedOut } from './submodules.ts'

interface LfsFile extends LfsPointer {
  /** In latin1. */
  readonly path: string
}

const AT_ONCE = 4
/** Git looks into a file again that is not older than its index, and would not know it without a filter. */
const OLDER_MS = 60_000

/**
 * Fetches the content of all files in Git LFS that are checked out, in repositories on the host of the task's own. What cannot
 * be had stays a pointer, and the log says so.
 *
 * @param clone an agent's clone, which may have content that no server has yet; it is checked against its pointer, too
 */
export async function fetchLfs(
  context: StepContext,
  repositories: readonly CheckedOut[],
  signal: AbortSignal,
  clone?: string,
): Promise<void> {
  for (const { access, ...repository } of repositories)
    if (access !== undefined) await fetchInto(context, { ...repository, access }, signal, clone)
}

async function fetchInto(
  context: StepContext,
  repository: CheckedOut & { readonly access: GitAccess },
  signal: AbortSignal,
  clone: string | undefined,
): Promise<void> {
  const options = { gitDir: repository.gitDir, cwd: repository.folder, signal }
  let files = await findLfsFiles(options)
  if (files.length === 0) return
  const missed = new Map<string, string>()
  const all = [...new Map(files.map(({ oid, size }) => [oid, { oid, size }])).values()]
  const wanted = clone === undefined ? all : await takeObjects(clone, repository.gitDir, all)
  try {
    const server = await openLfsServer(context, repository.access, signal)
    const answers = await askBatch(server, 'download', wanted)
    await requireRoom(
      context,
      answers.filter(({ actions }) => actions.download !== undefined),
    )
    await forEachAtOnce(answers, AT_ONCE, async (answer) => {
      const reason = await fetchObject(server, repository.gitDir, answer)
      if (reason !== undefined) missed.set(answer.oid, reason)
    })
    for (const { oid } of wanted)
      if (!answers.some((answer) => answer.oid === oid)) missed.set(oid, 'the server says nothing of it')
  } catch (error) {
    if (!(error instanceof LfsFailed)) throw error
    const lost = new Set(wanted.map(({ oid }) => oid))
    const kept = files.filter(({ oid }) => !lost.has(oid))
    context.say(`${pointersStay(files.length - kept.length)}: ${repository.access.redact(error.message)}`)
    if (kept.length === 0) return
    files = kept
  }
  const there = files.filter(({ oid }) => !missed.has(oid))
  for (const file of there) await place(context, repository, file)
  await acceptInIndex(options, there)
  sayWhat(context, repository.access, { files, there, missed })
}

/** What cannot fit is not begun: it would take the last room of all others first. @throws StepFailed */
async function requireRoom({ run }: StepContext, wanted: readonly LfsPointer[]): Promise<void> {
  const { blocks, bavail, bsize } = await statfs(run.volumeRoot)
  const bytes = wanted.reduce((sum, { size }) => sum + size, 0)
  // Some network file systems tell no sizes.
  if (blocks === 0 || bytes <= bavail * bsize) return
  const sizes = `${formatSize(bytes)} are to come from Git LFS, and ${formatSize(bavail * bsize)} are free`
  throw new StepFailed('unavailable', `${OUT_OF_SPACE} (${sizes}), or check out fewer folders (checkout.sparse)`)
}

function sayWhat(
  { say }: StepContext,
  { redact }: GitAccess,
  {
    files,
    there,
    missed,
  }: Record<'files' | 'there', readonly LfsFile[]> & { readonly missed: ReadonlyMap<string, string> },
): void {
  const bytes = there.reduce((sum, { size }) => sum + size, 0)
  if (there.length > 0) say(`fetched ${countOf(there.length, 'file')} from Git LFS (${formatSize(bytes)})`)
  const lost = files.flatMap(({ path, oid }) => (missed.has(oid) ? [`${toText(path)} (${missed.get(oid)})`] : []))
  if (lost.length > 0) say(`${pointersStay(lost.length)}: ${redact(listOf(lost, { most: 5 }))}`)
}

function pointersStay(count: number): string {
  return countOf(count, 'file in Git LFS stays a pointer', 'files in Git LFS stay pointers')
}

/** The pointers among the files that are checked out, where the attributes say that they are in Git LFS. */
async function findLfsFiles(options: GitOptions): Promise<LfsFile[]> {
  const listed = splitZero((await git(['ls-files', '-z', '-t', '--stage'], options)).stdout)
  const entries = listed.flatMap((line) => {
    const [, object = '', path = ''] = /^H 100(?:644|755) ([0-9a-f]+) 0\t([^]*)$/.exec(line) ?? []
    return object === '' ? [] : [{ object, path }]
  })
  const input = joinZero(entries.map(({ path }) => path))
  const values = splitZero((await git(['check-attr', '-z', '--stdin', 'filter'], { ...options, input })).stdout)
  const inLfs = entries.filter((_, i) => values[3 * i + 2] === 'lfs')
  const pointers = await readPointers(options, [...new Set(inLfs.map(({ object }) => object))])
  return inLfs.flatMap(({ object, path }) => {
    const pointer = pointers.get(object)
    return pointer === undefined ? [] : [{ ...pointer, path }]
  })
}

/**
 * The LFS server of a repository, with the login that git has for it.
 *
 * @throws LfsFailed where the URL of the repository leads to none
 */
export async function openLfsServer(
  context: Pick<StepContext, 'env' | 'run'>,
  access: GitAccess,
  signal: AbortSignal,
): Promise<LfsServer> {
  const server = lfsUrl(access.url)
  const url = server === undefined ? undefined : parseUrl(server)
  if (url === undefined) throw new LfsFailed('Git LFS is spoken over https and http alone: give the project such a URL')
  const login = await findLogin(access, signal)
  const authorization = login && `Basic ${Buffer.from(`${login.username}:${login.password}`).toString('base64')}`
  return { url, authorization, wayTo: (to) => wayTo(to, context), signal, silent: new Set() }
}

/** Takes from a clone what it has. @returns the others */
async function takeObjects(clone: string, gitDir: string, all: readonly LfsPointer[]): Promise<LfsPointer[]> {
  const others: LfsPointer[] = []
  for (const pointer of all) {
    // From its parent on: the clone itself lies in a folder that the agent can write, and may be a link by now.
    const path = `${basename(clone)}/.git/${objectPath(pointer)}`
    const file = await ifPlain(openRegularNoFollow(dirname(clone), path))
    try {
      if (file === undefined) others.push(pointer)
      else await store(() => file.createReadStream({ start: 0, autoClose: false }), gitDir, pointer)
    } catch (error) {
      if (!(error instanceof LfsFailed)) throw error
      others.push(pointer)
    } finally {
      await file?.close()
    }
  }
  return others
}

async function store(
  open: () => AsyncIterable<Buffer> | Promise<AsyncIterable<Buffer>>,
  gitDir: string,
  pointer: LfsPointer,
): Promise<void> {
  const path = join(gitDir, objectPath(pointer))
  const part = `${path}.part`
  await mkdir(dirname(path), { recursive: true })
  try {
    await receive(await open(), part, pointer)
    await rename(part, path)
  } finally {
    await rm(part, { force: true })
  }
}

/** Fetches one object into the repository; why not, if not. */
async function fetchObject(server: LfsServer, gitDir: string, answer: LfsAnswer): Promise<string | undefined> {
  const { download: action } = answer.actions
  if (action === undefined) return answer.error ?? 'the server does not hand it out'
  try {
    await store(() => download(server, action), gitDir, answer)
    return undefined
  } catch (error) {
    server.signal.throwIfAborted()
    if (!(error instanceof Error) || isOutOfSpace(error)) throw error
    return error.message
  }
}

/** @throws LfsFailed for content that is not what the pointer says */
async function receive(content: AsyncIterable<Buffer>, path: string, { oid, size }: LfsPointer): Promise<void> {
  const hash = createHash('sha256')
  const file = await open(path, 'w', 0o644)
  let received = 0
  try {
    for await (const chunk of content) {
      received += chunk.length
      if (received > size) break
      hash.update(chunk)
      await file.writeFile(chunk)
    }
  } finally {
    await file.close()
  }
  if (received !== size || hash.digest('hex') !== oid)
    throw new LfsFailed('the server gave other content than the pointer names')
}

/** Puts the content in the place of a pointer, with the rights that git gave that. */
async function place({ clock }: StepContext, { folder, gitDir }: CheckedOut, file: LfsFile): Promise<void> {
  const segments = file.path.split('/')
  const name = segments.pop() ?? ''
  const put = async (parent: string): Promise<void> => {
    const target = Buffer.concat([Buffer.from(`${parent}/`), Buffer.from(name, 'latin1')])
    const { mode } = await lstat(target)
    await unlink(target)
    await copyFile(join(gitDir, objectPath(file)), target, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
    await chmod(target, mode & 0o777)
    const past = addMs(clock.now(), -OLDER_MS)
    await utimes(target, past, past)
  }
  await inFolderNoFollow(folder, segments, put, { encoding: 'latin1' })
}

/** Lets git note size and time of the files. The filter, which is ours for this call, answers with what the index has. */
function acceptInIndex(options: GitOptions, files: readonly LfsFile[]): Promise<void> {
  const config = [['filter.lfs.clean', 'git cat-file blob :0:%f'] as const]
  const paths = files.map(({ path }) => path)
  return updateIndex({ ...options, config }, ['--stdin'], paths)
}
