/**
 * The output of executions by lines (specification §8.20): a window of them, and those that contain a text.
 *
 * Each file that was asked for has an index of its lines, kept for the files asked for last and extended as they grow. So
 * only the first question reads a log whole. Requests for one file share that work, and wait for one another: what one
 * had read when its client went away, the next one does not read again. A search reads the whole file, so few run at
 * once, each for a bounded time, and few wait.
 */
import type { FileHandle } from 'node:fs/promises'
import type { CheckRun } from '../../core/crd/types.ts'
import { checkOutputPath } from '../../core/execution/layout.ts'
import { ApiError, apiError } from '../../core/errors.ts'
import type { LogMatchesRecord, LogStream, LogWindowRecord } from '../../core/rest/records/log.ts'
import { createKeyedMutex, createSemaphore } from '../../lib/async.ts'
import type { Clock } from '../../lib/clock.ts'
import { executionFile, openStoredFile } from '../records/stored-files.ts'
import { type LineIndex, countLines, EMPTY_INDEX, extendIndex } from './line-index.ts'
import { readLines } from './read-lines.ts'
import { searchLines } from './search-lines.ts'

/** Indexes that are kept: of logs of 1 GiB they take 8 MiB. */
const MAX_INDEXES = 64
const MAX_SEARCHES = 2
const MAX_WAITING_SEARCHES = 8
const MAX_INDEXINGS = 2
const SEARCH_MS = 3_000
const RETRY_AFTER_SECONDS = 3

export interface LogRequest {
  readonly execution: string
  readonly stream: LogStream
  /** Its output in place of the stream. */
  readonly check?: Pick<CheckRun, 'round' | 'name'> | undefined
}

export interface WindowRequest extends LogRequest {
  /** Number of the first line; left out: the last lines. */
  readonly from?: number | undefined
  readonly count: number
}

export interface SearchRequest extends LogRequest {
  readonly wanted: string
  /** Number of the first line that is searched; left out: 1. */
  readonly from?: number | undefined
}

export interface Logs {
  /**
   * A log that is not there, or may not be served, has no lines.
   *
   * @throws the signal's reason
   */
  readWindow(request: WindowRequest, signal: AbortSignal): Promise<LogWindowRecord>
  /** @throws ApiError `unavailable` when too many wait already; the signal's reason */
  search(request: SearchRequest, signal: AbortSignal): Promise<LogMatchesRecord>
}

interface KnownFile {
  readonly inode: bigint
  readonly index: LineIndex
}

export function createLogs({ volumeRoot, clock }: { readonly volumeRoot: string; readonly clock: Clock }): Logs {
  const known = new Map<string, KnownFile>()
  const runExclusive = createKeyedMutex()
  const enterSearch = createSemaphore(MAX_SEARCHES, { maxWaiting: MAX_WAITING_SEARCHES, refuse: refuseSearch })
  const enterIndexing = createSemaphore(MAX_INDEXINGS)

  const extend = async (path: string, handle: FileHandle, signal: AbortSignal): Promise<LineIndex> => {
    const { ino: inode, size } = await handle.stat({ bigint: true })
    const before = known.get(path)
    const isSame = before?.inode === inode && before.index.sizeBytes <= size
    const index = await extendIndex(isSame ? before.index : EMPTY_INDEX, handle, Number(size), signal)
    // Put last: the first one is the one that was asked for longest ago.
    known.delete(path)
    known.set(path, { inode, index })
    for (const oldest of known.keys()) if (known.size > MAX_INDEXES) known.delete(oldest)
    signal.throwIfAborted()
    return index
  }
  const withLog = async <T>(
    { execution, stream, check }: LogRequest,
    signal: AbortSignal,
    use: (index: LineIndex, handle: FileHandle | undefined) => Promise<T>,
  ): Promise<T> => {
    const path = check === undefined ? executionFile(execution, stream) : checkOutputPath(execution, check)
    const handle = await openIfServed(volumeRoot, path, stream)
    if (handle === undefined) return use(EMPTY_INDEX, undefined)
    try {
      const index = await runExclusive(path, () => within(enterIndexing, signal, () => extend(path, handle, signal)))
      return await use(index, handle)
    } finally {
      await handle.close()
    }
  }
  return {
    readWindow: (request, signal) =>
      withLog(request, signal, async (index, handle) => {
        const { stream, count } = request
        const total = countLines(index)
        const from = request.from ?? Math.max(1, total - count + 1)
        const lines = handle === undefined ? [] : await readLines(index, handle, { from, count })
        return { stream, total_lines: total, size_bytes: index.sizeBytes, lines }
      }),
    search: ({ wanted, from = 1, ...request }, signal) =>
      within(enterSearch, signal, () =>
        withLog(request, signal, async (index, handle) => {
          const { stream } = request
          const total_lines = countLines(index)
          if (handle === undefined) return { stream, total_lines, count: 0, lines: [], is_complete: true }
          const deadline = clock.now().getTime() + SEARCH_MS
          const mayGoOn = (): boolean => !signal.aborted && clock.now().getTime() < deadline
          const matches = await searchLines(index, handle, wanted, { from, mayGoOn })
          signal.throwIfAborted()
          const { count, lines, isComplete, nextLine: next_line } = matches
          return { stream, total_lines, count, lines, is_complete: isComplete, ...(next_line && { next_line }) }
        }),
      ),
  }
}

async function openIfServed(root: string, path: string, shown: string): Promise<FileHandle | undefined> {
  try {
    return (await openStoredFile(root, path, shown)).handle
  } catch (error) {
    // Before its first output an execution has no log.
    if (error instanceof ApiError && error.code === 'not_found') return undefined
    throw error
  }
}

function refuseSearch(): ApiError {
  const message = `${MAX_WAITING_SEARCHES} searches of logs are waiting already; search again in ${RETRY_AFTER_SECONDS} s`
  return apiError('unavailable', message, RETRY_AFTER_SECONDS)
}

type Enter = ReturnType<typeof createSemaphore>

async function within<T>(enter: Enter, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  const leave = await enter(signal)
  try {
    return await work()
  } finally {
    leave()
  }
}
