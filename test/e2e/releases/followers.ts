/** Clients that follow docs/live.md: they connect again by themselves, and must miss nothing whatever happens to servers. */
import { setTimeout as delay } from 'node:timers/promises'
import { WebSocket } from 'ws'
import type { LiveMessage } from '../../../core/rest/messages.ts'
import type { Release } from '../release.ts'

/** Between two attempts to connect. */
const RETRY_MS = 200

export interface Board {
  /** The states of the tasks that it shows, by id. */
  readonly tasks: ReadonlyMap<string, string>
  /** How often a connection was opened. */
  readonly connections: () => number
  stop(): void
}

/** Shows all tasks, by the four steps of "Guarantees" in docs/live.md. */
export function followTasks({ url, token, api }: Pick<Release, 'url' | 'token' | 'api'>): Board {
  const ending = new AbortController()
  const tasks = new Map<string, string>()
  let connections = 0
  let last: string | undefined
  let work = Promise.resolve()

  async function readAll(): Promise<void> {
    const all = await api.listTasks({ query: {} }, { signal: ending.signal })
    tasks.clear()
    for (const { id, state } of all) tasks.set(id, state)
  }
  async function apply({ type, task, task_id: id }: LiveMessage): Promise<void> {
    if (type === 'resync') await again(readAll)
    else if (task) tasks.set(task.id, task.state)
    else if (type === 'task_deleted' && typeof id === 'string') tasks.delete(id)
  }
  async function again(act: () => Promise<void>): Promise<void> {
    while (!ending.signal.aborted) {
      try {
        return await act()
      } catch (error) {
        if (!isBroken(error)) throw error
        await pause(ending.signal)
      }
    }
  }
  function connect(): void {
    if (ending.signal.aborted) return
    const query = last === undefined ? '' : `?since=${encodeURIComponent(last)}`
    const socket = new WebSocket(`${url.replace('http', 'ws')}/api/ws${query}`, {
      headers: { Authorization: `Bearer ${token}` },
    })
    const end = (): void => socket.terminate()
    ending.signal.addEventListener('abort', end)
    const isFirst = last === undefined
    socket.on('open', () => {
      connections += 1
      if (isFirst) work = work.then(() => again(readAll))
    })
    socket.on('message', (bytes: Buffer) => {
      const message = JSON.parse(bytes.toString()) as LiveMessage
      last = message.id
      work = work.then(() => apply(message))
    })
    // It is followed by `close`.
    socket.on('error', () => undefined)
    socket.on('close', () => {
      ending.signal.removeEventListener('abort', end)
      void pause(ending.signal).then(connect)
    })
  }
  connect()
  return { tasks, connections: () => connections, stop: () => ending.abort() }
}

export interface LogReader {
  readonly lines: readonly string[]
  /** The state that the last event names. */
  readonly end: Promise<string>
  stop(): void
}

/** Reads a task's output to its end, as EventSource does: it connects again with the id of the last event. */
export function followLog(api: Release['api'], id: string): LogReader {
  const ending = new AbortController()
  const { signal } = ending
  const lines: string[] = []
  let last: string | undefined

  async function read(): Promise<string | undefined> {
    const headers = last === undefined ? {} : { 'Last-Event-ID': last }
    for await (const { event, data, id: position } of api.streamTaskLogs({ params: { id } }, { signal, headers })) {
      if (event === 'end') return String(data['state'])
      if (event === 'log') lines.push(String(data['line']))
      last = position ?? last
    }
    return undefined
  }
  async function readToEnd(): Promise<string> {
    while (!signal.aborted) {
      try {
        const state = await read()
        if (state !== undefined) return state
      } catch (error) {
        if (!isBroken(error)) throw error
      }
      await pause(signal)
    }
    return 'stopped'
  }
  return { lines, end: readToEnd(), stop: () => ending.abort() }
}

/** A server that stops, and none that is there yet: fetch fails so for every broken connection. */
function isBroken(error: unknown): boolean {
  return error instanceof TypeError || (error instanceof Error && error.name === 'AbortError')
}

async function pause(signal: AbortSignal): Promise<void> {
  await delay(RETRY_MS, undefined, { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error
  })
}
