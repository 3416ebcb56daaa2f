import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LEASES } from '../../kube/resources.ts'
import { type TestControlPlane, startTestControlPlane } from '../helpers/control-plane.ts'
import { startSlipway } from '../helpers/slipway.ts'
import { until } from '../helpers/until.ts'

describe('an operator that nothing probes', () => {
  let controlPlane: TestControlPlane
  let folder: string
  before(async () => {
    controlPlane = await startTestControlPlane()
    folder = await mkdtemp(join(tmpdir(), 'slipway-outage-'))
  })
  after(async () => {
    await controlPlane.stop()
    await rm(folder, { recursive: true, force: true })
  })

  // No listener and no connection is left then that would keep a process of Node alive.
  it('outlives an outage of the API server, and leads on', async () => {
    const namespace = await controlPlane.makeNamespace()
    const kubeconfig = join(folder, 'kubeconfig')
    await writeFile(kubeconfig, controlPlane.kubeconfig, { mode: 0o600 })
    const renewTime = async () =>
      (await controlPlane.client.get(LEASES, { namespace, name: 'slipway-operator' })).spec?.renewTime
    const flags = ['--namespace', namespace, '--data-dir', folder, '--volume-root', folder, '--health-listen', 'off']
    const operator = await startSlipway(['operator', '--kubeconfig', kubeconfig, ...flags])
    try {
      await until('it leads', async () => (await renewTime().catch(() => undefined)) !== undefined)
      const before = await renewTime()
      await controlPlane.stopServer()
      await until('it has seen the outage', () => operator.output().includes('cannot be watched'))
      await controlPlane.startServer()
      await until('it renews its Lease', async () => (await renewTime()) !== before)
      assert.equal(operator.child.exitCode, null)
      assert.equal(await operator.stop(), 0)
    } finally {
      await operator.kill()
    }
  })
})
