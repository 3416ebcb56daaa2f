// The least that listens: node's own http server.
import { createServer } from 'node:http'

const server = createServer((_request, response) => response.end('ok'))
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  process.stdout.write(`ready http://127.0.0.1:${port}\n`)
})
process.on('SIGTERM', () => process.exit(0))
