// Many WebSocket clients in a process of their own: live-audience.js <ws url> <clients> <messages>.
// Prints `ready` once all are connected, and when each has that many messages, one line of JSON: what they got.
import { once } from 'node:events'
import { WebSocket } from 'ws'

const [url = '', clients = '0', messages = '0'] = process.argv.slice(2)
/** At a time, so that the listen queue of the server holds them. */
const CONNECTING = 100

interface Reader {
  count: number
  /** Of everything received, in its order. */
  digest: number
}

const readers: Reader[] = []
const ids: string[] = []
const waiting = { readers: Number(clients) }

function listen(socket: WebSocket): void {
  const reader: Reader = { count: 0, digest: 0 }
  const isFirst = readers.push(reader) === 1
  socket.on('message', (bytes: Buffer) => {
    reader.count += 1
    for (const byte of bytes) reader.digest = (reader.digest * 31 + byte) | 0
    if (isFirst) ids.push(JSON.parse(bytes.toString()).project_id)
    if (reader.count === Number(messages) && (waiting.readers -= 1) === 0) report()
  })
}

function report(): void {
  const digests = new Set(readers.map(({ digest }) => digest)).size
  process.stdout.write(`${JSON.stringify({ counts: readers.map(({ count }) => count), digests, ids })}\n`)
}

while (readers.length < Number(clients)) {
  const some = Array.from({ length: Math.min(CONNECTING, Number(clients) - readers.length) }, () => new WebSocket(url))
  some.forEach(listen)
  await Promise.all(some.map((socket) => once(socket, 'open')))
}
process.stdout.write('ready\n')
