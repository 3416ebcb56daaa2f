import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ControlPlane, startControlPlane } from '../../embedded/server.ts'
import { systemClock } from '../../lib/clock.ts'
import { makeLogger } from '../../lib/log.ts'
import { connectKube } from '../helpers/kube-http.ts'
import { WIDGET_DEFINITION } from './rig.ts'
import { describeConformance } from './suite.ts'

describe('the embedded control plane is a Kubernetes API as we rely on it', () => {
  const storeDir = mkdtempSync(join(tmpdir(), 'slipway-conformance-'))
  let controlPlane: ControlPlane | undefined

  const start = (): Promise<ControlPlane> =>
    startControlPlane({
      storeDir,
      crds: [WIDGET_DEFINITION],
      host: '127.0.0.1',
      port: 0,
      clock: systemClock,
      logger: makeLogger('silent'),
      randomBytes,
    })

  describeConformance(async () => {
    // The history of changes begins anew with each start, so that the first versions are too old to watch from.
    await (await start()).stop()
    controlPlane = await start()
    return connectKube(controlPlane.kubeconfig)
  })

  after(async () => {
    await controlPlane?.stop()
    rmSync(storeDir, { recursive: true })
  })
})
