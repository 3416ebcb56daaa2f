/**
 * Reading a clone that an agent had in its hands.
 *
 * Git run inside such a clone would run what its configuration, hooks, filters and attributes say. So HEAD and refs
 * are read here as plain files, without following links, and its objects are only ever seen as alternates of a bare
 * repository of our own. Refused: a `.git` that is a file or a link, links anywhere among the objects, and a clone
 * that borrows objects from elsewhere (alternates), since all of these could reach files the agent may not read.
 */
import type { Dirent } from 'node:fs'
import { readdir, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { git } from './git.ts'
import { hasErrorCode, inFolderNoFollow, readRegularNoFollow, UnsafePath } from './files.ts'

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

const HASH = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/
/** What a reference holds, without what follows: a blank in latin1 may be part of a character. */
const VALUE = /^(?:ref: *)?[^ \t\r\n]*/
const MAX_REF_BYTES = 4096
const MAX_PACKED_REFS_BYTES = 64 * 1024 * 1024
const MAX_SYMREF_DEPTH = 5

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
  if (ref === 'HEAD') return 'the clone is gone, or has no .git/HEAD: run the task again for a fresh clone'
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

/**
 * Checks that the object store of a clone is its own: folders and files only, no links, no alternates.
 *
 * @returns its path.
 * @throws UntrustedClone
 */
export async function vetObjects(clone: string): Promise<string> {
  try {
    const way = [basename(clone), '.git', 'objects']
    await inFolderNoFollow(dirname(clone), way, async (folder) => refuseLinks(folder, ''))
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) throw new UntrustedClone('the clone has no .git/objects', { cause: error })
    if (error instanceof UnsafePath)
      throw new UntrustedClone("the clone's .git or its objects are a link or a file", { cause: error })
    throw error
  }
  return join(clone, '.git', 'objects')
}

async function refuseLinks(folder: string, below: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const name = below === '' ? entry.name : `${below}/${entry.name}`
    if (/^info\/(http-)?alternates$/.test(name))
      throw new UntrustedClone('the clone borrows objects from elsewhere (.git/objects/info/alternates)')
    if (!isPlain(entry)) throw new UntrustedClone(`the clone's .git/objects/${name} is a link or a special file`)
    if (entry.isDirectory()) await refuseLinks(join(folder, entry.name), name)
  }
}

function isPlain(entry: Dirent): boolean {
  return entry.isDirectory() || entry.isFile()
}

/** A bare repository of ours that sees a clone's objects, if they pass {@link vetObjects}, and nothing else of it. */
export async function makeView(clone: string, gitDir: string, signal: AbortSignal): Promise<CloneHead> {
  const head = await readHead(clone)
  const objects = await vetObjects(clone)
  await initBare(gitDir, head.commit, signal)
  await writeFile(join(gitDir, 'objects', 'info', 'alternates'), `${objects}\n`)
  return head
}

/** An empty bare repository whose object format is that of `hash`. */
export async function initBare(gitDir: string, hash: string, signal: AbortSignal): Promise<void> {
  const format = hash.length === 64 ? 'sha256' : 'sha1'
  await git(['init', '--quiet', '--bare', '--template=', `--object-format=${format}`, '--', gitDir], { signal })
}
