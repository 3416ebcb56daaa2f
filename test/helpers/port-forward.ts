/** A stand-in of a cluster with one Service: what `kubectl port-forward` needs of the Kubernetes API, over real WebSockets. */
import { once } from 'node:events'
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import { type AddressInfo, type Socket, connect } from 'node:net'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'

export interface FakePod {
  readonly name: string
  readonly isReady: boolean
  /** Where its port 8080 leads on this machine; the kubelet says that the pod refuses if nothing listens there. */
  readonly port: number
}

export interface Refusal {
  readonly code: number
  readonly reason: string
}

export interface FakeCluster {
  readonly url: string
  readonly kubeconfig: string
  /** Of what was asked for, in order: `GET /api/v1/…`, without the query. */
  readonly requests: readonly string[]
  /** Forwarded connections that are open. */
  connections(): number
  pods: readonly FakePod[]
  /** Whether the namespace and its Service exist. */
  hasNamespace: boolean
  hasService: boolean
  /** Paths that end so are refused. */
  readonly refusals: Map<string, Refusal>
  /** As a pod that is deleted: its forwarded connections end. */
  endConnections(): void
  close(): Promise<void>
}

export const SECRET_TOKEN = 'token-of-the-secret'
const NAMESPACE_PATH = '/api/v1/namespaces/ns'

/** @param answersPings false: as a node that is gone without a word */
export async function startFakeCluster(answersPings = true): Promise<FakeCluster> {
  const requests: string[] = []
  const sockets = new Set<WebSocket>()
  const upgrades = new WebSocketServer({
    noServer: true,
    autoPong: answersPings,
    handleProtocols: () => 'v4.channel.k8s.io',
  })
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${pathOf(request)}`)
    answer(cluster, pathOf(request), response)
  })
  server.on('upgrade', (request, socket: Duplex, head) => {
    requests.push(`${request.method} ${pathOf(request)}`)
    const refusal = findRefusal(cluster, pathOf(request))
    if (refusal !== undefined) {
      socket.end(formatRefusal(refusal))
      return
    }
    upgrades.handleUpgrade(request, socket, head, (opened) => {
      sockets.add(opened)
      opened.once('close', () => sockets.delete(opened))
      const pod = cluster.pods.find(({ name }) => pathOf(request).endsWith(`/pods/${name}/portforward`))
      forward(opened, connect(pod?.port ?? 0, '127.0.0.1'))
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const url = `http://127.0.0.1:${portOf(server.address())}`
  const cluster: FakeCluster = {
    url,
    kubeconfig: kubeconfigFor(url),
    requests,
    connections: () => sockets.size,
    pods: [],
    hasNamespace: true,
    hasService: true,
    refusals: new Map(),
    endConnections: () => sockets.forEach((socket) => socket.terminate()),
    async close() {
      cluster.endConnections()
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return cluster
}

export function portOf(address: AddressInfo | string | null): number {
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** As a kubelet: the port on both channels first, then the bytes; an error as text on channel 1. */
function forward(socket: WebSocket, target: Socket): void {
  for (const channel of [0, 1]) socket.send(Buffer.from([channel, 8080 & 0xff, 8080 >> 8]))
  socket.on('message', (message: Buffer) => target.write(message.subarray(1)))
  target.on('data', (bytes: Buffer) => socket.send(Buffer.concat([Buffer.of(0), bytes])))
  target.on('error', (error) =>
    socket.send(Buffer.concat([Buffer.of(1), Buffer.from(`cannot forward: ${error.message}`)])),
  )
  target.on('close', () => socket.close())
  socket.on('close', () => target.destroy())
}

function answer(cluster: FakeCluster, path: string, response: ServerResponse): void {
  const refusal = findRefusal(cluster, path)
  const body = refusal === undefined ? objectAt(cluster, path) : toStatus(refusal)
  const missing = { code: 404, reason: 'NotFound' }
  response.writeHead(refusal?.code ?? (body === undefined ? 404 : 200), { 'content-type': 'application/json' })
  response.end(JSON.stringify(body ?? toStatus(missing)))
}

function objectAt({ pods, hasNamespace, hasService }: FakeCluster, path: string): object | undefined {
  if (path === NAMESPACE_PATH) return hasNamespace ? { metadata: { name: 'ns' } } : undefined
  if (path === `${NAMESPACE_PATH}/services/slipway-api-server`) return hasService ? SERVICE : undefined
  if (path === `${NAMESPACE_PATH}/pods`) return { metadata: { resourceVersion: '1' }, items: pods.map(toPod) }
  if (path !== `${NAMESPACE_PATH}/secrets/api-token`) return undefined
  return { metadata: { name: 'api-token' }, data: { token: Buffer.from(`${SECRET_TOKEN}\n`).toString('base64') } }
}

const SERVICE = {
  metadata: { name: 'slipway-api-server', namespace: 'ns' },
  spec: {
    selector: { part: 'api-server' },
    ports: [
      { name: 'metrics', port: 9464 },
      { name: 'http', port: 80, targetPort: 'http' },
    ],
  },
}

function toPod({ name, isReady }: FakePod): object {
  const env = [{ name: 'SLIPWAY_TOKEN', valueFrom: { secretKeyRef: { name: 'api-token', key: 'token' } } }]
  return {
    metadata: { name, namespace: 'ns' },
    spec: { containers: [{ name: 'api-server', env, ports: [{ name: 'http', containerPort: 8080 }] }] },
    status: { conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False' }] },
  }
}

function findRefusal({ refusals }: FakeCluster, path: string): Refusal | undefined {
  return [...refusals].find(([end]) => path.endsWith(end))?.[1]
}

function toStatus({ code, reason }: Refusal): object {
  return { kind: 'Status', code, reason, message: `the stand-in says ${reason}` }
}

function formatRefusal(refusal: Refusal): string {
  const body = JSON.stringify(toStatus(refusal))
  return `HTTP/1.1 ${refusal.code} Refused\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`
}

function pathOf({ url = '/' }: IncomingMessage): string {
  return new URL(url, 'http://cluster').pathname
}

function kubeconfigFor(server: string): string {
  return JSON.stringify({
    clusters: [{ name: 'fake', cluster: { server, 'insecure-skip-tls-verify': true } }],
    users: [{ name: 'tester', user: { token: 'login-of-tester' } }],
    contexts: [
      { name: 'fake', context: { cluster: 'fake', user: 'tester', namespace: 'ns' } },
      { name: 'other', context: { cluster: 'fake', user: 'tester' } },
    ],
    'current-context': 'fake',
  })
}
