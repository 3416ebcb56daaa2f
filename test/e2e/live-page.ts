/** A page that shows the tasks: the UI's own live connection (web/api/live.ts), and the steps of docs/live.md. */
import { setTimeout } from 'node:timers/promises'
import { WebSocket } from 'ws'
import type { LiveMessage } from '../../core/rest/messages.ts'
import type { Task } from '../../core/rest/client/client.ts'
import { systemClock } from '../../lib/clock.ts'
import { type LiveSocket, type LiveState, startLive } from '../../web/api/live.ts'
import { TOKEN } from './cluster.ts'

export interface LivePage {
  /** State of each task that it shows. */
  readonly shown: ReadonlyMap<string, string>
  /** All that it was told. */
  readonly messages: readonly LiveMessage[]
  phase(): LiveState['phase']
  /** Where it connects from now on. */
  leadTo(url: string): void
  stop(): void
}

export interface LivePageOptions {
  readonly url: string
  readonly listTasks: () => Promise<readonly Task[]>
}

export function openLivePage({ url, listTasks }: LivePageOptions): LivePage {
  const shown = new Map<string, string>()
  const messages: LiveMessage[] = []
  let phase: LiveState['phase'] = 'starting'
  let address = url
  // In order: what arrives while the list is read counts after it.
  let work = Promise.resolve()
  const apply = async (message: LiveMessage): Promise<void> => {
    if (message.type === 'resync') await readList()
    if (message.task !== undefined) shown.set(message.task.id, message.task.state)
    if (message.type === 'task_deleted' && message.task_id !== undefined) shown.delete(message.task_id)
  }
  async function readList(): Promise<void> {
    const tasks = await retryUnlessAnswered(listTasks)
    shown.clear()
    for (const { id, state } of tasks) shown.set(id, state)
  }
  const live = startLive({
    connect: (since) => connect(address, since),
    schedule: (delayMs, what) => systemClock.schedule(delayMs, what),
    random: Math.random,
    onMessages: (batch) => {
      messages.push(...batch)
      for (const message of batch) work = work.then(() => apply(message))
    },
    onState: (state) => {
      if (state.phase === 'live' && phase === 'starting') work = work.then(readList)
      phase = state.phase
    },
  })
  return { shown, messages, phase: () => phase, leadTo: (next) => void (address = next), stop: () => live.stop() }
}

const RETRY_MS = 200

/** Repeats a request whose connection broke, or was refused: its server has gone. */
export async function retryUnlessAnswered<T>(ask: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      // fetch throws nothing else then.
      if (!(error instanceof TypeError)) throw error
    }
    await setTimeout(RETRY_MS)
  }
}

function connect(address: string, since: string | undefined): LiveSocket {
  const url = new URL('/api/ws', address.replace(/^http/, 'ws'))
  if (since !== undefined) url.searchParams.set('since', since)
  const socket = new WebSocket(url, { headers: { authorization: `Bearer ${TOKEN}` } })
  const own: LiveSocket = { onopen: null, onmessage: null, onclose: null, close: () => socket.close() }
  socket.on('open', () => own.onopen?.())
  socket.on('message', (text: Buffer) => own.onmessage?.({ data: text.toString() }))
  // Its `close` follows.
  socket.on('error', () => undefined)
  socket.on('close', () => own.onclose?.())
  return own
}
