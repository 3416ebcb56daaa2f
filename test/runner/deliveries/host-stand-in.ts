import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { CertificatePair } from '../../../lib/x509.ts'

/** A call that a host was sent. */
export interface HostCall {
  readonly method: string
  /** Path and query. */
  readonly url: string
  readonly authorization: string | undefined
  readonly body: Readonly<Record<string, unknown>>
}

export interface HostReply {
  readonly status: number
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** Answers what git asks of a repository. */
type Repositories = (request: IncomingMessage, response: ServerResponse) => void

/** A code host on loopback, as far as pull requests go. */
export interface StandIn {
  readonly origin: string
  readonly calls: HostCall[]
  close(): Promise<void>
}

/**
 * @param repositories those of the host, below paths with `.git/`; a git Secret is for the one port of both
 * @param tls absent: plain http
 */
export async function openStandIn(
  reply: (call: HostCall) => HostReply,
  repositories?: Repositories,
  tls?: CertificatePair,
): Promise<StandIn> {
  const calls: HostCall[] = []
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = '', url = '', headers } = request
    if (url.includes('.git/')) return repositories?.(request, response)
    const call = { method, url, authorization: headers.authorization, body: await read(request) }
    calls.push(call)
    const { status, body, headers: more } = reply(call)
    const page = typeof body === 'string' ? body : JSON.stringify(body)
    response.writeHead(status, { 'Content-Type': 'application/json', ...more }).end(page)
  }
  const listener: Repositories = (request, response) => void answer(request, response)
  const server =
    tls === undefined ? createServer(listener) : createTlsServer({ cert: tls.certificate, key: tls.key }, listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function read(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const text = Buffer.concat(chunks).toString('utf8')
  return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>)
}
