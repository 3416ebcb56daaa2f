import assert from 'node:assert/strict'
import { connectInProcess } from '../../cli/in-process-client.ts'
import type { InProcessApi } from '../../embedded/in-process.ts'
import { CONFIG_MAPS } from '../../kube/resources.ts'
import { RequestTimedOut } from '../../kube/unanswered.ts'
import type { TestControlPlane } from '../helpers/control-plane.ts'
import { startEmbedded } from '../helpers/control-plane.ts'
import { manualClock } from '../helpers/clock.ts'

const OPTIONS = { userAgent: 'test', fieldManager: 'test', requestTimeoutMs: 30_000 }
const KEY = { namespace: 'default', name: 'a' }
const OBJECT = { apiVersion: 'v1', kind: 'ConfigMap', metadata: KEY, data: { list: 'of a' } }
const never = (): Promise<never> => new Promise(() => undefined)

/** A control plane of which these verbs never answer, as over a disk that stalls. */
function stalled(verbs: readonly (keyof InProcessApi)[]): InProcessApi {
  return new Proxy({} as InProcessApi, { get: (_, verb) => (verbs.some((name) => name === verb) ? never : undefined) })
}

describe('a client in the process of its control plane', () => {
  it('says of a call without an answer whether it was a write, once its time is over', async () => {
    const clock = manualClock()
    const client = connectInProcess(stalled(['create', 'list']))({ ...OPTIONS, objectTimeoutMs: 5000, clock })
    const isLost = (isWrite: boolean) => (error: unknown) =>
      error instanceof RequestTimedOut && error.isWrite === isWrite
    const created = assert.rejects(client.create(CONFIG_MAPS, OBJECT), isLost(true))
    const listed = assert.rejects(client.list(CONFIG_MAPS), isLost(false))
    await clock.advance(5000)
    await created
    await clock.advance(25_000)
    await listed
  })

  it('waits no longer for a call whose signal aborts, or that was under way when it was closed', async () => {
    const client = connectInProcess(stalled(['create']))(OPTIONS)
    const over = new AbortController()
    const reason = new Error('enough')
    const aborted = client.create(CONFIG_MAPS, OBJECT, { signal: over.signal })
    over.abort(reason)
    await assert.rejects(aborted, reason)
    const open = client.create(CONFIG_MAPS, OBJECT)
    await client.close()
    await assert.rejects(open, /the client is closed/)
  })

  describe('with objects', () => {
    let controlPlane: TestControlPlane
    before(async () => {
      controlPlane = await startEmbedded()
    })
    after(() => controlPlane.stop())

    it('gives all readers of a version the same, which none of them can change', async () => {
      const { client } = controlPlane
      const written = await client.create(CONFIG_MAPS, OBJECT)
      assert.equal(await client.get(CONFIG_MAPS, KEY), written)
      const listed = (await client.list(CONFIG_MAPS, { namespace: 'default' })).items
      for (const object of [written, ...listed])
        for (const part of [object, object.metadata, object.data ?? assert.fail('no data')])
          assert.ok(Object.isFrozen(part))
    })
  })
})
