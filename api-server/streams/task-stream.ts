/** The stream of a task: of the execution that is coming, under way, or the latest. */
import type { Task } from '../../core/crd/types.ts'
import type { StreamEnd } from '../../core/rest/messages.ts'
import { formatEvent, HEARTBEAT } from '../../core/rest/messages.ts'
import { isQueuedByPolicy, stateOf } from '../../core/task/decide.ts'
import type { Stream } from './stream.ts'
import { endOf, parsePosition, streamExecution, waitWhile } from './stream.ts'

export interface TaskStreamTarget {
  /** Absent: the execution under way, or the latest. */
  readonly execution?: string | undefined
  readonly lastEventId?: string | undefined
}

export async function* streamTask(stream: Stream, task: Task, target: TaskStreamTarget): AsyncGenerator<string> {
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
