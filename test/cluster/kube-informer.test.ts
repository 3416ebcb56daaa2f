import assert from 'node:assert/strict'
import { systemClock } from '../../lib/clock.ts'
import type { ConfigMap } from '../../kube/builtin.ts'
import { type Informer, createInformer, withoutManagedFields } from '../../kube/informer.ts'
import { CONFIG_MAPS, TASKS } from '../../kube/resources.ts'
import { isExpired } from '../../kube/types.ts'
import { applyCrds } from '../helpers/crd-suite.ts'
import { recordingLogger } from '../helpers/log.ts'
import { until } from '../helpers/until.ts'
import { type Rig, setUpRig } from './kube-setup.ts'

const COUNT = 2000

describe('an informer on a real kube-apiserver', function () {
  let rig: Rig
  let stop: AbortController
  let running: Promise<void>
  let informer: Informer<ConfigMap>

  before(async () => {
    rig = await setUpRig()
    await inParallel(COUNT, (i) => rig.direct.create(CONFIG_MAPS, aConfigMap(`cm-${i}`)))
    stop = new AbortController()
    informer = createInformer({
      client: rig.flaky,
      resource: CONFIG_MAPS,
      namespace: rig.namespace,
      clock: systemClock,
      random: Math.random,
      logger: recordingLogger().logger,
      indexes: { parity: ({ data }) => [Number(data?.['i']) % 2 === 0 ? 'even' : 'odd'] },
      transform: withoutManagedFields,
      pageSize: 300,
      stallAfterMs: 2000,
      backoff: { baseMs: 50, maxMs: 500 },
    })
    running = informer.run(stop.signal)
    await informer.synced
  })
  after(async () => {
    stop.abort()
    await running
    await rig.end()
  })

  const aConfigMap = (name: string): ConfigMap => ({
    metadata: { name, namespace: rig.namespace },
    data: { i: name.slice(3) },
  })
  const key = (name: string) => ({ namespace: rig.namespace, name })
  const versions = (objects: readonly ConfigMap[]) =>
    objects.map(({ metadata }) => `${metadata.name}@${metadata.resourceVersion}`).sort()
  const isRight = async (): Promise<boolean> => {
    const { items } = await rig.direct.list(CONFIG_MAPS, { namespace: rig.namespace })
    return versions(items).join() === versions(informer.list()).join()
  }
  /** Deletes, changes and adds behind the informer's back. */
  const change = async (from: number): Promise<void> => {
    await inParallel(50, (i) => rig.direct.delete(CONFIG_MAPS, key(`cm-${from + i}`)))
    await inParallel(50, (i) => rig.direct.mergePatch(CONFIG_MAPS, key(`cm-${from + 50 + i}`), { data: { x: 'y' } }))
    await inParallel(50, (i) => rig.direct.create(CONFIG_MAPS, aConfigMap(`cm-${COUNT + from + i}`)))
  }

  it('holds every object after listing in pages, indexed and without managed fields', async () => {
    // A controller puts a ConfigMap of its own into each new namespace.
    await until('the cache agrees with the server', isRight)
    assert.ok(informer.list().length >= COUNT)
    assert.equal(informer.byIndex('parity', 'even').length, COUNT / 2)
    assert.ok(!('managedFields' in (informer.get(key('cm-1'))?.metadata ?? {})))
  })

  it('shows a written object at once, and the watch changes nothing about it', async () => {
    const written = await rig.direct.create(CONFIG_MAPS, aConfigMap('cm-100000'))
    informer.observe(written)
    assert.equal(informer.get(key('cm-100000'))?.metadata.resourceVersion, written.metadata.resourceVersion)
    await until('the cache agrees with the server', isRight)
  })

  it('follows changes while connected', async () => {
    await change(0)
    await until('the cache agrees with the server', isRight)
  })

  it('is right again after its connections were cut and refused for a while', async () => {
    await rig.proxy.cut()
    await change(200)
    await until('the failure shows', () => informer.lastError() !== undefined)
    await rig.proxy.resume()
    await until('the cache agrees with the server', isRight)
    assert.equal(informer.lastError(), undefined)
  })

  it('is right again after its connections went dead without a word', async () => {
    await until('the watch is open', () => rig.proxy.connections() > 0)
    rig.proxy.hang()
    await change(400)
    await rig.proxy.resume()
    await until('the cache agrees with the server', isRight)
  })

  it('learns from a watch whose version is long gone that it has expired', async () => {
    // The server's cache of a custom kind begins when its CRD is made; that of a built-in kind may begin at version 1.
    await applyCrds(rig.direct, rig.namespace)
    const watch = rig.direct.watch(TASKS, { resourceVersion: '1' }, stop.signal)
    await assert.rejects(
      async () => {
        for await (const _ of watch) assert.fail('an event came')
      },
      (error) => isExpired(error),
    )
  })
})

/** Runs `task` for 0 to count - 1, sixteen at a time. */
async function inParallel(count: number, task: (i: number) => Promise<unknown>): Promise<void> {
  let next = 0
  const work = async (): Promise<void> => {
    while (next < count) await task(next++)
  }
  await Promise.all(Array.from({ length: 16 }, work))
}
