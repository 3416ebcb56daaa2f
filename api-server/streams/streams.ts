/**
 * What an execution writes, as server-sent events, replayed and live (specification §8.15): the output of a task, and
 * the conversation.
 *
 * Lines come from the files that the runner writes on the data volume, in the order of each file. A line is sent once
 * complete. The event id is a position in the files, so a client that reconnects with `Last-Event-ID` misses nothing
 * and sees nothing twice.
 *
 * The reader pulls: while a client does not take what it has, no more is read, so a slow client costs one chunk of
 * each file. What is new is noticed by the system's file events and, where those fail, by looking once a second.
 * The stream ends behind the event `end`, when the execution has ended and everything it wrote has been sent.
 */
import type { Execution, Task } from '../../core/crd/types.ts'
import { apiError } from '../../core/errors.ts'
import { type StreamEnd, formatEvent, HEARTBEAT } from '../../core/rest/messages.ts'
import { stateOf, isQueuedByPolicy } from '../../core/task/decide.ts'
import { type AutoResetEvent, createAutoResetEvent } from '../../lib/async.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Caches } from '../cache/caches.ts'
import type { Followed } from './followed.ts'
import { type Stream, streamNamed, endOf, parsePosition, streamExecution, waitWhile } from './stream.ts'

/** Streams open at the same time, of output and conversations together (specification §12.1). */
export const MAX_STREAMS = 1000

export interface StreamsOptions {
  readonly caches: Caches
  readonly volumeRoot: string
  readonly clock: Clock
}

export interface StreamRequest {
  readonly followed: Followed
  readonly lastEventId?: string | undefined
}

export interface TaskStreamRequest extends StreamRequest {
  /** Absent: the execution under way, or the latest. */
  readonly execution?: string | undefined
}

export interface Streams {
  /** @throws ApiError `unavailable` beyond the limit, `not_found` for an execution that is not the task's */
  openTask(task: Task, request: TaskStreamRequest): AsyncIterable<string>
  /** The same for an archived task. @throws ApiError `unavailable` beyond the limit, `not_found` for an execution that is not the task's */
  openArchived(task: Task, executions: readonly Execution[], request: TaskStreamRequest): AsyncIterable<string>
  /** @throws ApiError `unavailable` beyond the limit */
  openExecution(execution: Execution, request: StreamRequest): AsyncIterable<string>
  /** Open now. */
  count(): number
  /** Ends every stream without `end`, so that its client reconnects elsewhere. */
  close(): void
}

export function createStreams({ caches, volumeRoot, clock }: StreamsOptions): Streams {
  const events = new Set<AutoResetEvent>()
  let isClosed = false

  caches.tasks.informer.onChange(() => setAll())
  caches.executions.informer.onChange(() => setAll())
  const setAll = (): void => {
    for (const changed of events) changed.set()
  }
  const isGoing = (): boolean => !isClosed
  const open = (followed: Followed, begin: (stream: Stream) => AsyncGenerator<string>): AsyncIterable<string> => {
    if (isClosed || events.size >= MAX_STREAMS)
      throw apiError('unavailable', `more than ${MAX_STREAMS} streams of output and conversations are open`)
    const changed = createAutoResetEvent(clock)
    events.add(changed)
    return endingWith(begin({ caches, volumeRoot, clock, changed, isGoing, followed }), () => events.delete(changed))
  }

  return {
    openTask(task, request) {
      checkExecution(caches, task, request.execution)
      return open(request.followed, (stream) => streamTask(stream, task, request))
    },
    openArchived(task, executions, { execution = task.status?.execution ?? '', followed, lastEventId }) {
      const found = executions.find(({ metadata }) => metadata.name === execution)
      if (found === undefined && execution !== '') throw apiError('not_found', 'execution')
      const endedIn = found?.status?.state ?? stateOf(task)
      return open(followed, (stream) => streamNamed(stream, execution, lastEventId, endedIn))
    },
    openExecution: ({ metadata, status }, { followed, lastEventId }) =>
      open(followed, (stream) => {
        const isLive = caches.executions.find(metadata.name) !== undefined
        return streamNamed(stream, metadata.name, lastEventId, isLive ? undefined : status?.state)
      }),
    count: () => events.size,
    close() {
      isClosed = true
      for (const changed of events) changed.close()
    },
  }
}

function checkExecution(caches: Caches, task: Task, execution: string | undefined): void {
  if (execution === undefined) return
  const found: Execution | undefined = caches.executions.find(execution)
  if (found?.spec.taskRef?.name !== task.metadata.name) throw apiError('not_found', 'execution')
}

/** The same events; `end` runs when they are over, also when nobody has begun to read them. */
function endingWith(events: AsyncGenerator<string>, end: () => void): AsyncIterable<string> {
  return {
    [Symbol.asyncIterator]: () => ({
      async next() {
        let isOver = true
        try {
          const result = await events.next()
          isOver = result.done === true
          return result
        } finally {
          if (isOver) end()
        }
      },
      async return() {
        end()
        return events.return(undefined)
      },
    }),
  }
}

interface TaskStreamTarget {
  /** Absent: the execution under way, or the latest. */
  readonly execution?: string | undefined
  readonly lastEventId?: string | undefined
}

/** The stream of a task: of the execution that is coming, under way, or the latest. */
async function* streamTask(stream: Stream, task: Task, target: TaskStreamTarget): AsyncGenerator<string> {
  const { name } = task.metadata
  // At once, so that the client sees that the stream is open.
  yield HEARTBEAT
  const from = parsePosition(target.lastEventId, stream.followed.files.length)
  const wanted = target.execution ?? (yield* awaitExecution(stream, name))
  if (
    from !== undefined &&
    from.execution !== wanted &&
    stream.caches.executions.find(from.execution)?.spec.taskRef?.name === name
  ) {
    // The client was cut off before the end of an earlier execution: first what it missed of that one.
    yield* streamExecution(stream, from.execution, from.offsets)
  }
  if (wanted !== undefined) {
    yield* streamExecution(stream, wanted, from?.execution === wanted ? from.offsets : [])
  }
  if (!stream.isGoing()) return
  const state =
    target.execution === undefined ? yield* endOfTask(stream, name, wanted) : endOf(stream, target.execution)
  yield formatEvent('end', { state })
}

/** The execution to show: while the task is QUEUED, or about to be, the one that is still to come. Undefined when there is none. */
async function* awaitExecution(stream: Stream, task: string): AsyncGenerator<string, string | undefined> {
  const find = (): Task | undefined => stream.caches.tasks.find(task)
  yield* waitWhile(stream, () => {
    const current = find()
    return current !== undefined && (stateOf(current) === 'QUEUED' || isQueuedByPolicy(current))
  })
  return find()?.status?.execution
}

/** The task's state once it has left the execution that was streamed. */
async function* endOfTask(
  stream: Stream,
  name: string,
  streamed: string | undefined,
): AsyncGenerator<string, StreamEnd['state']> {
  // The execution ends a moment before its task is moved.
  yield* waitWhile(stream, () => {
    const status = stream.caches.tasks.find(name)?.status
    return status?.state === 'RUNNING' && status.execution === streamed
  })
  const task = stream.caches.tasks.find(name)
  return task === undefined ? 'CANCELLED' : stateOf(task)
}
