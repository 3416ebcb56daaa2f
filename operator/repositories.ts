/**
 * Clears up among the repositories whose mirrors the clones of tasks borrow from (layout.ts). A mirror below the one in
 * use goes when no clone names it; a repository goes when neither a clone nor the mark of a sandbox names it, nobody has
 * used it for long, or all of them take more room than they may.
 *
 * What counts are the clones that lie on the volume, and not objects: a control plane that has lost its objects leaves
 * the clones, and so their mirrors. Whoever makes a clone holds the lock of its repository until the clone names the latest
 * mirror, and makes a later one under the same lock. So once a mirror is not the latest, every clone that will ever borrow
 * from it names it, and one reading of all clones serves all repositories. Which repositories are named at all can change
 * at any time: that is read again under the lock.
 */
import { rename, stat } from 'node:fs/promises'
import {
  clonePath,
  makingPath,
  mirrorsPath,
  OWNER_SUFFIX,
  REPOSITORIES_PATH,
  repositoryLockPath,
  repositoryPath,
  SANDBOXES_PATH,
} from '../core/execution/layout.ts'
import type { FolderOwner } from '../core/execution/owner.ts'
import { MIRROR_KEY_PATTERN } from '../core/execution/patterns.ts'
import type { Clock } from '../lib/clock.ts'
import { measureFolders } from '../lib/disk-usage.ts'
import { withFileLock } from '../lib/file-lock.ts'
import { ifThere, safeJoin } from '../lib/files.ts'
import { removeTree } from '../lib/remove-tree.ts'
import { readBorrowed } from './kept-clone.ts'
import { listFolders } from './sweep.ts'
import {
  discardFolder,
  namesOfOwned,
  readFolder,
  readRepositoryOwner,
  readSandboxOwner,
  removeDiscarded,
} from './volume.ts'

export interface RepositorySweep {
  /** Of the volume, absolute. */
  readonly root: string
  readonly clock: Clock
  /** What all repositories together may take; Infinity: as much as they need. */
  readonly maxBytes: number
  /** Whether a container that may still run has a folder of the volume, or a part of it. */
  readonly isMounted: (path: string) => boolean
  /** Aborts when another operator may lead. */
  readonly ended: AbortSignal
  /** Called once for each repository that cannot be cleared up, such as one with a lock that nobody can open. */
  readonly onFailure: (folder: string, error: unknown) => void
}

/** Nobody who clones is kept waiting, and whoever clones for long is left alone. */
const LOCK_MS = 2000
const KEEP_MS = 7 * 86_400_000

export interface RepositorySweepEnd {
  /** Folders, relative to the volume. */
  readonly removed: readonly string[]
  /** The repositories that are left, as they were measured. */
  readonly left: readonly StoredRepository[]
}

/** Clears up once. A repository that cannot be cleared up keeps no other from it. */
export async function sweepRepositories(sweep: RepositorySweep): Promise<RepositorySweepEnd> {
  const { root, ended, onFailure } = sweep
  await removeDiscarded(root, REPOSITORIES_PATH)
  const removed: string[] = []
  const failed = new Set<string>()
  const forEach = async (keys: readonly string[], work: (key: string) => Promise<unknown>): Promise<void> => {
    for (const key of keys.filter((one) => !failed.has(one))) {
      ended.throwIfAborted()
      try {
        await work(key)
      } catch (error) {
        ended.throwIfAborted()
        failed.add(key)
        onFailure(repositoryPath(key), error)
      }
    }
  }
  const keys = await listRepositories(root)
  const older = new Map<string, readonly number[]>()
  await forEach(keys, async (key) => older.set(key, await listOlderMirrors(root, key)))
  // After the mirrors: a clone that is made from now on borrows from the latest, which is none of those.
  const named = await readNamed(root)
  await forEach(keys, async (key) =>
    removed.push(...(await removeMirrors(sweep, key, findSpare(named, key, older.get(key))))),
  )
  const repositories = await measureRepositories(root)
  const isFree = (key: string): boolean => !named.keys.has(key) && !sweep.isMounted(repositoryPath(key))
  await forEach(findSurplus(repositories, isFree, sweep), async (key) => {
    if (await removeRepository(sweep, key)) removed.push(repositoryPath(key))
  })
  return { removed, left: repositories.filter(({ key }) => !removed.includes(repositoryPath(key))) }
}

/** A repository on the volume. */
export interface StoredRepository {
  readonly key: string
  readonly bytes: number
  /** When a clone was last made from it, or a delivery begun beside it. */
  readonly usedAt: Date
  /** Whose it is, and what it is of. */
  readonly owner?: FolderOwner | undefined
}

/** Those to remove, the ones that were used least lately first; never one that is not free. */
export function findSurplus(
  repositories: readonly StoredRepository[],
  isFree: (key: string) => boolean,
  { clock, maxBytes }: Pick<RepositorySweep, 'clock' | 'maxBytes'>,
): string[] {
  let bytes = repositories.reduce((sum, one) => sum + one.bytes, 0)
  const surplus: string[] = []
  for (const one of repositories.toSorted((a, b) => a.usedAt.getTime() - b.usedAt.getTime())) {
    const isOld = clock.now().getTime() - one.usedAt.getTime() > KEEP_MS
    if ((!isOld && bytes <= maxBytes) || !isFree(one.key)) continue
    bytes -= one.bytes
    surplus.push(one.key)
  }
  return surplus
}

const KEY = new RegExp(MIRROR_KEY_PATTERN)

/** The keys of all repositories on a volume. */
async function listRepositories(root: string): Promise<string[]> {
  return (await namesOfOwned(root, REPOSITORIES_PATH)).filter((name) => KEY.test(name))
}

export async function measureRepositories(root: string): Promise<StoredRepository[]> {
  const keys = await listRepositories(root)
  const sizes = await measureFolders(keys.map((key) => safeJoin(root, repositoryPath(key))))
  const found = await Promise.all(
    keys.map(async (key, n) => {
      const path = safeJoin(root, repositoryPath(key))
      const { mtime } = (await ifThere(stat(`${path}${OWNER_SUFFIX}`))) ?? (await ifThere(stat(path))) ?? {}
      const owner = await readRepositoryOwner(root, key)
      return mtime === undefined ? [] : [{ key, bytes: sizes[n] ?? 0, usedAt: mtime, owner }]
    }),
  )
  return found.flat()
}

/** What the sandboxes of a volume borrow from. */
interface Named {
  readonly keys: ReadonlySet<string>
  readonly mirrors: ReadonlySet<string>
  /** Of repositories all whose mirrors stay, for a clone does not tell which it is. */
  readonly unclear: ReadonlySet<string>
}

async function readNamed(root: string): Promise<Named> {
  const [keys, mirrors, unclear] = [new Set<string>(), new Set<string>(), new Set<string>()]
  for (const { parent, name } of await listFolders(root)) {
    if (parent !== SANDBOXES_PATH) continue
    const key = (await readSandboxOwner(root, name))?.mirror
    if (key !== undefined) keys.add(key)
    // The second one was put aside (runner/steps/prepare.ts).
    for (const clone of [clonePath(name), `${clonePath(name)}.damaged`]) {
      const borrowed = await readBorrowed(root, clone)
      if (borrowed === 'unknown' && key !== undefined) unclear.add(key)
      if (typeof borrowed !== 'object') continue
      keys.add(borrowed.key)
      mirrors.add(`${borrowed.key}/${borrowed.number}`)
    }
  }
  return { keys, mirrors, unclear }
}

/** The mirrors of a repository below the one in use. */
async function listOlderMirrors(root: string, key: string): Promise<number[]> {
  const names = await readFolder(root, mirrorsPath(key))
  const numbers = names.filter((name) => /^[1-9][0-9]*$/.test(name)).map(Number)
  return numbers.filter((n) => n < Math.max(...numbers))
}

/** Those among older mirrors that no clone names. */
function findSpare({ mirrors, unclear }: Named, key: string, older: readonly number[] = []): number[] {
  return unclear.has(key) ? [] : older.filter((n) => !mirrors.has(`${key}/${n}`))
}

async function removeMirrors(sweep: RepositorySweep, key: string, spare: readonly number[]): Promise<string[]> {
  const { root, ended } = sweep
  const parent = mirrorsPath(key)
  const removed: string[] = []
  // A prepare that was killed leaves what it was making, as large as the repository.
  const making = safeJoin(root, makingPath(key))
  if (spare.length > 0 || (await ifThere(stat(making))) !== undefined)
    await whileLocked(sweep, key, async () => {
      await removeTree(making)
      for (const n of spare) {
        ended.throwIfAborted()
        await rename(safeJoin(root, `${parent}/${n}`), safeJoin(root, `${parent}/.discarded-${n}`))
        removed.push(`${parent}/${n}`)
      }
    })
  await removeDiscarded(root, parent)
  return removed
}

async function removeRepository(sweep: RepositorySweep, key: string): Promise<boolean> {
  const { root, isMounted, ended } = sweep
  const path = repositoryPath(key)
  const isUnused = async (): Promise<boolean> => {
    const { keys } = await readNamed(root)
    ended.throwIfAborted()
    return !keys.has(key) && !isMounted(path)
  }
  const remove = (): Promise<boolean> => discardFolder(root, path, isUnused)
  const isThere = (await ifThere(stat(safeJoin(root, path)))) !== undefined
  return (await (isThere ? whileLocked(sweep, key, remove) : remove())) === true
}

/** @returns undefined while somebody else holds the lock */
async function whileLocked<T>(
  { root, clock, ended }: RepositorySweep,
  key: string,
  work: () => Promise<T>,
): Promise<T | undefined> {
  const busy = new AbortController()
  const stop = clock.schedule(LOCK_MS, () => busy.abort())
  try {
    return await withFileLock(safeJoin(root, repositoryLockPath(key)), AbortSignal.any([ended, busy.signal]), () => {
      stop()
      return work()
    })
  } catch (error) {
    if (busy.signal.aborted && error === busy.signal.reason) return undefined
    throw error
  } finally {
    stop()
  }
}
