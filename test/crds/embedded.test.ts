import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'yaml'
import { type ControlPlane, startControlPlane } from '../../embedded/server.ts'
import { type ApiClient, createClient } from '../../kube/client.ts'
import { loadKubeConfig } from '../../kube/config.ts'
import { systemClock } from '../../lib/clock.ts'
import { describeRatcheting } from '../helpers/crd-ratcheting.ts'
import { describeCrds } from '../helpers/crd-suite.ts'
import { recordingLogger } from '../helpers/log.ts'
import { CRD_FOLDER } from './documents.ts'

describe('our CRDs on the embedded control plane', () => {
  let folder: string
  let controlPlane: ControlPlane
  let client: ApiClient

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'slipway-crds-'))
    const files = readdirSync(CRD_FOLDER).map((file) => readFileSync(join(CRD_FOLDER, file), 'utf8'))
    controlPlane = await startControlPlane({
      storeDir: join(folder, 'store'),
      crds: files.map((text): unknown => parse(text)),
      host: '127.0.0.1',
      port: 0,
      clock: systemClock,
      logger: recordingLogger().logger,
      randomBytes,
    })
    const config = await loadKubeConfig({ kind: 'content', content: controlPlane.kubeconfig })
    client = createClient(config, { userAgent: 'slipway-test', fieldManager: 'slipway-test', requestTimeoutMs: 30_000 })
  })

  after(async () => {
    await client.close()
    await controlPlane.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  describeCrds(() => ({ client, namespace: 'default' }))

  describe('when they have become stricter', () => describeRatcheting(() => ({ client, namespace: 'default' })))
})
