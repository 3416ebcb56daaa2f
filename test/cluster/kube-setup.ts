import { readFileSync } from 'node:fs'
import { randomBytes } from 'node:crypto'
import { parse } from 'yaml'
import type { ApiClient } from '../../kube/client.ts'
import { createClient } from '../../kube/client.ts'
import { loadKubeConfig } from '../../kube/config.ts'
import { NAMESPACES } from '../../kube/resources.ts'
import { isAlreadyExists } from '../../kube/types.ts'
import type { FlakyProxy } from './kube-flaky-proxy.ts'
import { startFlakyProxy } from './kube-flaky-proxy.ts'

const OPTIONS = { userAgent: 'slipway-test/1', fieldManager: 'slipway-test', requestTimeoutMs: 10_000 }

/** A namespace of its own on the API server that KUBECONFIG names, and two ways to reach it. */
export interface Rig {
  readonly namespace: string
  readonly direct: ApiClient
  /** Through a proxy that the test may break. */
  readonly flaky: ApiClient
  readonly proxy: FlakyProxy
  end(): Promise<void>
}

interface KubeConfigFile {
  readonly clusters: readonly { readonly cluster: { server: string } }[]
}

/** @throws Error when KUBECONFIG is not set */
export async function setUpRig(): Promise<Rig> {
  const path = process.env['KUBECONFIG']
  if (path === undefined || path === '') throw new Error('KUBECONFIG names the API server to test against')
  const direct = createClient(await loadKubeConfig({ kind: 'file', path }), OPTIONS)
  const file = parse(readFileSync(path, 'utf8')) as KubeConfigFile
  const cluster = file.clusters[0]?.cluster
  if (!cluster) throw new Error(`${path} holds no cluster`)
  const server = new URL(cluster.server)
  const proxy = await startFlakyProxy({ host: server.hostname, port: Number(server.port || 443) })
  cluster.server = `https://127.0.0.1:${proxy.port}`
  const flaky = createClient(await loadKubeConfig({ kind: 'content', content: JSON.stringify(file) }), OPTIONS)
  const namespace = `slipway-kube-${randomBytes(4).toString('hex')}`
  await direct.create(NAMESPACES, { metadata: { name: namespace } }).catch((error: unknown) => {
    if (!isAlreadyExists(error)) throw error
  })
  return {
    namespace,
    direct,
    flaky,
    proxy,
    async end() {
      await direct.delete(NAMESPACES, { name: namespace })
      await Promise.all([direct.close(), flaky.close()])
      await proxy.close()
    },
  }
}
