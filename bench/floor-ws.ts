// The least that broadcasts over WebSocket: GET /publish sends the text of a file to every client of a bare `ws`.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { WebSocketServer } from 'ws'

const text = readFileSync(process.argv[2] ?? '', 'utf8')
const server = createServer((_, response) => {
  for (const client of sockets.clients) client.send(text)
  response.end()
})
const sockets = new WebSocketServer({ server })
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  process.stdout.write(`ready http://127.0.0.1:${port}\n`)
})
process.on('SIGTERM', () => process.exit(0))
