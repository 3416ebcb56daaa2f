/** The API server that KUBECONFIG names, as tests reach it. */
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { type ApiClient, createClient } from '../../kube/client.ts'
import { loadKubeConfig } from '../../kube/config.ts'
import { NAMESPACES } from '../../kube/resources.ts'
import { type TcpProxy, startTcpProxy } from './tcp-proxy.ts'

const OPTIONS = { userAgent: 'slipway-test/1', fieldManager: 'slipway-test', requestTimeoutMs: 30_000 }

export interface TestCluster {
  readonly direct: ApiClient
  /** Through `proxy`, which the test may break. */
  readonly flaky: ApiClient
  readonly proxy: TcpProxy
  /** The kubeconfig that leads through `proxy`. */
  readonly kubeconfig: string
  /** Makes a namespace of a name of its own, which `end` deletes. */
  makeNamespace(): Promise<string>
  end(): Promise<void>
}

interface KubeConfigFile {
  readonly clusters: readonly { readonly cluster: { server: string } }[]
}

/** @throws Error when KUBECONFIG is not set */
export async function connectCluster(): Promise<TestCluster> {
  const path = process.env['KUBECONFIG']
  if (path === undefined || path === '') throw new Error('KUBECONFIG names the API server to test against')
  const direct = createClient(await loadKubeConfig({ kind: 'file', path }), OPTIONS)
  const file = parse(readFileSync(path, 'utf8')) as KubeConfigFile
  const cluster = file.clusters[0]?.cluster
  if (!cluster) throw new Error(`${path} holds no cluster`)
  const server = new URL(cluster.server)
  const proxy = await startTcpProxy({ host: server.hostname, port: Number(server.port || 443) })
  cluster.server = `https://127.0.0.1:${proxy.port}`
  const kubeconfig = JSON.stringify(file)
  const flaky = createClient(await loadKubeConfig({ kind: 'content', content: kubeconfig }), OPTIONS)
  const namespaces: string[] = []
  /** A test may have deleted it itself. */
  const deleteNamespace = async (name: string): Promise<void> => {
    if ((await direct.find(NAMESPACES, { name })) !== undefined) await direct.delete(NAMESPACES, { name })
  }
  return {
    direct,
    flaky,
    proxy,
    kubeconfig,
    async makeNamespace() {
      const name = `slipway-test-${randomBytes(4).toString('hex')}`
      await direct.create(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
      namespaces.push(name)
      return name
    },
    async end() {
      await Promise.all(namespaces.map(deleteNamespace))
      await Promise.all([direct.close(), flaky.close()])
      await proxy.stop()
    },
  }
}
