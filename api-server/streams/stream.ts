/** One execution as server-sent events: what all streams are made of. */
import { watch } from 'node:fs'
import { join } from 'node:path'
import { agentOutputPath } from '../../core/execution/layout.ts'
import { type StreamEnd, formatEvent, HEARTBEAT } from '../../core/rest/messages.ts'
import { EXECUTION_STATE_IS_FINAL } from '../../core/enum-values.ts'
import type { AutoResetEvent } from '../../lib/async.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Caches } from '../cache/caches.ts'
import { executionFile } from '../records/stored-files.ts'
import { type FollowedFile, followFile } from './follow-file.ts'
import type { Followed } from './followed.ts'

const HEARTBEAT_MS = 15_000
const POLL_MS = 1000

/** What a stream needs while it is open. */
export interface Stream {
  readonly caches: Caches
  readonly volumeRoot: string
  readonly clock: Clock
  readonly changed: AutoResetEvent
  readonly followed: Followed
  /** False once the server stops. */
  readonly isGoing: () => boolean
}

/**
 * The stream of an execution by its name, up to its own end.
 *
 * @param endedIn the state to end with, of what has left the control plane
 */
export async function* streamNamed(
  stream: Stream,
  execution: string,
  lastEventId: string | undefined,
  endedIn?: StreamEnd['state'],
): AsyncGenerator<string> {
  // At once, so that the client sees that the stream is open.
  yield HEARTBEAT
  const from = parsePosition(lastEventId, stream.followed.files.length)
  yield* streamExecution(stream, execution, from?.execution === execution ? from.offsets : [])
  if (stream.isGoing()) yield formatEvent('end', { state: endedIn ?? endOf(stream, execution) })
}

/** The state that an execution ended in; one that was deleted meanwhile was cancelled. */
export function endOf({ caches }: Stream, execution: string): StreamEnd['state'] {
  const found = caches.executions.find(execution)
  return found === undefined ? 'CANCELLED' : (found.status?.state ?? 'PENDING')
}

/** The lines of an execution behind `offsets` (none: from the beginning), until it has ended and all of them are sent. */
export async function* streamExecution(
  stream: Stream,
  execution: string,
  offsets: readonly number[],
): AsyncGenerator<string> {
  const { volumeRoot, changed, followed } = stream
  const sources = followed.files.map((name, i) => {
    const offset = offsets[i] ?? 0
    const file = followFile(volumeRoot, executionFile(execution, name), offset, followed.maxLineBytes)
    return { name, file, offset }
  })
  let unwatch: (() => void) | undefined
  try {
    let lastSentAt = stream.clock.now().getTime()
    while (stream.isGoing()) {
      // Asked before reading: what was written before the end is then read before we stop.
      const isFinal = hasEnded(stream, execution)
      unwatch ??= watchFolder(join(volumeRoot, agentOutputPath(execution)), () => changed.set())
      const hasMore = yield* drain(followed, execution, sources, isFinal)
      if (hasMore) lastSentAt = stream.clock.now().getTime()
      else if (isFinal) return
      else lastSentAt = yield* rest(stream, lastSentAt)
    }
  } finally {
    unwatch?.()
    await Promise.all(sources.map(({ file }) => file.close()))
  }
}

interface Source {
  readonly name: Followed['files'][number]
  readonly file: FollowedFile
  /** Behind the last line that was looked at. */
  offset: number
}

/** One chunk of each file; returns whether there may be more at once. */
async function* drain(
  { print }: Followed,
  execution: string,
  sources: readonly Source[],
  isFinal: boolean,
): AsyncGenerator<string, boolean> {
  let hasMore = false
  for (const source of sources) {
    const { lines, isAtEnd } = await source.file.next(isFinal)
    hasMore ||= !isAtEnd
    const events = lines.map(({ line, offset }) => {
      source.offset = offset
      const offsets = sources.map((each) => each.offset)
      return print(source.name, line, formatPosition({ execution, offsets })) ?? ''
    })
    // As one text: each one that is sent costs a pass through every layer below.
    if (events.some((event) => event !== '')) yield events.join('')
  }
  return hasMore
}

/** Waits for something new; sends a heartbeat when nothing was sent for long. Returns when something was last sent. */
async function* rest({ clock, changed }: Stream, lastSentAt: number): AsyncGenerator<string, number> {
  await changed.wait(POLL_MS)
  const now = clock.now().getTime()
  if (now - lastSentAt < HEARTBEAT_MS) return lastSentAt
  yield HEARTBEAT
  return now
}

/** Waits, with heartbeats, as long as the condition holds. */
export async function* waitWhile(stream: Stream, condition: () => boolean): AsyncGenerator<string> {
  for (let lastSentAt = stream.clock.now().getTime(); stream.isGoing() && condition();) {
    lastSentAt = yield* rest(stream, lastSentAt)
  }
}

/** Ended, deleted, or left behind by a task that has moved on. */
function hasEnded({ caches }: Stream, name: string): boolean {
  const execution = caches.executions.find(name)
  if (execution !== undefined) return EXECUTION_STATE_IS_FINAL[execution.status?.state ?? 'PENDING']
  return !isExpected(caches, name)
}

/** The task names its execution in the same step that makes it: for a moment it may be known by name only. */
function isExpected(caches: Caches, execution: string): boolean {
  const task = caches.tasks.find(execution.replace(/-\d+$/, ''))
  return task?.status?.execution === execution && task.status.state === 'RUNNING'
}

/**
 * Calls back when something changes in a folder, as far as the system tells: a hint that shortens the wait, never the
 * only way to notice (network file systems tell nothing, and the number of watches is limited).
 *
 * @returns what ends the watch; undefined where none could be made (yet)
 */
function watchFolder(path: string, onChange: () => void): (() => void) | undefined {
  try {
    const watcher = watch(path, { persistent: false }, onChange)
    const close = (): void => watcher.close()
    watcher.on('error', close)
    return close
  } catch (error) {
    // ENOENT before the first output, ENOSPC and EMFILE when watches run out: polling goes on.
    if (error instanceof Error && 'code' in error) return undefined
    throw error
  }
}

/** How far a client has seen the files of one execution: an offset for each, in the order of the stream's files. */
export interface Position {
  readonly execution: string
  readonly offsets: readonly number[]
}

/** A position as the `id` of a server-sent event. */
function formatPosition({ execution, offsets }: Position): string {
  return [execution, ...offsets].join(':')
}

/** The position in `Last-Event-ID`; undefined for none, and for an id that is not one of a stream of `files` files. */
export function parsePosition(id: string | undefined, files: number): Position | undefined {
  const [, execution, offsets = ''] = /^([a-z0-9-]+)((?::\d{1,15})+)$/.exec(id ?? '') ?? []
  const numbers = offsets.split(':').slice(1).map(Number)
  return execution === undefined || numbers.length !== files ? undefined : { execution, offsets: numbers }
}
