import { trimEndOf } from '../core/trim.ts'
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
export function parsePointer(text: string): LfsPointer | undefined {
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
