import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type ApiClient, type ClientOptions, createClient } from '../../kube/client.ts'
import { loadKubeConfig } from '../../kube/config.ts'

export interface SeenRequest {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

export type Answer = (response: ServerResponse, request: SeenRequest) => void

/** An API server that does exactly what the test says, faults included. */
export interface FakeApi {
  readonly client: ApiClient
  readonly url: string
  readonly requests: readonly SeenRequest[]
  /** Answers to come, one per request in order; the last one is repeated. */
  answer(...answers: Answer[]): void
  close(): Promise<void>
}

export async function startFakeApi(options: Partial<ClientOptions> = {}): Promise<FakeApi> {
  const requests: SeenRequest[] = []
  let answers: Answer[] = []
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => {
      const url = new URL(incoming.url ?? '/', 'http://api')
      const seen: SeenRequest = {
        method: incoming.method ?? '',
        path: url.pathname,
        query: url.searchParams,
        headers: incoming.headers,
        body: Buffer.concat(chunks).toString(),
      }
      requests.push(seen)
      const next = answers.length > 1 ? answers.shift() : answers[0]
      if (next) next(response, seen)
      else status(500, 'InternalError', 'the test gave no answer')(response, seen)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const client = await connectTo(url, options)
  return {
    client,
    url,
    requests,
    answer: (...given) => void (answers = given),
    async close() {
      await client.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export async function connectTo(url: string, options: Partial<ClientOptions> = {}): Promise<ApiClient> {
  const config = await loadKubeConfig({ kind: 'content', content: kubeconfig(url) })
  const defaults = { userAgent: 'slipway-test/1', fieldManager: 'slipway-test', requestTimeoutMs: 30_000 }
  return createClient(config, { ...defaults, ...options })
}

export function kubeconfig(server: string, user: object = { token: 'secret-token' }): string {
  return JSON.stringify({
    clusters: [{ name: 'test', cluster: { server, 'insecure-skip-tls-verify': true } }],
    users: [{ name: 'tester', user }],
    contexts: [{ name: 'test', context: { cluster: 'test', user: 'tester', namespace: 'ns' } }],
    'current-context': 'test',
  })
}

export function json(body: unknown, code = 200): Answer {
  return (response) => {
    response.writeHead(code, { 'content-type': 'application/json' })
    response.end(JSON.stringify(body))
  }
}

export function status(code: number, reason: string, message: string, headers: Record<string, string> = {}): Answer {
  return (response) => {
    response.writeHead(code, { 'content-type': 'application/json', ...headers })
    response.end(JSON.stringify({ kind: 'Status', apiVersion: 'v1', status: 'Failure', code, reason, message }))
  }
}

/** A list's answer; `items` in the form of {@link configMap}. */
export function list(resourceVersion: string, items: readonly object[], next?: string): Answer {
  return json({ kind: 'ConfigMapList', metadata: { resourceVersion, ...(next && { continue: next }) }, items })
}

/** A watch's answer: these pieces of body, then the end, the cut, or nothing more. */
export function watch(pieces: readonly string[], then: 'end' | 'cut' | 'hang'): Answer {
  return (response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.flushHeaders()
    for (const piece of pieces) response.write(piece)
    if (then === 'end') response.end()
    if (then === 'cut') setImmediate(() => response.destroy())
  }
}

export function event(type: string, object: unknown): string {
  return `${JSON.stringify({ type, object })}\n`
}

export function bookmark(resourceVersion: string): string {
  return event('BOOKMARK', { kind: 'ConfigMap', metadata: { resourceVersion } })
}

export const GONE = { kind: 'Status', status: 'Failure', code: 410, reason: 'Expired', message: 'too old' }

/** A ConfigMap named `name` in namespace `ns`; its uid stays the same unless given. */
export function configMap(name: string, resourceVersion: string, uid = `uid-${name}`) {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace: 'ns', uid, resourceVersion },
    data: { version: resourceVersion },
  }
}
