/**
 * The node's own HTTPS server: `GET /containerLogs/<namespace>/<pod>/<container>`, the path and the parameters of a
 * kubelet, for the API server of the node.
 */
import { once } from 'node:events'
import { stat } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import { type Duplex, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { TLSSocket } from 'node:tls'
import { createConnectionBudget } from '../lib/connection-budget.ts'
import { hasErrorCode, ifThere } from '../lib/files.ts'
import type { Pod } from '../kube/builtin.ts'
import type { Clock } from '../lib/clock.ts'
import type { Logger } from '../lib/log.ts'
import type { CertificatePair } from '../lib/x509.ts'
import { type ContainerPaths, containerPaths } from './layout.ts'
import { ADDRESS } from './register.ts'
import { type LogQuery, readLog } from './log-reader.ts'
import { readExit } from './exit.ts'

export interface LogOptions {
  readonly dir: string
  readonly certificate: CertificatePair
  /** The authority, in PEM, of the client certificates of those who may read; absent: nobody may. */
  readonly readers?: string | undefined
  readonly clock: Clock
  readonly logger: Logger
  readonly findPod: (namespace: string, name: string) => Pod | undefined
  /** How many connections may be open; default {@link CONNECTIONS}. */
  readonly connections?: number
}

/** Who may read no log, such as an agent on loopback, may well connect: those give way to others. */
const CONNECTIONS = 256

export interface LogServer {
  readonly port: number
  close(): Promise<void>
}

export async function serveLogs(options: LogOptions): Promise<LogServer> {
  const closing = new AbortController()
  // Who has no certificate of the authority is answered with 401, as kubelets do, not by a broken handshake.
  const clients = { ca: options.readers, requestCert: true, rejectUnauthorized: false }
  const budget = createConnectionBudget({ connections: options.connections ?? CONNECTIONS, clock: options.clock })
  const { certificate, key } = options.certificate
  const server = createServer({ cert: certificate, key, ...clients }, (request, response) => {
    answer({ ...options, onProven: budget.trust }, request, response, closing.signal).catch((error: unknown) => {
      options.logger.warn({ error }, 'sending a log failed')
      response.destroy()
    })
  })
  budget.watch(server)
  server.listen(0, ADDRESS)
  await once(server, 'listening')
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    async close() {
      closing.abort()
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}

async function answer(
  options: LogOptions & { readonly onProven: (socket: Duplex) => void },
  request: IncomingMessage,
  response: ServerResponse,
  closing: AbortSignal,
): Promise<void> {
  const refuse = (status: number, text: string): void => {
    response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(text)
  }
  const isReader = options.readers !== undefined && request.socket instanceof TLSSocket && request.socket.authorized
  if (!isReader) return refuse(401, 'Unauthorized')
  options.onProven(request.socket)
  const url = new URL(request.url ?? '/', 'http://node')
  const [, root, namespace, name, container, ...rest] = url.pathname.split('/').map(decodeURIComponent)
  if (root !== 'containerLogs' || !namespace || !name || !container || rest.length > 0) return refuse(404, 'not found')
  if (request.method !== 'GET') return refuse(405, 'method not allowed')
  const pod = options.findPod(namespace, name)
  const isKnown = [...(pod?.spec.initContainers ?? []), ...(pod?.spec.containers ?? [])].some(
    (known) => known.name === container,
  )
  const uid = pod?.metadata.uid
  if (uid === undefined) return refuse(404, `pod ${namespace}/${name} does not run on this node`)
  if (!isKnown) return refuse(404, `container ${container} is not in pod ${name}`)
  const query = parseQuery(url.searchParams, options.clock.now())
  if (typeof query === 'string') return refuse(400, query)
  const paths = containerPaths(options.dir, uid, container)
  if (!(await wasStarted(paths))) {
    return refuse(400, `container "${container}" in pod "${name}" is waiting to start`)
  }
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' })
  response.flushHeaders()
  await send(readLog(paths, query, options.clock, AbortSignal.any([gone.signal, closing])), response)
}

/** The log is made before the process is; what could not be started has an exit and no log. */
async function wasStarted(paths: ContainerPaths): Promise<boolean> {
  const log = await ifThere(stat(paths.log), 'ENOENT', 'ENOTDIR')
  return log !== undefined || (await readExit(paths)) !== undefined
}

/** A reader that leaves in the middle is no failure. */
async function send(log: AsyncIterable<Uint8Array>, response: ServerResponse): Promise<void> {
  try {
    await pipeline(Readable.from(log, { objectMode: false }), response)
  } catch (error) {
    if (!hasErrorCode(error, 'ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'EPIPE')) throw error
  }
}

/** The query, or what is wrong with it. */
function parseQuery(params: URLSearchParams, now: Date): LogQuery | string {
  if (isTrue(params.get('previous'))) return 'previous terminated container not found'
  const numbers = { tailLines: Number.NaN, sinceSeconds: Number.NaN, limitBytes: Number.NaN }
  for (const name of ['tailLines', 'sinceSeconds', 'limitBytes'] as const) {
    const value = params.get(name)
    if (value === null) continue
    if (!/^\d{1,15}$/.test(value)) return `${name}: not a number: ${value}`
    numbers[name] = Number(value)
  }
  const sinceTime = params.get('sinceTime')
  const since = sinceTime === null ? now.getTime() - numbers.sinceSeconds * 1000 : Date.parse(sinceTime)
  if (sinceTime !== null && Number.isNaN(since)) return `sinceTime: not a time: ${sinceTime}`
  return {
    follow: isTrue(params.get('follow')),
    timestamps: isTrue(params.get('timestamps')),
    ...(Number.isNaN(numbers.tailLines) ? {} : { tailLines: numbers.tailLines }),
    ...(Number.isNaN(since) ? {} : { since: new Date(since) }),
    ...(Number.isNaN(numbers.limitBytes) ? {} : { limitBytes: numbers.limitBytes }),
  }
}

function isTrue(value: string | null): boolean {
  return value === 'true' || value === '1'
}
