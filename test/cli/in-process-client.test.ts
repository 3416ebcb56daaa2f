import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { connectInProcess } from '../../cli/in-process-client.ts'
import { BUILT_IN_KINDS } from '../../embedded/builtin/kinds.ts'
import { NAMESPACES } from '../../embedded/builtin/namespace.ts'
import { type InProcessApi, makeInProcessApi } from '../../embedded/in-process.ts'
import { makeRegistry } from '../../embedded/registry.ts'
import { openStore } from '../../embedded/storage/store.ts'
import { makeVerbs } from '../../embedded/verbs.ts'
import { CONFIG_MAPS } from '../../kube/resources.ts'
import { isExpired } from '../../kube/types.ts'
import { RequestTimedOut } from '../../kube/unanswered.ts'
import { type TestControlPlane, startEmbedded } from '../helpers/control-plane.ts'
import { manualClock } from '../helpers/clock.ts'
import { recordingLogger } from '../helpers/log.ts'
import { openMemoryEngine } from '../helpers/memory-engine.ts'

const OPTIONS = { userAgent: 'test', fieldManager: 'test', requestTimeoutMs: 30_000 }
const KEY = { namespace: 'default', name: 'a' }
const OBJECT = { apiVersion: 'v1', kind: 'ConfigMap', metadata: KEY, data: { list: 'of a' } }
const never = (): Promise<never> => new Promise(() => undefined)

/** A control plane of which these verbs never answer, as over a disk that stalls. */
function stalled(verbs: readonly (keyof InProcessApi)[]): InProcessApi {
  return new Proxy({} as InProcessApi, { get: (_, verb) => (verbs.some((name) => name === verb) ? never : undefined) })
}

/** A control plane that remembers so few changes that a list can outlast them. */
function forgetful() {
  const store = openStore(openMemoryEngine(), { changes: 2, size: 1_000_000 })
  const clock = manualClock()
  const { logger, lines } = recordingLogger()
  const verbs = makeVerbs({ store, clock, randomBytes, namespaces: NAMESPACES })
  const nodeLogin = { certificate: '', key: '' }
  const registry = makeRegistry(BUILT_IN_KINDS)
  const { signal: stopping } = new AbortController()
  const api = makeInProcessApi({ store, clock, logger, verbs, registry, nodeLogin, stopping })
  const write = (names: readonly string[], expected: number) =>
    store.write(
      names.map((name) => {
        const render = (): string => JSON.stringify({ ...OBJECT, metadata: { namespace: 'default', name } })
        return { type: 'put', key: `configmaps/default/${name}`, expected, render }
      }),
    )
  return { client: connectInProcess(api)(OPTIONS), write, lines }
}

describe('a client in the process of its control plane', () => {
  it('is told to list again where the state of its list is forgotten in the middle of it', async () => {
    const { client, write, lines } = forgetful()
    const names = Array.from({ length: 3000 }, (_, n) => `m-${n}`)
    await write(names, 0)
    const listed = client.list(CONFIG_MAPS).then(
      () => assert.fail('it was whole'),
      (error: unknown) => error,
    )
    await write(['x', 'y', 'z'], 0)
    const error = await listed
    assert.ok(isExpired(error), String(error))
    assert.deepEqual(lines, [])
  })

  it('keeps no tie of watches that were over before they began', async () => {
    const client = connectInProcess(stalled([]))(OPTIONS)
    const { addEventListener, removeEventListener } = EventTarget.prototype
    let ties = 0
    EventTarget.prototype.addEventListener = function (...of) {
      ties += 1
      addEventListener.apply(this, of)
    }
    EventTarget.prototype.removeEventListener = function (...of) {
      ties -= 1
      removeEventListener.apply(this, of)
    }
    try {
      for await (const _ of client.watch(CONFIG_MAPS, { resourceVersion: '0' }, AbortSignal.abort()))
        assert.fail('it told something')
    } finally {
      Object.assign(EventTarget.prototype, { addEventListener, removeEventListener })
    }
    assert.equal(ties, 0)
  })

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
