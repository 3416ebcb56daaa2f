/**
 * As much of the Kubernetes API as a reader needs of a control plane that holds a given number of finished executions
 * and nothing else: lists in pages, single executions, 404 for any other object, and watches in which nothing happens.
 * Writes are answered as if they were stored, and forgotten.
 * Storing that many first would take minutes.
 */
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http'
import { join } from 'node:path'
import type { Execution } from '../core/crd/types.ts'
import { addMs, toTimestamp } from '../core/time.ts'
import { systemClock } from '../lib/clock.ts'
import { text } from '../test/helpers/build.ts'

const SPREAD_MS = 30 * 24 * 3_600_000

/** Runs `use` with the path of a kubeconfig for the API. */
export async function withExecutions<T>(
  count: number,
  folder: string,
  use: (kubeconfig: string) => Promise<T>,
): Promise<T> {
  const now = systemClock.now()
  const server = createServer((request, response) =>
    answer(request, response, (n) => makeExecution(n, count, now), count),
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    const kubeconfig = join(folder, 'kubeconfig')
    await writeFile(kubeconfig, JSON.stringify(toKubeconfig(server)))
    return await use(kubeconfig)
  } finally {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
}

function toKubeconfig(server: Server): object {
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'bench',
    contexts: [{ name: 'bench', context: { cluster: 'bench', user: 'bench' } }],
    clusters: [{ name: 'bench', cluster: { server: `http://127.0.0.1:${port}`, 'insecure-skip-tls-verify': true } }],
    users: [{ name: 'bench', user: {} }],
  }
}

function answer(
  request: IncomingMessage,
  response: ServerResponse,
  make: (n: number) => Execution,
  count: number,
): void {
  const { method, url = '' } = request
  const { pathname, searchParams } = new URL(url, 'http://localhost')
  response.setHeader('Content-Type', 'application/json')
  if (method === 'POST' || method === 'PUT') {
    // A client takes the answer for the object that it wrote.
    request.pipe(response)
    return
  }
  if (searchParams.has('watch')) {
    response.flushHeaders()
    return
  }
  const [, kind = '', name] = COLLECTION.exec(pathname) ?? []
  if (name !== undefined) answerOne(response, kind === 'executions' ? find(name, count, make) : undefined, name)
  else response.end(JSON.stringify(listPage(kind === 'executions' ? count : 0, searchParams, make)))
}

/** `…/<kind>` with the name of one object of it, if any; the namespace is not looked at. */
const COLLECTION = /(?:\/namespaces\/[^/]+)?\/([a-z]+)(?:\/([^/]+))?$/

function listPage(count: number, query: URLSearchParams, make: (n: number) => Execution): object {
  const from = Number(query.get('continue') ?? 0)
  const to = Math.min(count, from + Number(query.get('limit') ?? count))
  const items = Array.from({ length: to - from }, (_, i) => make(from + i))
  const metadata = { resourceVersion: String(count + 1), ...(to < count ? { continue: String(to) } : {}) }
  return { kind: 'List', apiVersion: 'v1', metadata, items }
}

function answerOne(response: ServerResponse, found: Execution | undefined, name: string): void {
  const missing = { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'NotFound', code: 404 }
  response.statusCode = found === undefined ? 404 : 200
  response.end(JSON.stringify(found ?? { ...missing, message: `${name} not found` }))
}

function find(name: string, count: number, make: (n: number) => Execution): Execution | undefined {
  const n = Number(/^seed-(\d+)-1$/.exec(name)?.[1] ?? count)
  return n < count ? { ...make(n), kind: 'Execution' } : undefined
}

/** One of every ten failed; they are spread evenly over the last 30 days. */
function makeExecution(n: number, count: number, now: Date): Execution {
  const at = toTimestamp(addMs(now, -Math.floor((SPREAD_MS * n) / count)))
  const task = `seed-${String(n).padStart(6, '0')}`
  const failed = n % 10 === 0
  return {
    apiVersion: 'slipway.dev/v1alpha1',
    kind: 'Execution',
    metadata: {
      name: `${task}-1`,
      namespace: 'default',
      uid: `uid-${n}`,
      resourceVersion: String(n + 1),
      creationTimestamp: at,
    },
    spec: { taskRef: { name: task }, agent: 'script', purpose: 'Run', attempt: 1 },
    status: {
      state: failed ? 'FAILED' : 'COMPLETED',
      startedAt: at,
      finishedAt: at,
      costUSD: (n % 100) / 100,
      summary: text('Changed what was asked for, and the tests pass. '.repeat(5)),
      ...(failed ? { error: { category: 'git', message: text('the remote refused the push') } } : {}),
    },
  }
}
