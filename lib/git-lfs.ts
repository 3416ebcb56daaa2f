import { createHash } from 'node:crypto'
import { trimEndOf } from '../core/trim.ts'
import { ifPlain, ifThere, openRegularNoFollow } from './files.ts'
import { type GitOptions, git } from './git.ts'

/** What stands in git for a file whose content is in Git LFS (git-lfs, docs/spec.md). */
export interface LfsPointer {
  /** SHA-256 of the content, in hex. */
  readonly oid: string
  readonly size: number
}

/** A pointer is shorter (git-lfs, docs/spec.md). */
export const MAX_POINTER_BYTES = 1024

const POINTER =
  /^version https:\/\/(?:git-lfs\.github\.com|hawser\.github\.com)\/spec\/v1\noid sha256:([0-9a-f]{64})\nsize (\d{1,15})\n?$/

/** Reads a pointer; undefined for any other text, and for one with extensions, which only their own programs can undo. */
function parsePointer(text: string): LfsPointer | undefined {
  const [, oid, size] = POINTER.exec(text) ?? []
  return oid === undefined ? undefined : { oid, size: Number(size) }
}

/**
 * The LFS server of a repository; undefined where it is not reached by http. Source: git-lfs, docs/api/server-discovery.md.
 */
export function lfsUrl(url: string): string | undefined {
  if (!/^https?:/.test(url)) return undefined
  return `${trimEndOf(url, '/').replace(/\.git$/, '')}.git/info/lfs`
}

/** Where git-lfs keeps the content, below the folder of a repository. */
export function objectPath({ oid }: Pick<LfsPointer, 'oid'>): string {
  return `lfs/objects/${oid.slice(0, 2)}/${oid.slice(2, 4)}/${oid}`
}

/** Which of the objects are pointers, by their names in git. */
export async function readPointers(
  options: GitOptions,
  objects: readonly string[],
): Promise<ReadonlyMap<string, LfsPointer>> {
  const found = new Map<string, LfsPointer>()
  if (objects.length === 0) return found
  const names = (list: readonly string[]): string => list.map((name) => `${name}\n`).join('')
  const check = await git(['cat-file', '--batch-check'], { ...options, input: names(objects) })
  const small = [...check.stdout.toString('latin1').matchAll(/^([0-9a-f]+) blob (\d+)$/gm)].flatMap(
    ([, name = '', size]) => (Number(size) < MAX_POINTER_BYTES ? [name] : []),
  )
  for (let at = 0; at < small.length; at += AT_A_TIME) {
    const input = names(small.slice(at, at + AT_A_TIME))
    const { stdout } = await git(['cat-file', '--batch'], { ...options, input })
    for (const [name, text] of splitBatch(stdout)) {
      const pointer = parsePointer(text)
      if (pointer !== undefined) found.set(name, pointer)
    }
  }
  return found
}

/** Small objects whose contents are held in memory together. */
const AT_A_TIME = 10_000

/** Reads `<name> blob <size>`, line feed, content, line feed; again and again (git-cat-file(1)). */
function splitBatch(stdout: Buffer): (readonly [name: string, text: string])[] {
  const found: (readonly [string, string])[] = []
  for (let at = 0; at < stdout.length;) {
    const end = stdout.indexOf('\n', at)
    const [name = '', , size = '0'] = stdout.toString('latin1', at, end).split(' ')
    const start = end + 1
    at = start + Number(size) + 1
    found.push([name, stdout.toString('latin1', start, at - 1)])
  }
  return found
}

/** A file that is not as in the index. */
export interface ModifiedFile {
  /** Its bytes, as latin1. */
  readonly name: string
  /** Whether it is the content that its pointer in the index stands for. */
  readonly isContent: boolean
}

/**
 * Files of a working tree that are not as in the index, or of which git does not know that.
 *
 * @param folder the top of the working tree
 */
export async function listModified(folder: string, options: GitOptions): Promise<ModifiedFile[]> {
  const args = ['diff-files', '-z', '--raw', '--no-abbrev', '--ignore-submodules=all']
  const parts = (await git(args, options)).stdout.toString('latin1').split('\0')
  const entries = parts.flatMap((name, i) => (i % 2 === 0 ? [] : [{ name, object: parts[i - 1]?.split(' ')[2] ?? '' }]))
  const pointers = await readPointers(options, [...new Set(entries.map(({ object }) => object))])
  const modified: ModifiedFile[] = []
  for (const { name, object } of entries) {
    const pointer = pointers.get(object)
    const isContent = pointer !== undefined && (await hasContent(folder, name, pointer, options.signal))
    modified.push({ name, isContent })
  }
  return modified
}

/** @param signal of who waits: an agent can have made the file as large as it likes */
async function hasContent(
  folder: string,
  name: string,
  { oid, size }: LfsPointer,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  // One that is no UTF-8 is not found, and counts as changed.
  const path = Buffer.from(name, 'latin1').toString('utf8')
  const file = await ifPlain(ifThere(openRegularNoFollow(folder, path), 'ENOENT', 'ENOTDIR'))
  if (file === undefined) return false
  try {
    if ((await file.stat()).size !== size) return false
    const hash = createHash('sha256')
    for await (const chunk of file.createReadStream({ start: 0, end: Math.max(0, size - 1), autoClose: false, signal }))
      hash.update(chunk)
    return hash.digest('hex') === oid
  } finally {
    await file.close()
  }
}
