/** A server of the Model Context Protocol over streamable HTTP, with one tool, that remembers what it was asked with. */
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import { once } from 'node:events'
import { json } from 'node:stream/consumers'
import { asRecord } from '../../core/json.ts'

export interface McpHttpServer {
  readonly url: string
  /** Values of the header Authorization, one each. */
  readonly authorizations: ReadonlySet<string>
  stop(): Promise<void>
}

export async function startMcpHttpServer(): Promise<McpHttpServer> {
  const authorizations = new Set<string>()
  const server = createServer((request, response) => {
    authorizations.add(request.headers.authorization ?? '')
    void answer(request, response).catch((error: unknown) =>
      response.destroy(error instanceof Error ? error : undefined),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    authorizations,
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method !== 'POST') return void response.writeHead(405).end()
  const { id, method, params } = asRecord(await json(request))
  // A notification is only acknowledged.
  if (id === undefined) return void response.writeHead(202).end()
  const result = resultOf(method, asRecord(params))
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ jsonrpc: '2.0', id, result }))
}

function resultOf(method: unknown, { protocolVersion }: Record<string, unknown>): object {
  if (method === 'initialize') {
    return { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'wiki', version: '1' } }
  }
  if (method !== 'tools/list') return {}
  const inputSchema = { type: 'object', properties: {} }
  return { tools: [{ name: 'look_up', description: 'Looks a word up', inputSchema }] }
}
