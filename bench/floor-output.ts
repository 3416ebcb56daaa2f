// The least that passes on what an agent prints: GET / runs the command, parses each line, and writes what it reads to a
// file and to the client.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { open } from 'node:fs/promises'
import { type ServerResponse, createServer } from 'node:http'
import { StringDecoder } from 'node:string_decoder'

const [log = '', command = '', ...args] = process.argv.slice(2)
const server = createServer((_, response) => void pass(response))

async function pass(response: ServerResponse): Promise<void> {
  const { stdout } = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const file = await open(log, 'w')
  const decoder = new StringDecoder()
  let rest = ''
  const chunks: AsyncIterable<Buffer> = stdout
  for await (const chunk of chunks) {
    const lines = `${rest}${decoder.write(chunk)}`.split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) JSON.parse(line)
    await file.write(chunk)
    if (!response.write(chunk)) await once(response, 'drain')
  }
  await file.close()
  response.end()
}

server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  process.stdout.write(`ready http://127.0.0.1:${port}\n`)
})
process.on('SIGTERM', () => process.exit(0))
