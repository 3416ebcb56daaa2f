/** A backup from the embedded control plane to the kube-apiserver that KUBECONFIG names, and back. */
import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { WithoutOperator } from '../../cli/backup/import.ts'
import { withoutOperator } from '../../cli/backup/run.ts'
import { makeLogger } from '../../lib/log.ts'
import {
  type Place,
  contentsOf,
  exportFrom,
  fill,
  importInto,
  makePlace,
  matchUids,
  removePlace,
} from '../cli/backup/rig.ts'
import { type TestControlPlane, startEmbedded, startOnCluster } from '../helpers/control-plane.ts'

describe('a backup between one machine and a cluster', function () {
  const started: TestControlPlane[] = []
  const places: Place[] = []
  const path = join(tmpdir(), `slipway-backup-${process.pid}.jsonl.gz`)
  after(async () => {
    for (const place of places) await removePlace(place)
    for (const controlPlane of started) await controlPlane.stop()
    await rm(path, { force: true })
  })
  const open = async (start: () => Promise<TestControlPlane>): Promise<Place> => {
    const controlPlane = await start()
    started.push(controlPlane)
    const place = await makePlace(controlPlane)
    places.push(place)
    return place
  }

  it('has equal content on each way', async () => {
    const machine = await open(startEmbedded)
    const cluster = await open(startOnCluster)
    const back = await open(startEmbedded)
    await fill(machine)
    const signal = new AbortController().signal
    const underLease: WithoutOperator = (...work) =>
      withoutOperator({ ...cluster, isExclusive: false }, makeLogger('silent'), signal, work)
    await exportFrom(machine, path)
    await importInto(cluster, path, { withoutOperator: underLease })
    assert.deepEqual(await contentsOf(cluster), await contentsOf(machine, await matchUids(machine, cluster)))
    await exportFrom(cluster, path)
    await importInto(back, path)
    assert.deepEqual(await contentsOf(back), await contentsOf(machine, await matchUids(machine, back)))
    const again = await importInto(cluster, path, { withoutOperator: underLease })
    assert.equal(again.objects, 0)
  })
})
