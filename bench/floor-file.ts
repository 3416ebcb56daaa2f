// The least that receives a file: the bytes of one connection after another, each into a file of its own, synced.
import { open } from 'node:fs/promises'
import { type Socket, createServer } from 'node:net'
import { join } from 'node:path'

const folder = process.argv[2] ?? ''
let files = 0
// Half-open, so that the answer can follow the client's end.
const server = createServer({ allowHalfOpen: true }, (socket) => {
  void receive(socket).then(() => socket.end('stored'))
})

async function receive(socket: Socket): Promise<void> {
  const file = await open(join(folder, `floor-${(files += 1)}`), 'w')
  // Otherwise the end of the loop would end the socket, and the answer with it.
  const chunks: AsyncIterable<Buffer> = socket.iterator({ destroyOnReturn: false })
  for await (const chunk of chunks) await file.write(chunk)
  await file.sync()
  await file.close()
}

server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  process.stdout.write(`ready http://127.0.0.1:${port}\n`)
})
process.on('SIGTERM', () => process.exit(0))
