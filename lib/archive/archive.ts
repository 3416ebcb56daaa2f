/**
 * The archive on the data volume: a file for each archived task, in the folder of its namespace and of the month in which
 * it was archived. The folders are the index: a look-up by name opens a file per month, statistics read the last two
 * months, and nothing has to agree with anything else after a crash.
 *
 * Files are written whole or not at all, and are synced before the caller may delete what they hold.
 */
import { lstat, mkdir, rm, rmdir, unlink, utimes } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import {
  hasErrorCode,
  ifThere,
  readNames,
  readRegularNoFollow,
  safeJoin,
  syncFolder,
  UnsafePath,
  writeFileAtomic,
} from '../files.ts'
import { ARCHIVE_PATH } from '../../core/execution/layout.ts'
import { parseTimestamp } from '../../core/time.ts'
import { type ArchivedTask, DamagedRecord, formatRecord, parseRecord } from './record.ts'

const SUFFIX = '.jsonl.gz'
/** Compressed. */
const MAX_FILE_BYTES = 64 * 1024 * 1024
/** A task's name (RFC 1123 label); anything else could be a path. */
const NAME = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/
const MONTH = /^\d{4}-(0[1-9]|1[0-2])$/

export interface Archive {
  /**
   * Durable when it resolves. A record of the same versions stays; one of an earlier version of the task goes, and so does
   * one that is damaged. The file's time is that at which the last execution ended.
   */
  add(record: ArchivedTask): Promise<void>
  /** The record of the newest task of that name. @throws DamagedRecord that names the file */
  find(namespace: string, task: string): Promise<ArchivedTask | undefined>
  /** Names that were archived in a month (`2026-11`), in no order. */
  names(namespace: string, month: string): Promise<string[]>
  /** Months of which there is a folder, the newest first. */
  months(namespace: string): Promise<string[]>
  /** When the last execution of a task ended, as its file says; undefined when it is not there. */
  endedAt(namespace: string, month: string, task: string): Promise<Date | undefined>
  /**
   * Removes all records of a name; durable when it resolves.
   *
   * @param lost aborts when another operator leads, which may have archived the task anew
   */
  remove(namespace: string, task: string, lost?: AbortSignal): Promise<void>
  /** Removes one record, and the folder of its month with the last one; durable when it resolves. */
  removeFrom(namespace: string, month: string, task: string): Promise<void>
  /** Removes what a writer that was killed had begun; for the only writer, before it writes. */
  removeUnfinished(namespace: string): Promise<void>
}

/** @param root the data volume, absolute */
export function openArchive(root: string): Archive {
  const months = async (namespace: string): Promise<string[]> =>
    (await namesIn(safeJoin(root, `${ARCHIVE_PATH}/${namespace}`)))
      .filter((name) => MONTH.test(name))
      .toSorted()
      .toReversed()
  const read = async (path: string): Promise<ArchivedTask | undefined> => {
    try {
      return await parseRecord(await readRegularNoFollow(root, path, MAX_FILE_BYTES))
    } catch (error) {
      if (hasErrorCode(error, 'ENOENT')) return undefined
      if (error instanceof DamagedRecord || error instanceof UnsafePath)
        throw new DamagedRecord(`the archived record ${path} cannot be used: ${error.message}`, { cause: error })
      throw error
    }
  }
  const find = async (namespace: string, task: string): Promise<ArchivedTask | undefined> => {
    if (!NAME.test(task)) return undefined
    for (const month of await months(namespace)) {
      const path = pathOf(namespace, month, task)
      // Most months do not have it, and to open a file link by link costs some look-ups.
      if ((await readTime(safeJoin(root, path))) === undefined) continue
      const found = await read(path)
      if (found !== undefined) return found
    }
    return undefined
  }
  const findUndamaged = async (namespace: string, task: string): Promise<ArchivedTask | undefined> => {
    try {
      return await find(namespace, task)
    } catch (error) {
      if (error instanceof DamagedRecord) return undefined
      throw error
    }
  }
  const remove = async (
    namespace: string,
    task: string,
    { but, lost }: { readonly but?: string; readonly lost?: AbortSignal | undefined } = {},
  ): Promise<void> => {
    for (const month of await months(namespace)) {
      if (month === but) continue
      lost?.throwIfAborted()
      await removeIfThere(safeJoin(root, pathOf(namespace, month, task)))
    }
  }
  return {
    months,
    find,
    async add(record) {
      const { namespace = '', name, uid } = record.task.metadata
      const there = await findUndamaged(namespace, name)
      if (there !== undefined && versionsOf(there) === versionsOf(record)) return
      const month = record.archivedAt.slice(0, 7)
      const path = safeJoin(root, pathOf(namespace, month, name))
      await makeFolders(root, dirname(path))
      await writeFileAtomic(path, await formatRecord(record), 0o640)
      const endedAt = findEnd(record)
      await utimes(path, endedAt, endedAt)
      if (there === undefined || there.task.metadata.uid === uid) await remove(namespace, name, { but: month })
    },
    async names(namespace, month) {
      const files = await namesIn(safeJoin(root, `${ARCHIVE_PATH}/${namespace}/${month}`))
      return files
        .filter((file) => file.endsWith(SUFFIX))
        .map((file) => basename(file, SUFFIX))
        .filter((name) => NAME.test(name))
    },
    endedAt: (namespace, month, task) => readTime(safeJoin(root, pathOf(namespace, month, task))),
    remove: (namespace, task, lost) => remove(namespace, task, { lost }),
    async removeFrom(namespace, month, task) {
      const path = safeJoin(root, pathOf(namespace, month, task))
      await removeIfThere(path)
      await removeIfEmpty(dirname(path))
    },
    async removeUnfinished(namespace) {
      for (const month of await months(namespace))
        await removeHidden(safeJoin(root, `${ARCHIVE_PATH}/${namespace}/${month}`))
    },
  }
}

/** What tells one version of a task and its executions from another. */
function versionsOf({ task, executions }: ArchivedTask): string {
  return [task, ...executions].map(({ metadata: { uid, resourceVersion } }) => `${uid}/${resourceVersion}`).join()
}

function findEnd({ archivedAt, executions }: ArchivedTask): Date {
  const ends = executions.flatMap(({ status, metadata }) => status?.finishedAt ?? metadata.creationTimestamp ?? [])
  return parseTimestamp(ends.toSorted().at(-1) ?? archivedAt)
}

function pathOf(namespace: string, month: string, task: string): string {
  return `${ARCHIVE_PATH}/${namespace}/${month}/${task}${SUFFIX}`
}

async function removeIfThere(path: string): Promise<void> {
  try {
    await unlink(path)
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return
    throw error
  }
  await syncFolder(dirname(path))
}

async function removeIfEmpty(folder: string): Promise<void> {
  try {
    await rmdir(folder)
  } catch (error) {
    if (!hasErrorCode(error, 'ENOENT', 'ENOTEMPTY', 'EEXIST')) throw error
  }
}

/** Undefined: there is no such file. */
async function readTime(path: string): Promise<Date | undefined> {
  return (await ifThere(lstat(path)))?.mtime
}

/** Writing a file whole begins with a hidden one. */
async function removeHidden(folder: string): Promise<void> {
  for (const name of await namesIn(folder)) if (name.startsWith('.')) await rm(join(folder, name), { force: true })
}

/** Each new folder is durable before something is in it. */
async function makeFolders(root: string, folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode: 0o750 })
  if (first === undefined) return
  for (
    let parent = dirname(folder);
    parent.length >= dirname(first).length && parent.length >= root.length;
    parent = dirname(parent)
  )
    await syncFolder(parent)
}

async function namesIn(folder: string): Promise<string[]> {
  return (await ifThere(readNames(folder, Infinity))) ?? []
}
