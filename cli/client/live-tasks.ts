/**
 * Tasks as they are now, for as long as they are wanted: read once, and kept up by the server's live messages.
 *
 * It follows the steps of docs/live.md: connect, read the list at the first connection and after each `resync`, apply
 * what arrived meanwhile, and connect again behind the last message when the connection is lost. So no change is missed.
 */
import { ApiFailure } from '../../core/rest/client/call.ts'
import type { Task } from '../../core/rest/client/client.ts'
import type { LiveMessage } from '../../core/rest/messages.ts'
import { reconnectDelay } from '../../core/reconnect.ts'
import { type Clock, delay } from '../../lib/clock.ts'
import { UsageError } from '../command.ts'
import { ifFound } from './if-found.ts'
import { receiveLive } from './live-messages.ts'
import { type Session, causeOf, ServerUnreachable } from './session.ts'

export interface TaskFilter {
  readonly project: string | undefined
  readonly state: Task['state'] | undefined
}

export interface TaskListener {
  /**
   * A task is new, has changed, or (undefined) was deleted.
   *
   * @param isWanted whether it passes the filter; one that no longer does is told for the last time
   */
  onChange(id: string, task: Task | undefined, isWanted: boolean): void
  /** All that there is has been told. */
  onLive(): void
  /** The connection is lost, or was not made: what was told may be out of date until `onLive`. */
  onLost(why: string): void
}

export interface LiveTasksOptions {
  readonly session: Session
  readonly filter: TaskFilter
  readonly clock: Clock
  /** From 0 to below 1. */
  readonly random: () => number
  readonly signal: AbortSignal
  readonly listener: TaskListener
}

function passes({ project, state }: TaskFilter, task: Task): boolean {
  return (project === undefined || task.project === project) && (state === undefined || task.state === state)
}

/** Tells of tasks until the signal aborts. @throws Error if the first connection cannot be made */
export async function followTasks(options: LiveTasksOptions): Promise<void> {
  const { session, clock, random, signal, listener } = options
  let failures = 0
  const onLive = (): void => {
    failures = 0
    listener.onLive()
  }
  const store = createStore({ ...options, listener: { ...listener, onLive } })
  let isFirst = true
  for (;;) {
    const connection = new AbortController()
    let isOpened = false
    const lost = await receiveLive(session.socket, {
      types: ['task_created', 'task_updated', 'task_deleted'],
      since: store.position(),
      clock,
      signal: AbortSignal.any([signal, connection.signal]),
      onOpen: () => {
        isFirst = false
        isOpened = true
        store.open(connection)
      },
      onMessage: (message) => store.receive(message, connection),
    })
    connection.abort()
    if (signal.aborted) return
    const why = store.problem() ?? lost
    if (isFirst) throw new Error(`${session.server} answers, but opens no WebSocket at /api/ws (${why}). ${WAY_OUT}`)
    listener.onLost(why)
    if (!isOpened) await refuseFinally(options)
    failures += 1
    await delay(clock, reconnectDelay(failures, random()), signal)
  }
}

/** A WebSocket that cannot be opened gives no reason: an ordinary request says whether to go on trying. */
async function refuseFinally({ session, signal }: LiveTasksOptions): Promise<void> {
  try {
    await session.api.listTasks({ query: { limit: 1 } }, { signal })
  } catch (error) {
    if (!signal.aborted && !isPassing(error)) throw error
  }
}

const WAY_OUT = 'A proxy in between must pass WebSockets on (docs/operate/install.md)'

interface Store {
  /** Id of the last message, if everything before it is known. */
  position(): string | undefined
  /** A connection that ends before all is known is aborted: the next one reads everything anew. */
  open(connection: AbortController): void
  receive(message: LiveMessage, connection: AbortController): void
  /** Why the last list could not be read; undefined if it was. @throws what no other attempt would mend */
  problem(): string | undefined
}

function createStore(options: LiveTasksOptions): Store {
  const { listener } = options
  const known = createKnownTasks(options)
  let last: string | undefined
  let isWhole = false
  let problem: unknown
  /** Messages that arrive while the list is read. */
  let waiting: LiveMessage[] | undefined

  const load = async (connection: AbortController): Promise<void> => {
    isWhole = false
    problem = undefined
    const arriving: LiveMessage[] = []
    waiting = arriving
    try {
      await known.read(connection.signal)
      // Another resync came meanwhile, and the list is read again.
      if (waiting !== arriving) return
      waiting = undefined
      arriving.forEach(known.apply)
      isWhole = true
      listener.onLive()
    } catch (error) {
      if (!connection.signal.aborted) problem = error
      connection.abort()
    }
  }
  return {
    position: () => (isWhole ? last : undefined),
    open(connection) {
      if (isWhole && last !== undefined) listener.onLive()
      else void load(connection)
    },
    receive(message, connection) {
      last = message.id
      if (message.type === 'resync') void load(connection)
      else if (waiting === undefined) known.apply(message)
      else waiting.push(message)
    },
    problem() {
      if (problem === undefined) return undefined
      if (!isPassing(problem)) throw problem
      return causeOf(problem)
    },
  }
}

/** Whether another attempt may succeed without anybody's help. */
function isPassing(error: unknown): boolean {
  if (error instanceof ApiFailure) return error.status >= 500 || error.status === 429
  // A program of --jq that does not fit a record fits it no better later.
  if (error instanceof UsageError) return false
  return !(error instanceof ServerUnreachable) || error.isPassing
}

interface KnownTasks {
  /** Puts what the server has now in place of what is known. */
  read(signal: AbortSignal): Promise<void>
  apply(message: LiveMessage): void
}

function createKnownTasks({ session, filter, listener }: LiveTasksOptions): KnownTasks {
  const tasks = new Map<string, Task>()
  const put = (task: Task): void => {
    const before = tasks.get(task.id)
    // A message may be older than the list that was read after it.
    if (before !== undefined && task.updated_at < before.updated_at) return
    const isWanted = passes(filter, task)
    if (isWanted) tasks.set(task.id, task)
    else if (!tasks.delete(task.id)) return
    listener.onChange(task.id, task, isWanted)
  }
  const remove = (id: string): void => {
    if (tasks.delete(id)) listener.onChange(id, undefined, false)
  }
  return {
    async read(signal) {
      const { state } = filter
      const listed = await session.api.listTasks({ query: state === undefined ? {} : { state } }, { signal })
      const ids = new Set(listed.map(({ id }) => id))
      // In the order in which they were made, as messages come.
      listed.toReversed().forEach(put)
      for (const id of [...tasks.keys()].filter((known) => !ids.has(known))) {
        const task = await ifFound(session.api.getTask({ params: { id } }, { signal }))
        if (task === undefined) remove(id)
        else put(task)
      }
    },
    apply({ type, task_id: id, task }) {
      if (task !== undefined) put(task)
      else if (type === 'task_deleted' && id !== undefined) remove(id)
    },
  }
}
