/**
 * A task's output as server-sent events, replayed and live (decisions, section 5).
 *
 * Lines come from the files that the runner's tee writes on the data volume, in the order of each file; between
 * stdout and stderr there is no order. A line is sent once complete. The event id is a position in both files, so a
 * client that reconnects with `Last-Event-ID` misses nothing and sees nothing twice.
 *
 * The reader pulls: while a client does not take what it has, no more is read, so a slow client costs one chunk of
 * each file. What is new is noticed by the system's file events and, where those fail, by looking once a second.
 * The stream ends behind the event `end`, when the execution has ended and everything it wrote has been sent.
 */
import { join } from 'node:path'
import type { Execution, Task } from '../../core/crd/types.ts'
import { RecordNotFound, Unavailable } from '../../core/errors.ts'
import { agentOutputPath } from '../../core/execution/layout.ts'
import type { LogEnd, LogLine } from '../../core/rest/messages.ts'
import { formatEvent, HEARTBEAT } from '../../core/rest/messages.ts'
import { EXECUTION_STATE_IS_FINAL } from '../../core/rest/words.ts'
import { isQueuedByPolicy, stateOf } from '../../core/task/decide.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Caches } from '../caches.ts'
import { executionFile } from '../files.ts'
import type { FollowedFile } from './follow-file.ts'
import { followFile } from './follow-file.ts'
import type { Position } from './position.ts'
import { formatPosition, parsePosition, START } from './position.ts'
import type { Wakeup } from './wakeup.ts'
import { createWakeup, watchFolder } from './wakeup.ts'

/** Streams open at the same time (decisions, section 2). */
export const MAX_STREAMS = 1000
const HEARTBEAT_MS = 15_000
const POLL_MS = 1000

export interface LogStreamOptions {
  readonly caches: Caches
  readonly volumeRoot: string
  readonly clock: Clock
}

export interface LogRequest {
  /** Absent: the execution under way, or the latest. */
  readonly execution?: string | undefined
  readonly lastEventId?: string | undefined
}

export interface LogStreams {
  /** @throws Unavailable beyond the limit, RecordNotFound for an execution that is not the task's */
  open(task: Task, request: LogRequest): AsyncIterable<string>
  /** Open now. */
  count(): number
  /** Ends every stream without `end`, so that its client reconnects elsewhere. */
  close(): void
}

export function createLogStreams({ caches, volumeRoot, clock }: LogStreamOptions): LogStreams {
  const wakeups = new Set<Wakeup>()
  let isClosed = false

  caches.tasks.informer.onChange(() => ringAll())
  caches.executions.informer.onChange(() => ringAll())
  const ringAll = (): void => {
    for (const wakeup of wakeups) wakeup.ring()
  }
  const isGoing = (): boolean => !isClosed

  return {
    open(task, request) {
      if (isClosed || wakeups.size >= MAX_STREAMS)
        throw new Unavailable(`more than ${MAX_STREAMS} log streams are open`)
      checkExecution(caches, task, request.execution)
      const wakeup = createWakeup(clock)
      wakeups.add(wakeup)
      const stream = { caches, volumeRoot, clock, wakeup, isGoing }
      return endingWith(streamTask(stream, task, request), () => wakeups.delete(wakeup))
    },
    count: () => wakeups.size,
    close() {
      isClosed = true
      for (const wakeup of wakeups) wakeup.close()
    },
  }
}

interface Stream {
  readonly caches: Caches
  readonly volumeRoot: string
  readonly clock: Clock
  readonly wakeup: Wakeup
  readonly isGoing: () => boolean
}

async function* streamTask(stream: Stream, task: Task, request: LogRequest): AsyncGenerator<string> {
  const { name } = task.metadata
  // At once, so that the client sees that the stream is open.
  yield HEARTBEAT
  const from = parsePosition(request.lastEventId)
  const wanted = request.execution ?? (yield* awaitExecution(stream, name))
  if (
    from !== undefined &&
    from.execution !== wanted &&
    stream.caches.executions.find(from.execution)?.spec.taskRef?.name === name
  ) {
    // The client was cut off before the end of an earlier execution: first what it missed of that one.
    yield* streamExecution(stream, from.execution, from)
  }
  if (wanted !== undefined) yield* streamExecution(stream, wanted, from?.execution === wanted ? from : START)
  if (!stream.isGoing()) return
  yield formatEvent('end', { state: yield* finalState(stream, name, request.execution, wanted) })
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

async function* streamExecution(
  stream: Stream,
  execution: string,
  from: Omit<Position, 'execution'>,
): AsyncGenerator<string> {
  const { volumeRoot, wakeup } = stream
  const files = [
    { stream: 'stdout', file: followFile(volumeRoot, executionFile(execution, 'stdout'), from.stdout) },
    { stream: 'stderr', file: followFile(volumeRoot, executionFile(execution, 'stderr'), from.stderr) },
  ] as const
  const position = { execution, stdout: from.stdout, stderr: from.stderr }
  let unwatch: (() => void) | undefined
  try {
    let lastSentAt = stream.clock.now().getTime()
    while (stream.isGoing()) {
      // Asked before reading: what was written before the end is then read before we stop.
      const isFinal = hasEnded(stream, execution)
      unwatch ??= watchOutput(volumeRoot, execution, wakeup)
      const hasMore = yield* drain(files, position, isFinal)
      if (hasMore) lastSentAt = stream.clock.now().getTime()
      else if (isFinal) return
      else lastSentAt = yield* rest(stream, lastSentAt)
    }
  } finally {
    unwatch?.()
    await Promise.all(files.map(({ file }) => file.close()))
  }
}

type SourceFile = { readonly stream: LogLine['stream']; readonly file: FollowedFile }

/** One chunk of each file; returns whether there may be more at once. */
async function* drain(
  files: readonly SourceFile[],
  position: { execution: string; stdout: number; stderr: number },
  isFinal: boolean,
): AsyncGenerator<string, boolean> {
  let hasMore = false
  for (const { stream, file } of files) {
    const { lines, isAtEnd } = await file.next(isFinal)
    hasMore ||= !isAtEnd
    for (const { line, offset } of lines) {
      position[stream] = offset
      yield formatEvent('log', { stream, line }, formatPosition(position))
    }
  }
  return hasMore
}

/** Waits for something new; sends a heartbeat when nothing was sent for long. Returns when something was last sent. */
async function* rest({ clock, wakeup }: Stream, lastSentAt: number): AsyncGenerator<string, number> {
  await wakeup.wait(POLL_MS)
  const now = clock.now().getTime()
  if (now - lastSentAt < HEARTBEAT_MS) return lastSentAt
  yield HEARTBEAT
  return now
}

async function* waitWhile(stream: Stream, condition: () => boolean): AsyncGenerator<string> {
  for (let lastSentAt = stream.clock.now().getTime(); stream.isGoing() && condition();) {
    lastSentAt = yield* rest(stream, lastSentAt)
  }
}

/** The task's state once it has left the execution that was streamed; of a named execution its own. */
async function* finalState(
  stream: Stream,
  name: string,
  named: string | undefined,
  streamed: string | undefined,
): AsyncGenerator<string, LogEnd['state']> {
  if (named !== undefined) return stream.caches.executions.find(named)?.status?.state ?? 'PENDING'
  // The execution ends a moment before its task is moved.
  yield* waitWhile(stream, () => {
    const status = stream.caches.tasks.find(name)?.status
    return status?.state === 'RUNNING' && status.execution === streamed
  })
  const task = stream.caches.tasks.find(name)
  return task === undefined ? 'CANCELLED' : stateOf(task)
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

function watchOutput(volumeRoot: string, execution: string, wakeup: Wakeup): (() => void) | undefined {
  return watchFolder(join(volumeRoot, agentOutputPath(execution)), () => wakeup.ring())
}

function checkExecution(caches: Caches, task: Task, execution: string | undefined): void {
  if (execution === undefined) return
  const found: Execution | undefined = caches.executions.find(execution)
  if (found?.spec.taskRef?.name !== task.metadata.name) throw new RecordNotFound('execution')
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
