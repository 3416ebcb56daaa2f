import { createClient } from '../../kube/client.ts'
import { loadKubeConfig } from '../../kube/config.ts'
import { type TestControlPlane, startEmbedded } from '../helpers/control-plane.ts'
import { describeClient } from './client.ts'

/** The history of changes begins anew with each start, so that the first versions are too old to watch from. */
async function startAgain(): Promise<TestControlPlane> {
  const controlPlane = await startEmbedded()
  await controlPlane.stopServer()
  await controlPlane.startServer()
  return controlPlane
}

describe('a client of the embedded control plane over HTTP', () => {
  describeClient(async () => {
    const controlPlane = await startAgain()
    const config = await loadKubeConfig({ kind: 'content', content: controlPlane.kubeconfig })
    const client = createClient(config, { userAgent: 'test', fieldManager: 'test', requestTimeoutMs: 30_000 })
    return { controlPlane, client }
  }, '1')
})

describe('a client of the embedded control plane in its process', () => {
  describeClient(async () => {
    const controlPlane = await startAgain()
    return { controlPlane, client: controlPlane.client }
  }, '1')
})
