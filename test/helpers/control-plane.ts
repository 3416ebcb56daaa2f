/** The embedded control plane with our CRDs, in a folder of its own. */
import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import { startControlPlane } from '../../embedded/server.ts'
import type { ApiClient } from '../../kube/client.ts'
import { createClient } from '../../kube/client.ts'
import { loadKubeConfig } from '../../kube/config.ts'
import { systemClock } from '../../lib/clock.ts'
import { makeLogger } from '../../lib/log.ts'

const CRDS = fileURLToPath(new URL('../../../crds/', import.meta.url))

export interface TestControlPlane {
  readonly client: ApiClient
  /** Ends the server alone; calls fail from then on. */
  stopServer(): Promise<void>
  /** Starts it again after stopServer, on the same port and data. */
  startServer(): Promise<void>
  /** The kubeconfig, and where it leads. */
  readonly kubeconfig: string
  readonly port: number
  stop(): Promise<void>
}

export async function startTestControlPlane(): Promise<TestControlPlane> {
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
  const config = await loadKubeConfig({ kind: 'content', content: server.kubeconfig })
  const client = createClient(config, { userAgent: 'test', fieldManager: 'test', requestTimeoutMs: 5000 })
  let stopping: Promise<void> | undefined
  const stopServer = (): Promise<void> => (stopping ??= server.stop())
  return {
    client,
    kubeconfig: server.kubeconfig,
    port: Number(new URL(server.url).port),
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

async function readCrds(): Promise<unknown[]> {
  const names = (await readdir(CRDS)).filter((name) => name.endsWith('.yaml'))
  return Promise.all(names.map(async (name): Promise<unknown> => parse(await readFile(join(CRDS, name), 'utf8'))))
}
