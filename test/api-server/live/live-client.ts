/** A WebSocket client of /api/ws that keeps what it is told. */
import { once } from 'node:events'
import { WebSocket } from 'ws'
import type { LiveMessage } from '../../../core/rest/messages.ts'

export interface LiveTestClient {
  readonly socket: WebSocket
  readonly messages: readonly LiveMessage[]
  /** Types told so far, of one task where it is named. */
  types(task?: string): string[]
  close(): Promise<void>
}

/** @param url of the server, with http; `query` with its question mark */
export async function connectLive(
  url: string,
  query = '',
  headers: Record<string, string> = {},
): Promise<LiveTestClient> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/api/ws${query}`, { headers })
  const messages: LiveMessage[] = []
  socket.on('message', (text: Buffer) => messages.push(JSON.parse(text.toString())))
  await once(socket, 'open')
  return {
    socket,
    messages,
    types: (task) =>
      messages.filter((message) => task === undefined || message.task_id === task).map(({ type }) => type),
    async close() {
      if (socket.readyState === WebSocket.CLOSED) return
      const closed = once(socket, 'close')
      socket.close()
      await closed
    },
  }
}
