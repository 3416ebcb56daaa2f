/** Which mirrors on disk nobody needs any more. */
import type { Dirent } from 'node:fs'
import { lstat, readdir, rename, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { ifThere } from '../../lib/files.ts'
import { removeTree } from '../../lib/remove-tree.ts'

/** A mirror as it lies on disk. */
export interface StoredMirror {
  readonly name: string
  /** When a sweep last found that somebody refers to its repository, or git last worked in it. */
  readonly usedAt: Date
}

export interface SeenMirrors {
  readonly stored: readonly StoredMirror[]
  /** Names of the mirrors of repositories that a project or task refers to. */
  readonly referred: ReadonlySet<string>
  readonly now: Date
}

/** Deleted and made again within a week, a project finds its mirror as it was. */
export const UNUSED_MS = 7 * 24 * 3_600_000

/** Which mirrors to mark as used and which to remove. Every server on a volume decides the same. */
export function judgeMirrors({ stored, referred, now }: SeenMirrors): {
  readonly used: string[]
  readonly unused: string[]
} {
  const isOld = ({ usedAt }: StoredMirror): boolean => now.getTime() - usedAt.getTime() > UNUSED_MS
  return {
    used: stored.filter(({ name }) => referred.has(name)).map(({ name }) => name),
    unused: stored.filter((mirror) => !referred.has(mirror.name) && isOld(mirror)).map(({ name }) => name),
  }
}

const MIRROR = /^[0-9a-f]{32}\.git$/
const LEAVING = 'leaving-'
/** A mirror that is being made has a name that begins so. */
export const MAKING = 'making-'

/** The mirrors in a folder; none where there is no folder yet. */
export async function listMirrors(folder: string): Promise<StoredMirror[]> {
  const found = (await listFolders(folder)).filter(({ name }) => MIRROR.test(name))
  const described = await Promise.all(found.map(({ name }) => findUse(folder, name)))
  return described.filter((mirror) => mirror !== undefined)
}

/** Notes that somebody refers to a mirror's repository. */
export async function markUsed(folder: string, name: string, now: Date): Promise<void> {
  await ifThere(utimes(join(folder, name), now, now))
}

/** Takes a mirror away in one step: what is left after a crash is no half of a mirror. */
export async function putAside(folder: string, name: string): Promise<void> {
  await ifThere(rename(join(folder, name), join(folder, `${LEAVING}${name}`)))
}

/** Removes what was moved away, also by a sweep that was killed before, and what nobody finished making. */
export async function removeAside(folder: string, now: Date): Promise<void> {
  for (const { name } of await listFolders(folder)) {
    if (name.startsWith(LEAVING) || (name.startsWith(MAKING) && (await isLeft(join(folder, name), now))))
      await removeTree(join(folder, name))
  }
}

/** To make one takes a moment. */
const LEFT_MS = 3_600_000

async function isLeft(path: string, now: Date): Promise<boolean> {
  const found = await ifThere(lstat(path))
  return found !== undefined && now.getTime() - found.mtime.getTime() > LEFT_MS
}

async function listFolders(folder: string): Promise<Dirent[]> {
  const entries = await ifThere(readdir(folder, { withFileTypes: true }))
  return (entries ?? []).filter((entry) => entry.isDirectory())
}

/** Undefined for what is not there: another server may sweep the same folder. */
async function findUse(folder: string, name: string) {
  const found = await ifThere(lstat(join(folder, name)))
  return found && { name, usedAt: found.mtime }
}
