/**
 * What a setup installs may name the place that it ran in: the scripts of a virtual environment, a link into the home. The copy of
 * a task names the task's own clone and home in their place.
 */
import { type Stats, constants } from 'node:fs'
import { lstat, lutimes, open, readlink, rename, rm, symlink } from 'node:fs/promises'
import { inFolderNoFollow } from '../../lib/files.ts'

/** A folder that a file may name, before and now. */
export interface Move {
  readonly from: string
  readonly to: string
}

/** Of a larger file nothing is changed; a seal names none (seal.ts). */
export const MAX_RELOCATED_BYTES = 32 * 1024 * 1024

/** Replaces each folder where it stands as a whole: followed by something that is no part of its last name. */
export function relocateText(text: Buffer, moves: readonly Move[]): Buffer {
  // As latin1 each byte is a character, whatever the encoding.
  const names = moves.map(({ from, to }) => ({ from: toBytes(from), to: toBytes(to) }))
  const pattern = new RegExp(`(?:${names.map(({ from }) => escape(from)).join('|')})(?![A-Za-z0-9_.-])`, 'g')
  const moved = text
    .toString('latin1')
    .replace(pattern, (found) => names.find(({ from }) => from === found)?.to ?? found)
  return Buffer.from(moved, 'latin1')
}

function toBytes(text: string): string {
  return Buffer.from(text).toString('latin1')
}

function escape(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)
}

/**
 * Makes a file of a copy, or a link, name the new places. Mode and time stay. What is no file or link by now, or too large, stays
 * as it is.
 *
 * @param path below `root`, by the names that lead to it: none of them may be a link but the last
 * @throws UnsafePath, the system's error
 */
export async function relocateFile(root: string, path: readonly string[], moves: readonly Move[]): Promise<void> {
  const name = path.at(-1) ?? ''
  await inFolderNoFollow(root, path.slice(0, -1), async (folder) => {
    const place = `${folder}/${name}`
    const stat = await lstat(place)
    if (stat.isSymbolicLink()) await relocateLink(place, stat, moves)
    else if (stat.isFile() && stat.size <= MAX_RELOCATED_BYTES) await rewrite(place, moves)
  })
}

async function relocateLink(place: string, { atime, mtime }: Stats, moves: readonly Move[]): Promise<void> {
  const target = await readlink(place, 'buffer')
  const moved = relocateText(target, moves)
  if (moved.equals(target)) return
  await rm(place)
  await symlink(moved, place)
  await lutimes(place, atime, mtime)
}

async function rewrite(place: string, moves: readonly Move[]): Promise<void> {
  const file = await open(place, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const { mode, atime, mtime } = await file.stat()
    const text = await file.readFile()
    const moved = relocateText(text, moves)
    if (moved.equals(text)) return
    const temporary = `${place}.slipway-moved`
    // Somebody may have been killed here.
    await rm(temporary, { force: true, recursive: true })
    const copy = await open(temporary, 'wx', 0o600)
    try {
      await copy.writeFile(moved)
      await copy.chmod(mode & 0o7777)
      await copy.utimes(atime, mtime)
    } finally {
      await copy.close()
    }
    await rename(temporary, place)
  } finally {
    await file.close()
  }
}
