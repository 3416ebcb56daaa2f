/**
 * A model provider, scripted by a test: it speaks the wire formats of the Messages API, the Gemini API and
 * the Responses API as far as the real CLIs need them, streaming. It stands in for what cannot be had here, a paid model; the
 * CLIs that talk to it are the real ones.
 */
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import { once } from 'node:events'
import type { Answer, Script } from './turn.ts'
import { writeGemini } from './wire-gemini.ts'
import { writeMessages } from './wire-messages.ts'
import { writeResponses } from './wire-responses.ts'

/** One request that the CLI made for the conversation. */
export interface Asked {
  /** As `performance.now()` tells it. */
  readonly at: number
  readonly path: string
  readonly authorization: string
  readonly body: unknown
}

export interface ModelServer {
  readonly url: string
  /** What the model does from now on; when all is done it does `then` for ever: it says `done`. */
  play(turns: readonly Script[], then?: Script): void
  /** Since the last `play`. */
  readonly asked: readonly Asked[]
  /** Drops what was asked so far, for a server that runs long. */
  forget(): void
  stop(): Promise<void>
}

/** On a free port of loopback, unless another place is given. */
export async function startModelServer({ host = '127.0.0.1', port = 0 } = {}): Promise<ModelServer> {
  const asked: Asked[] = []
  let turns: Script[] = []
  let last: Script = DONE
  const server = createServer((request, response) => {
    void answer(request, response).catch((error: unknown) =>
      response.destroy(error instanceof Error ? error : undefined),
    )
  })
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '/'
    const body = await readJson(request)
    const write = WIRES.find(([pattern]) => pattern.test(path))?.[1]
    if (write === undefined) {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
      return
    }
    const isConversation = hasTools(body)
    if (isConversation) asked.push({ at: performance.now(), path, authorization: authorizationOf(request), body })
    const script = isConversation ? (turns.shift() ?? last) : DONE
    const turn = typeof script === 'function' ? script() : script
    switch (turn.kind) {
      case 'hang':
        return
      case 'fail':
        await turn.meanwhile?.()
        response.writeHead(turn.status, { 'content-type': 'application/json', ...turn.headers })
        response.end(JSON.stringify(turn.body))
        return
      case 'garbage':
        response.writeHead(200, EVENT_STREAM).end(turn.text)
        return
      case 'cut':
        response.writeHead(200, EVENT_STREAM)
        write(
          halfOf(response, () => response.destroy()),
          { kind: 'say', text: turn.text },
          path,
        )
        return
      case 'stall':
        response.writeHead(200, EVENT_STREAM)
        write(
          halfOf(response, () => undefined),
          { kind: 'say', text: turn.text },
          path,
        )
        return
      case 'say':
      case 'use':
        response.writeHead(200, EVENT_STREAM)
        write(response, turn, path)
        return
      default:
        turn satisfies never
    }
  }
  server.listen(port, host)
  await once(server, 'listening')
  const address = server.address()
  const listeningPort = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `http://${host}:${listeningPort}`,
    play(next, then = DONE) {
      turns = [...next]
      last = then
      asked.length = 0
    },
    asked,
    forget: () => void (asked.length = 0),
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const WIRES = [
  [/^\/v1\/messages(\?|$)/, writeMessages],
  [/:streamGenerateContent|:generateContent/, writeGemini],
  [/\/responses(\?|$)/, writeResponses],
] as const

const DONE = { kind: 'say', text: 'done' } as const
const EVENT_STREAM = { 'content-type': 'text/event-stream' }

/** Passes the first half of what is written on. */
function halfOf(response: ServerResponse, then: () => void): Answer {
  const chunks: string[] = []
  return {
    write: (chunk) => chunks.push(chunk) > 0,
    end(chunk = '') {
      const text = [...chunks, chunk].join('')
      response.write(text.slice(0, text.length / 2), then)
    },
  }
}

/** The CLIs ask small things beside the conversation, such as a title: those requests offer no tools. */
function hasTools(body: unknown): boolean {
  const tools: unknown = typeof body === 'object' && body !== null && 'tools' in body ? body.tools : undefined
  return Array.isArray(tools) && tools.length > 0
}

function authorizationOf({ headers }: IncomingMessage): string {
  const found = headers['x-api-key'] ?? headers['x-goog-api-key'] ?? headers.authorization ?? ''
  return Array.isArray(found) ? found.join() : found
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  const text = Buffer.concat(chunks).toString('utf8')
  return text === '' ? undefined : (JSON.parse(text) as unknown)
}
