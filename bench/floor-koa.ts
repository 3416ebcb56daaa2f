// The least that serves with the same framework: one Koa route that returns the bytes of a file.
import { readFileSync } from 'node:fs'
import Koa from 'koa'

const bytes = readFileSync(process.argv[2] ?? '')
const app = new Koa()
app.use((context) => {
  context.type = 'application/json'
  context.body = bytes
})
const server = app.listen(0, '127.0.0.1', () => {
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  process.stdout.write(`ready http://127.0.0.1:${port}\n`)
})
process.on('SIGTERM', () => process.exit(0))
