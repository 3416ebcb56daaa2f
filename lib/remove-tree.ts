/**
 * Removing what others may have a hand in, also while they do.
 *
 * A removal by path can be led astray: between the look at an entry and the listing of it, whoever can write the folder
 * above may put a link in its place, and what lies behind the link is removed instead. Here each folder is opened
 * without following links and worked on through its descriptor (see files.ts; elsewhere than on Linux by path). So does rm(1)
 * of GNU, and not every other.
 */
import { execFile } from 'node:child_process'
import type { Dirent } from 'node:fs'
import { lstat, opendir, rename, rmdir, unlink } from 'node:fs/promises'
import { basename, dirname, sep } from 'node:path'
import { promisify } from 'node:util'
import { withoutAbsent } from '../core/omit.ts'
import { forEachAtOnce } from './async.ts'
import { hasErrorCode, ifThere, inFolderNoFollow } from './files.ts'
import { inUsableFolder, permitOwner } from './usable-folder.ts'

/**
 * Removes a folder with all that is in it, or a file, if it exists; links in it are removed, never followed, even when
 * they are put there meanwhile. Neither folders without permissions (a module cache) nor paths longer than the system
 * allows keep it: an agent that wants its files to stay may make both.
 *
 * @param signal aborts when somebody else may use the path by now: a disk that did not answer may have taken long
 * @throws the system's error, such as ENOTEMPTY when somebody goes on writing: to be tried again; the signal's reason
 */
export async function removeTree(path: string, signal?: AbortSignal): Promise<void> {
  const name = Buffer.from(basename(path))
  try {
    // Mostly nothing is there, which is one call to find out.
    await lstat(path)
    await inFolderNoFollow(dirname(path), [], (parent) => removeEntry(entryOf(parent, name), signal))
  } catch (error) {
    if (!hasErrorCode(error, 'ENOENT')) throw error
  }
}

async function removeEntry(path: Buffer, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted()
  if (!(await removeFile(path))) return
  signal?.throwIfAborted()
  await inUsableFolder(path, (folder) => removeLevelByLevel(folder, signal))
  signal?.throwIfAborted()
  await rmdir(path)
}

/** Moves the folders of each folder up to the top before it is removed, so that every path stays short. */
async function removeLevelByLevel(top: string, signal: AbortSignal | undefined): Promise<void> {
  let moved = 0
  for (let names = await removeFiles(top, signal); names.length > 0; names = await removeFiles(top, signal)) {
    if (names.length >= MANY_FOLDERS && (await hasSafeProgram())) await removeByProgram(top, names, signal)
    for (const name of names) {
      const folder = entryOf(top, name)
      const emptied = inUsableFolder(folder, async (pinned) => {
        for (;;) {
          const inner = await removeFiles(pinned, signal)
          if (inner.length === 0) break
          for (const one of inner) {
            do moved += 1
            while (!(await moveIfFree(entryOf(pinned, one), entryOf(top, Buffer.from(`moved-${moved}`)))))
          }
        }
        return true
      })
      if ((await ifThere(emptied)) === true) await rmdir(folder)
    }
  }
}

/** So many folders hold enough files that a process for them pays. */
const MANY_FOLDERS = 32

const PROGRAM = '/bin/rm'

let isSafe: Promise<boolean> | undefined

/** Whether it is GNU's, or we go by path as well; asked once. No, too, where it cannot be asked. */
function hasSafeProgram(): Promise<boolean> {
  isSafe ??= promisify(execFile)(PROGRAM, ['--version'], { env: {} }).then(
    ({ stdout }) => stdout.includes('GNU coreutils'),
    () => process.platform !== 'linux',
  )
  return isSafe
}

/**
 * Removes folders by rm(1), in a fifth of the time: each call of ours is handed to a thread and back. What it leaves, such
 * as a folder without permissions or with a name that is no UTF-8, is for us.
 */
async function removeByProgram(
  folder: string,
  names: readonly Buffer[],
  signal: AbortSignal | undefined,
): Promise<void> {
  const args = ['-rf', '--', ...names.map(String)]
  const options = { cwd: folder, env: {}, ...withoutAbsent({ signal }) }
  try {
    await promisify(execFile)(PROGRAM, args, options)
  } catch {
    // It has left something, could not be started, or was ended by the signal: what comes next finds that out.
    signal?.throwIfAborted()
  }
}

/** Whoever fills a folder with millions of names must not fill our memory with them, nor keep us from all else. */
const ENTRIES_AT_A_TIME = 64
const FOLDERS_AT_A_TIME = 1000
/**
 * Entries that are removed at once: as many as Node has threads for files by default. On a disk that does not answer
 * each of them holds one.
 */
export const REMOVALS_AT_ONCE = 4

/** Removes all but the folders in it. @returns the names of those; of very many the first ones, and files may be left then */
async function removeFiles(folder: string, signal: AbortSignal | undefined): Promise<Buffer[]> {
  const folders: Buffer[] = []
  let batch: Dirent[] = []
  const removeBatch = async (): Promise<void> => {
    signal?.throwIfAborted()
    const entries = batch
    batch = []
    await forEachAtOnce(entries, REMOVALS_AT_ONCE, async (entry) => {
      folders.push(...(await removeUnlessFolder(folder, entry)))
    })
  }
  // A name in latin1 keeps its bytes.
  for await (const entry of await opendir(folder, { encoding: 'latin1', bufferSize: ENTRIES_AT_A_TIME })) {
    batch.push(entry)
    if (batch.length === ENTRIES_AT_A_TIME) await removeBatch()
    if (folders.length >= FOLDERS_AT_A_TIME) break
  }
  await removeBatch()
  return folders
}

async function removeUnlessFolder(parent: string, entry: Dirent): Promise<Buffer[]> {
  const name = Buffer.from(entry.name, 'latin1')
  const isFolder = entry.isDirectory() || (await removeFile(entryOf(parent, name)))
  return isFolder ? [name] : []
}

/** Removes anything but a folder. @returns whether it is one */
async function removeFile(path: Buffer): Promise<boolean> {
  try {
    await unlink(path)
    return false
  } catch (error) {
    // Linux says EISDIR, POSIX EPERM, which a folder that may not be written says too; opening it tells.
    if (hasErrorCode(error, 'EISDIR', 'EPERM')) return true
    if (hasErrorCode(error, 'ENOENT')) return false
    throw error
  }
}

/** Moves a folder, unless something has the new name. @returns whether it moved */
async function moveIfFree(from: Buffer, to: Buffer): Promise<boolean> {
  try {
    await move(from, to)
    return true
  } catch (error) {
    if (hasErrorCode(error, 'ENOTEMPTY', 'EEXIST', 'ENOTDIR')) return false
    throw error
  }
}

/** A folder that may not be written cannot be moved either: its `..` changes. */
async function move(from: Buffer, to: Buffer): Promise<void> {
  try {
    await rename(from, to)
  } catch (error) {
    if (!hasErrorCode(error, 'EACCES', 'EPERM')) throw error
    await permitOwner(from)
    await rename(from, to)
  }
}

/** As bytes: a name need not be UTF-8. */
function entryOf(folder: string, name: Buffer): Buffer {
  return Buffer.concat([Buffer.from(folder + sep), name])
}
