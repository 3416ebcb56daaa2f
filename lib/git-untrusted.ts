/**
 * Reading a clone that an agent had in its hands.
 *
 * Git run inside such a clone would run what its configuration, hooks, filters and attributes say. So HEAD and refs
 * are read here as plain files, without following links, and its objects are only ever seen as alternates of a bare
 * repository of our own. Refused: a `.git` that is a file or a link, links anywhere among the objects, and a clone
 * that borrows objects (alternates) from anywhere but the mirrors that prepare gave it, since all of these could reach
 * files the agent may not read.
 */
import type { Dirent } from 'node:fs'
import { lstat, mkdir, readdir, symlink, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { ALTERNATES_PATH, parseAlternates } from '../core/execution/alternates.ts'
import { git } from './git.ts'
import { hasErrorCode, ifPlain, ifThere, inFolderNoFollow, readRegularNoFollow, UnsafePath } from './files.ts'

/** The clone is damaged, or made so that reading it would be unsafe. The message says which, for people. */
export class UntrustedClone extends Error {
  readonly code = 'UNTRUSTED_CLONE'
  override readonly name = 'UntrustedClone'
}

export interface CloneHead {
  readonly commit: string
  /** Full name of the branch that HEAD names; absent when it is detached. */
  readonly ref?: string
}

/** What {@link makeView} has found. */
export type Viewed = CloneHead & Pick<ObjectFolders, 'borrowed'>

const HASH = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/
/** What a reference holds, without what follows: a blank in latin1 may be part of a character. */
const VALUE = /^(?:ref: *)?[^ \t\r\n]*/
const MAX_REF_BYTES = 4096
const MAX_PACKED_REFS_BYTES = 64 * 1024 * 1024
const MAX_SYMREF_DEPTH = 5
const MAX_ALTERNATES_BYTES = 4096

/**
 * The commit that the HEAD of a clone's `.git` names. Git takes any bytes in a name; those that are no UTF-8 are shown
 * as replacement characters.
 *
 * @throws UntrustedClone when there is none, or it cannot be read safely.
 */
export async function readHead(clone: string): Promise<CloneHead> {
  const { commit, ...head } = await findHead(clone)
  if (commit === undefined) throw new UntrustedClone(missing(head.ref ?? 'HEAD'))
  return { commit, ...head }
}

/**
 * The same; without a commit when there is no HEAD, or it names a branch that has none.
 *
 * @throws UntrustedClone when it cannot be read safely.
 */
export async function findHead(clone: string): Promise<Partial<CloneHead>> {
  let ref = 'HEAD'
  for (let depth = 0; depth < MAX_SYMREF_DEPTH; depth += 1) {
    const value = await readRefBytes(clone, ref)
    const head = ref === 'HEAD' ? {} : { ref: toText(ref) }
    if (value === undefined) return head
    if (HASH.test(value)) return { commit: value, ...head }
    ref = targetOf(value)
  }
  throw new UntrustedClone("the clone's HEAD leads from one reference to the next without end")
}

function missing(ref: string): string {
  if (ref === 'HEAD') return 'the clone is gone, or has no .git/HEAD'
  return `the clone's HEAD leads to ${ref}, which has no commit`
}

function targetOf(value: string): string {
  const target = /^ref: *(refs\/.+)$/.exec(value)?.[1]
  if (target === undefined || !isSafeRefName(target)) throw new UntrustedClone("the clone's HEAD is malformed")
  return target
}

/** The part of git-check-ref-format(1) that keeps a name below `.git/refs`. */
function isSafeRefName(ref: string): boolean {
  return !/(^|\/)\.|\.\.|\/\/|\/$|\.lock$|[^!-~\u0080-\u00ff]|[~^:?*[\\]/.test(ref)
}

/**
 * Raw value of a reference (`refs/heads/main`, `HEAD`): a hash or `ref: …`; undefined when it does not exist.
 *
 * @throws UntrustedClone when it is a link or no ordinary file.
 */
export async function readRef(clone: string, ref: string): Promise<string | undefined> {
  const value = await readRefBytes(clone, Buffer.from(ref).toString('latin1'))
  return value && toText(value)
}

/** The same, with name and value as bytes: each character of a string in latin1 is one. */
async function readRefBytes(clone: string, ref: string): Promise<string | undefined> {
  const loose = await readGitFile(clone, ref, MAX_REF_BYTES)
  if (loose !== undefined) return VALUE.exec(loose)?.[0]
  const packed = (await readGitFile(clone, 'packed-refs', MAX_PACKED_REFS_BYTES)) ?? ''
  const line = packed.split('\n').find((entry) => entry.slice(entry.indexOf(' ') + 1) === ref)
  return line?.slice(0, line.indexOf(' '))
}

function toText(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

async function readGitFile(clone: string, name: string, maxBytes: number): Promise<string | undefined> {
  try {
    // From its parent on: the clone itself lies in a folder that the agent can write, and may be a link by now.
    const path = `${Buffer.from(basename(clone)).toString('latin1')}/.git/${name}`
    return (await readRegularNoFollow(dirname(clone), path, maxBytes, { encoding: 'latin1' })).toString('latin1')
  } catch (error) {
    // EISDIR: a folder of that name is not a reference. ENAMETOOLONG: no file has it, but packed-refs may.
    if (hasErrorCode(error, 'ENOENT', 'EISDIR', 'ENAMETOOLONG')) return undefined
    if (error instanceof UnsafePath) throw new UntrustedClone(`the clone's .git/${name} is not an ordinary file`)
    throw error
  }
}

/** Where a clone may borrow objects from: the mirrors of one repository, which no agent can write. */
export interface Lender {
  /** Of the repository, as in the clone's alternates file (core/execution/alternates.ts). */
  readonly key: string
  /** Absolute path of the folder of its generations. */
  readonly mirrors: string
}

/** Absolute paths of what a clone's objects lie in. */
export interface ObjectFolders {
  /** Its own: folders and files only, no links. */
  readonly own: string
  /** What it borrows; absent: nothing. */
  readonly borrowed?: string
}

/**
 * Checks that the objects of a clone lie in folders and files of its own, without links, and with those of `lender` at
 * most: of a generation that is there and borrows nothing itself.
 *
 * @throws UntrustedClone
 */
export async function vetObjects(clone: string, lender: Lender | undefined): Promise<ObjectFolders> {
  // From its parent on: an agent may have put a link in the place of its clone.
  try {
    await inFolderNoFollow(dirname(clone), [basename(clone), '.git', 'objects'], (objects) => refuseLinks(objects, ''))
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) throw new UntrustedClone('the clone has no .git/objects', { cause: error })
    if (error instanceof UnsafePath)
      throw new UntrustedClone("the clone's .git or its objects are a link or a file", { cause: error })
    throw error
  }
  const own = join(clone, '.git', 'objects')
  const alternates = await readGitFile(clone, ALTERNATES_PATH.slice('.git/'.length), MAX_ALTERNATES_BYTES)
  if (alternates === undefined) return { own }
  const generation = parseAlternates(alternates)
  if (generation === undefined || generation.key !== lender?.key)
    throw new UntrustedClone('the clone borrows objects from elsewhere (.git/objects/info/alternates)')
  return { own, borrowed: await findLent(lender, generation.number) }
}

async function findLent({ mirrors }: Lender, number: number): Promise<string> {
  const lent = await findGeneration(mirrors, number)
  if (lent === undefined)
    throw new UntrustedClone(`the clone borrows objects from mirror ${number} of its repository, which is gone`)
  if (lent.alternates !== undefined)
    throw new UntrustedClone(`mirror ${number} of the repository borrows objects itself`)
  return lent.objects
}

function findGeneration(mirrors: string, number: number) {
  const objects = join(mirrors, String(number), 'objects')
  const look = async (folder: string) => ({
    objects,
    alternates: await ifThere(lstat(join(folder, 'info/alternates'))),
  })
  return ifPlain(inFolderNoFollow(mirrors, [String(number), 'objects'], look))
}

/** The mirror that a clone borrows from and that `lender` does not have (any more); undefined if there is none such. */
export async function findGone(clone: string, lender: Lender | undefined): Promise<number | undefined> {
  const way = `${basename(clone)}/${ALTERNATES_PATH}`
  const text = await ifPlain(readRegularNoFollow(dirname(clone), way, MAX_ALTERNATES_BYTES))
  const generation = parseAlternates(text?.toString('latin1') ?? '')
  if (generation === undefined) return undefined
  const isThere =
    generation.key === lender?.key && (await findGeneration(lender.mirrors, generation.number)) !== undefined
  return isThere ? undefined : generation.number
}

async function refuseLinks(folder: string, below: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const name = below === '' ? entry.name : `${below}/${entry.name}`
    if (name === 'info/http-alternates')
      throw new UntrustedClone('the clone borrows objects from elsewhere (.git/objects/info/http-alternates)')
    if (!isPlain(entry)) throw new UntrustedClone(`the clone's .git/objects/${name} is a link or a special file`)
    if (entry.isDirectory()) await refuseLinks(join(folder, entry.name), name)
  }
}

function isPlain(entry: Dirent): boolean {
  return entry.isDirectory() || entry.isFile()
}

/**
 * A bare repository of ours that sees a clone's objects, if they pass {@link vetObjects}, and nothing else of it.
 *
 * Git reads the alternates files of alternates too, and complains of a relative path there with each command. So what it
 * gets is a folder of ours with links to those of the clone that hold objects, and the mirror by its absolute path.
 */
export async function makeView(
  clone: string,
  lender: Lender | undefined,
  gitDir: string,
  signal: AbortSignal,
): Promise<Viewed> {
  const head = await readHead(clone)
  const { own, ...lent } = await vetObjects(clone, lender)
  await initBare(gitDir, head.commit, signal)
  const links = join(gitDir, 'clone-objects')
  await mkdir(links)
  for (const name of await readdir(own))
    if (/^(?:[0-9a-f]{2}|pack)$/.test(name)) await symlink(join(own, name), join(links, name))
  await borrow(gitDir, lent.borrowed === undefined ? [links] : [links, lent.borrowed])
  return { ...head, ...lent }
}

/** @param folders of objects, by their absolute paths */
function borrow(gitDir: string, folders: readonly string[]): Promise<void> {
  return writeFile(join(gitDir, 'objects', 'info', 'alternates'), folders.map((path) => `${path}\n`).join(''))
}

/** More than the commits that any depth leaves as the last. */
const MAX_SHALLOW_BYTES = 16 * 1024 * 1024

/** Lets the view of a clone know where that one's history ends, so that git looks for nothing behind it. */
export async function keepShallow(clone: string, view: string): Promise<void> {
  const path = `${basename(clone)}/.git/shallow`
  const text = (await ifPlain(readRegularNoFollow(dirname(clone), path, MAX_SHALLOW_BYTES)))?.toString('latin1') ?? ''
  const commits = text.split('\n').filter((line) => /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(line))
  if (commits.length > 0) await writeFile(join(view, 'shallow'), commits.map((commit) => `${commit}\n`).join(''))
}

/**
 * An empty bare repository whose object format is that of `hash`.
 *
 * @param borrowed a folder of objects that can be trusted, by its absolute path, which the repository then has as well
 */
export async function initBare(gitDir: string, hash: string, signal: AbortSignal, borrowed?: string): Promise<void> {
  const format = hash.length === 64 ? 'sha256' : 'sha1'
  await git(['init', '--quiet', '--bare', '--template=', `--object-format=${format}`, '--', gitDir], { signal })
  if (borrowed !== undefined) await borrow(gitDir, [borrowed])
}
