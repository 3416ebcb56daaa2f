/** A port of this machine that leads to pods in the cluster, whichever cluster it is. */
import { once } from 'node:events'
import { type Socket, connect, createServer } from 'node:net'
import { pipeline } from 'node:stream'
import { createClient } from '../../kube/client.ts'
import { loadKubeConfig } from '../../kube/config.ts'
import { forwardPort } from '../../kube/port-forward.ts'
import { PODS } from '../../kube/resources.ts'
import { systemClock } from '../../lib/clock.ts'

const USER_AGENT = 'slipway-e2e'

/**
 * Listens on a port of the loopback interface and answers its URL. Each connection goes to the port `http` of another
 * pod with the label, of those that are ready when it is opened; it ends with that pod.
 *
 * @param name of the one pod that is wanted
 */
export async function forwardPods(namespace: string, labelSelector: string, name?: string): Promise<string> {
  const config = await loadKubeConfig({ kind: 'file', path: process.env['KUBECONFIG'] ?? '' })
  const client = createClient(config, { userAgent: USER_AGENT, fieldManager: USER_AGENT, requestTimeoutMs: 10_000 })
  let turn = 0
  async function forward(socket: Socket): Promise<void> {
    const ending = new AbortController()
    socket.once('close', () => ending.abort())
    const { items } = await client.list(PODS, { namespace, labelSelector }, { signal: ending.signal })
    const ready = items.filter(
      ({ metadata, status }) =>
        (name === undefined || metadata.name === name) &&
        metadata.deletionTimestamp === undefined &&
        status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True'),
    )
    const pod = ready[turn++ % ready.length]
    const port = pod?.spec.containers.flatMap(({ ports = [] }) => ports).find(({ name }) => name === 'http')
    if (pod === undefined || port === undefined) throw new Error(`no pod ${name ?? ''} with ${labelSelector} is ready`)
    const options = { pod: pod.metadata, port: port.containerPort, userAgent: USER_AGENT, clock: systemClock }
    pipeline(socket, await forwardPort(config, { ...options, signal: ending.signal }), socket, () => socket.destroy())
  }
  return listen(forward)
}

/** The same for an address that this machine reaches by itself, without a kubelet in between. */
export async function forwardAddress(host: string, port: number): Promise<string> {
  return listen(async (socket) => pipeline(socket, connect(port, host), socket, () => socket.destroy()))
}

async function listen(forward: (socket: Socket) => Promise<unknown>): Promise<string> {
  // A client sees what is wrong as a connection that breaks, as it would without us.
  const server = createServer((socket) => void forward(socket).catch(() => socket.destroy()))
  server.listen(0, '127.0.0.1').unref()
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  return `http://127.0.0.1:${address.port}`
}
