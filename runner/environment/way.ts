/**
 * Folders on the way to a cache, in a sandbox that an agent or a repository has filled. No link on the way is followed; where one
 * may give way, it is moved beside clone and home.
 */
import { lstat, mkdir, rename } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { placeOfCache } from '../../core/environment/paths.ts'
import { ifThere, inFolderNoFollow, UnsafePath } from '../../lib/files.ts'
import { removeTree } from '../../lib/remove-tree.ts'
import { inUsableFolder } from '../../lib/usable-folder.ts'
import type { RunPaths } from '../context.ts'

/** Where a cache lies in a sandbox. */
export interface Way {
  /** The sandbox, absolute. */
  readonly sandbox: string
  /** The names that lead from there to the cache. */
  readonly segments: readonly string[]
  readonly isInHome: boolean
}

/** Finds the place of a cache that is allowed (core/environment/paths.ts). */
export function wayTo(paths: Pick<RunPaths, 'clone' | 'home'>, path: string): Way {
  const { root, segments } = placeOfCache(path)
  const start = paths[root]
  return { sandbox: dirname(start), segments: [basename(start), ...segments], isInHome: root === 'home' }
}

/**
 * Makes the first `count` folders of the way, which their owner may write afterwards.
 *
 * @param aside name that is free for what is moved out of the way; absent: nothing is
 * @returns how many names lead to what was moved; undefined where nothing was
 * @throws UnsafePath, the system's error
 */
export async function makeWay(
  { sandbox, segments, isInHome }: Way,
  count: number,
  aside?: string,
): Promise<number | undefined> {
  // An agent may have taken the permissions of its sandbox: a link that stayed would lead the mount elsewhere.
  await inUsableFolder(Buffer.from(sandbox), async () => undefined)
  let moved: number | undefined
  for (const [depth, name] of segments.slice(0, count).entries()) {
    // Nobody's clone is moved away as a whole.
    const place = aside === undefined || (depth === 0 && !isInHome) ? undefined : join(sandbox, aside)
    const hasMoved = await inFolderNoFollow(sandbox, segments.slice(0, depth), (parent) =>
      makeStep(join(parent, name), place),
    )
    if (hasMoved) moved = depth + 1
  }
  return moved
}

async function makeStep(path: string, aside: string | undefined): Promise<boolean> {
  const found = await ifThere(lstat(path))
  if (found?.isDirectory() === true) {
    await inUsableFolder(Buffer.from(path), async () => undefined)
    return false
  }
  if (found !== undefined) {
    if (aside === undefined) throw new UnsafePath('a link or a file stands in its way')
    await removeTree(aside)
    await rename(path, aside)
  }
  await mkdir(path)
  return found !== undefined
}

/** Makes the way, and an empty folder at its end in the place of whatever is there. @throws UnsafePath, the system's error */
export async function makeEmptyEnd(way: Way, aside?: string): Promise<void> {
  const { sandbox, segments } = way
  await makeWay(way, segments.length - 1, aside)
  await inFolderNoFollow(sandbox, segments.slice(0, -1), async (parent) => {
    const path = join(parent, segments.at(-1) ?? '')
    await removeTree(path)
    await mkdir(path)
  })
}
