/**
 * As much of the Kubernetes API as a reader needs of a control plane that holds a given number of finished executions
 * and nothing else: lists in pages, and watches in which nothing happens. Storing that many first would take minutes.
 */
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import { join } from 'node:path'
import type { Execution } from '../core/crd/types.ts'
import { addMs, toTimestamp } from '../core/time.ts'
import { systemClock } from '../lib/clock.ts'

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
  { url = '' }: IncomingMessage,
  response: ServerResponse,
  make: (n: number) => Execution,
  count: number,
): void {
  const { pathname, searchParams } = new URL(url, 'http://localhost')
  response.setHeader('Content-Type', 'application/json')
  if (searchParams.has('watch')) {
    response.flushHeaders()
    return
  }
  const from = Number(searchParams.get('continue') ?? 0)
  const to = Math.min(count, from + Number(searchParams.get('limit') ?? count))
  const isOurs = pathname.endsWith('/executions')
  const items = isOurs ? Array.from({ length: to - from }, (_, i) => make(from + i)) : []
  const metadata = { resourceVersion: String(count + 1), ...(isOurs && to < count ? { continue: String(to) } : {}) }
  response.end(JSON.stringify({ kind: 'List', apiVersion: 'v1', metadata, items }))
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
      summary: 'Changed what was asked for, and the tests pass. '.repeat(5),
      ...(failed ? { error: { category: 'git', message: 'the remote refused the push' } } : {}),
    },
  }
}
