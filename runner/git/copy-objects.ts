import { open, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { git } from '../../lib/git.ts'
import { filterKnown } from './scratch-repository.ts'

/** Which objects to copy, and where to. */
export interface ObjectCopy {
  /** GIT_DIR of the repository that has the objects, and of the one that gets them. */
  readonly from: string
  readonly to: string
  /** Name of the new pack; unique in the receiving repository. */
  readonly name: string
  /** Options of git-pack-objects(1) besides the output, such as `--revs`. */
  readonly select?: readonly string[]
  /** What git-pack-objects reads: object names, or revisions with `--revs`. */
  readonly list: string | Uint8Array
}

/**
 * Copies objects as one pack and indexes that anew: git computes the name of each object from its content, so a forged
 * pack index has no effect. Fails when an object is missing or does not match its name.
 *
 * @throws GitFailed
 */
export async function copyObjects({ from, to, name, select = [], list }: ObjectCopy, signal: AbortSignal) {
  const path = join(to, 'objects', `${name}.pack`)
  const pack = await open(path, 'wx+')
  try {
    // Whoever sends the copy on looks for deltas then, and most copies are read once.
    const args = ['pack-objects', '--quiet', '--stdout', '--delta-base-offset', '--window=0', ...select]
    await git(args, { gitDir: from, input: list, output: pack, signal })
  } finally {
    await pack.close()
  }
  const indexed = join(to, 'objects', 'pack', `pack-${name}`)
  await git(['index-pack', '-o', `${indexed}.idx`, path], { gitDir: to, signal })
  await rename(path, `${indexed}.pack`)
}

/** Which commits to copy, with what they need. */
export interface CommitCopy extends Omit<ObjectCopy, 'list'> {
  readonly commits: readonly string[]
  /** Commits that the receiving repository may have, or borrow, already: what it has of them is not copied again. */
  readonly known: readonly string[]
}

/** The same for all that commits need and the receiving repository lacks. @throws GitFailed */
export async function copyCommits(
  { commits, known, select = [], ...copy }: CommitCopy,
  signal: AbortSignal,
): Promise<void> {
  const there = await filterKnown({ gitDir: copy.to, signal }, known)
  const common = await filterKnown({ gitDir: copy.from, signal }, there)
  const list = toLines([...commits, ...common.map((commit) => `^${commit}`)])
  await copyObjects({ ...copy, select: ['--revs', ...select], list }, signal)
}

/** As git reads lists. */
export function toLines(names: readonly string[]): string {
  return names.map((name) => `${name}\n`).join('')
}
