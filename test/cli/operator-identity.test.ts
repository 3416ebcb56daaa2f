import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type MetricsRegistry, openMetrics } from '../../lib/metrics.ts'
import { loadConfig } from '../../lib/config.ts'
import { makeLogger } from '../../lib/log.ts'
import { LEASES } from '../../kube/resources.ts'
import { startClusterOperator } from '../../cli/cluster-operator.ts'
import { type TestControlPlane, startTestControlPlane } from '../helpers/control-plane.ts'
import { parseExposition, sumOf } from '../helpers/exposition.ts'
import { until } from '../helpers/until.ts'

/** As in two containers: each has its own process ids, and a StatefulSet or a fixed hostname gives both one name. */
describe('two operators of one host name and one process id', () => {
  let controlPlane: TestControlPlane
  let namespace: string
  before(async () => {
    controlPlane = await startTestControlPlane()
    namespace = await controlPlane.makeNamespace()
  })
  const volumeRoot = mkdtempSync(join(tmpdir(), 'slipway-volume-'))
  after(async () => {
    await controlPlane.stop()
    rmSync(volumeRoot, { recursive: true })
  })

  const start = async () => {
    const metrics = await openMetrics()
    const access = {
      client: controlPlane.client,
      as: () => controlPlane.client,
      namespace,
      kubeconfigPath: '',
      isExclusive: false,
      text: '',
      place: { kind: 'cluster', server: '' } as const,
      close: () => Promise.resolve(),
    }
    const served = { metrics, url: '', stop: () => Promise.resolve() }
    const operator = await startClusterOperator(
      loadConfig({ flags: { volumeRoot }, env: {} }),
      access,
      makeLogger('silent'),
      served,
    )
    await operator.ready
    return { operator, metrics }
  }
  const leads = async (metrics: MetricsRegistry): Promise<boolean> =>
    sumOf(parseExposition(await metrics.text()), 'slipway_leader') === 1
  const holder = async (): Promise<string> =>
    (await controlPlane.client.get(LEASES, { namespace, name: 'slipway-operator' })).spec?.holderIdentity ?? ''

  it('never lead at once: the second takes over when the first has stopped', async () => {
    const first = await start()
    await until('the first leads', () => leads(first.metrics))
    const second = await start()
    try {
      const held = await holder()
      assert.equal(await leads(second.metrics), false)
      assert.equal(await leads(first.metrics), true)
      await first.operator.stop()
      await until('the second leads', () => leads(second.metrics))
      assert.notEqual(await holder(), held)
    } finally {
      await second.operator.stop()
    }
  })
})
