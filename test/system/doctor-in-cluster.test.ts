import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeBelonging } from '../../lib/belonging.ts'
import { type TestControlPlane, startEmbedded } from '../helpers/control-plane.ts'
import { type FakeCluster, startFakeCluster } from '../helpers/port-forward.ts'
import { type StartedSlipway, runSlipway, startSlipway } from '../helpers/slipway.ts'
import { until } from '../helpers/until.ts'

describe('slipway doctor, asked about a cluster', () => {
  let folder: string
  let controlPlane: TestControlPlane
  let server: StartedSlipway
  let cluster: FakeCluster
  let namespace: string
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'slipway-doctor-'))
    controlPlane = await startEmbedded()
    namespace = await controlPlane.makeNamespace()
    writeFileSync(join(folder, 'kubeconfig'), controlPlane.kubeconfig)
    const place = ['--kubeconfig', join(folder, 'kubeconfig'), '--namespace', namespace, '--volume-root', folder]
    server = await startSlipway(['api-server', '--listen', '127.0.0.1:0', ...place])
    cluster = await startFakeCluster()
    cluster.pods = [{ name: 'api-server-1', isReady: true, port: Number(new URL(server.url).port) }]
    writeFileSync(join(folder, 'forwarding'), cluster.kubeconfig)
  })
  after(async () => {
    await server.stop()
    await cluster.close()
    await controlPlane.stop()
    rmSync(folder, { recursive: true })
  })
  const diagnose = async () => {
    const args = ['doctor', '--kubeconfig', join(folder, 'forwarding'), '-n', 'ns', '--data-dir', folder]
    return (await runSlipway(args)).output
  }

  it('shows what its operator holds back of the data volume, and the command that decides', async () => {
    assert.doesNotMatch(await diagnose(), /^fail +volume/m)
    const held = { uid: 'a', unowned: 7, text: 'the data volume belongs to another' }
    await writeBelonging(folder, namespace, { held })
    await until('/readyz says so', async () => (await (await fetch(`${server.url}/readyz`)).text()).includes(held.text))
    const said = await diagnose()
    assert.match(said, /^fail +volume +the data volume belongs to another$/m)
    assert.match(said, /→ kubectl --namespace ns exec deploy\/slipway-operator -- slipway adopt$/m)
  })
})
