/** A control plane with our CRDs: the embedded one, or the real kube-apiserver that KUBECONFIG names. */
import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import { connectInProcess } from '../../cli/in-process-client.ts'
import { startControlPlane } from '../../embedded/server.ts'
import type { ApiClient } from '../../kube/client.ts'
import { NAMESPACES } from '../../kube/resources.ts'
import { systemClock } from '../../lib/clock.ts'
import { makeLogger } from '../../lib/log.ts'
import { connectCluster } from './cluster.ts'
import { applyCrds } from './crd-suite.ts'

const CRDS = fileURLToPath(new URL('../../../crds/', import.meta.url))

export interface TestControlPlane {
  readonly client: ApiClient
  /** Makes a namespace of a name of its own; `stop` takes it away. */
  makeNamespace(): Promise<string>
  /** Ends the server alone; calls fail from then on, with ECONNREFUSED. */
  stopServer(): Promise<void>
  /** Starts it again after stopServer, on the same port and data. */
  startServer(): Promise<void>
  /** The kubeconfig, and where it leads. */
  readonly kubeconfig: string
  readonly port: number
  stop(): Promise<void>
}

/** Whether the tests run on the kube-apiserver that KUBECONFIG names. */
export const IS_CLUSTER = process.env['SLIPWAY_TEST_CONTROL_PLANE'] === 'cluster'

export function startTestControlPlane(): Promise<TestControlPlane> {
  return IS_CLUSTER ? startOnCluster() : startEmbedded()
}

export async function startEmbedded(): Promise<TestControlPlane> {
  const storeDir = await mkdtemp(join(tmpdir(), 'slipway-store-'))
  const crds = await readCrds()
  const start = () =>
    startControlPlane({
      storeDir,
      crds,
      host: '127.0.0.1',
      port: 0,
      clock: systemClock,
      logger: makeLogger('silent'),
      randomBytes,
    })
  let server = await start()
  // Of the server that runs now.
  const api = new Proxy(server.api, { get: (_, verb) => Reflect.get(server.api, verb) })
  const client = connectInProcess(api)({ userAgent: 'test', fieldManager: 'test', requestTimeoutMs: 30_000 })
  let stopping: Promise<void> | undefined
  const stopServer = (): Promise<void> => (stopping ??= server.stop())
  return {
    client,
    kubeconfig: server.kubeconfig,
    port: Number(new URL(server.url).port),
    async makeNamespace() {
      const name = `test-${randomBytes(4).toString('hex')}`
      await client.create(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
      return name
    },
    stopServer,
    async startServer() {
      server = await start()
      stopping = undefined
    },
    async stop() {
      await client.close()
      await stopServer()
      await rm(storeDir, { recursive: true, force: true })
    },
  }
}

let crdsApplied: Promise<void> | undefined

/** The real server is everybody's: what is stopped and started is the way to it. The CRDs stay. */
export async function startOnCluster(): Promise<TestControlPlane> {
  const cluster = await connectCluster()
  await (crdsApplied ??= applyCrds(cluster.direct, 'default'))
  return {
    client: cluster.flaky,
    kubeconfig: cluster.kubeconfig,
    port: cluster.proxy.port,
    makeNamespace: () => cluster.makeNamespace(),
    stopServer: () => cluster.proxy.cut(),
    startServer: () => cluster.proxy.resume(),
    stop: () => cluster.end(),
  }
}

async function readCrds(): Promise<unknown[]> {
  const names = (await readdir(CRDS)).filter((name) => name.endsWith('.yaml'))
  return Promise.all(names.map(async (name): Promise<unknown> => parse(await readFile(join(CRDS, name), 'utf8'))))
}
