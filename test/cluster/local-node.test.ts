/** What `--cluster --local-node` makes of this machine, on the kube-apiserver that KUBECONFIG names. */
import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { connectCluster } from '../../cli/control-plane.ts'
import { openLocalEnvironment, placementOn, startLocalNode } from '../../cli/local-node.ts'
import { LABELS } from '../../core/names.ts'
import type { Node } from '../../kube/builtin.ts'
import { NODES, PODS, SERVICE_ACCOUNTS } from '../../kube/resources.ts'
import { loadConfig } from '../../lib/config.ts'
import { makeLogger } from '../../lib/log.ts'
import { until } from '../helpers/until.ts'
import { newRoot, script } from '../node/given.ts'
import type { Rig } from './kube-setup.ts'
import { setUpRig } from './kube-setup.ts'

describe('this machine as a node of a cluster', () => {
  let rig: Rig
  let root: string
  const stops: (() => Promise<unknown>)[] = []
  before(async () => {
    rig = await setUpRig()
    root = await newRoot()
    // Without it the API server refuses pods.
    const account = { namespace: rig.namespace, name: 'default' }
    const hasAccount = async (): Promise<boolean> => (await rig.direct.find(SERVICE_ACCOUNTS, account)) !== undefined
    await until('the namespace has its service account', hasAccount)
  })
  after(async () => {
    for (const stop of stops.toReversed()) await stop()
    await rig.end()
    await rm(root, { recursive: true, force: true })
  })

  /** As a server does with a data folder of its own; the Node that it registered. */
  async function serve(folder: string): Promise<Node> {
    const kubeconfig = process.env['KUBECONFIG'] ?? ''
    const flags = { kubeconfig, namespace: rig.namespace, dataDir: join(root, folder) }
    const config = loadConfig({ flags, env: {} })
    const access = await connectCluster(config)
    stops.push(access.close)
    const local = await openLocalEnvironment(config, access, Promise.resolve({ kind: 'none', text: '' }))
    const node = await startLocalNode(config, access, local, makeLogger('silent'))
    stops.push(() => node.stop({ endPods: true }))
    return rig.direct.get(NODES, { name: local.node.name })
  }

  it('has a name per data folder, a taint, an address that the API server reaches, and runs what is placed on it', async () => {
    const [first, second] = [await serve('a'), await serve('b')]
    assert.notEqual(first.metadata.name, second.metadata.name)
    assert.match(first.metadata.name, /^slipway-/)
    assert.deepEqual(first.status?.addresses, [{ type: 'InternalIP', address: '127.0.0.1' }])
    assert.ok(first.spec?.taints?.some(({ key }) => key === 'slipway.dev/local-node'))
    const key = { namespace: rig.namespace, name: 'ours' }
    const containers = [{ ...script('main', 'echo here'), image: 'none' }]
    const spec = { restartPolicy: 'Never', automountServiceAccountToken: false, containers } as const
    const labels = { [LABELS.execution]: 'task-a-1' }
    await rig.direct.create(PODS, {
      metadata: { ...key, labels },
      spec: { ...spec, ...placementOn(second.metadata.name) },
    })
    const pod = () => rig.direct.get(PODS, key)
    await until('the pod has ended', async () => (await pod()).status?.phase === 'Succeeded')
    assert.equal((await pod()).spec.nodeName, second.metadata.name)
    const read = async (): Promise<string> => {
      const chunks: Uint8Array[] = []
      for await (const chunk of rig.direct.podLog(key, {}, new AbortController().signal)) chunks.push(chunk)
      return Buffer.concat(chunks).toString()
    }
    // Signing the certificate takes the cluster a moment.
    await until('its log is shown', async () => (await read().catch(() => '')) === 'here\n')
  })
})
