import assert from 'node:assert/strict'
import type { JsonObject } from '../../embedded/schema/json.ts'
import { at } from '../helpers/kube-http.ts'
import { until } from '../helpers/until.ts'
import { type Rig, aConfigMap, assertStatus, aWidget, CORE, given, GROUP, MERGE, WIDGETS } from './rig.ts'

/** A real garbage collector looks for new kinds every 30 s; until then it knows neither owner nor dependent. */
const COLLECTOR_MS = 90_000

/** An owner that never was. */
const GHOST = { metadata: { name: 'ghost', uid: '00000000-0000-0000-0000-000000000000' } }

/** Finalizers, preconditions and owner references: wire.md B3. */
export function describeDeletion(rig: () => Rig): void {
  const widgets = (): string => WIDGETS(rig().namespace)
  const maps = (): string => CORE(rig().namespace, 'configmaps')
  const send = (...args: Parameters<Rig['http']['send']>) => rig().http.send(...args)
  const statusOf = async (path: string): Promise<number> => (await send('GET', path)).status

  function ownedBy(owner: JsonObject, more: JsonObject = {}): JsonObject {
    const name = at(owner, 'metadata.name') ?? ''
    const uid = at(owner, 'metadata.uid') ?? ''
    return { ownerReferences: [{ apiVersion: `${GROUP}/v1`, kind: 'Widget', name, uid, ...more }] }
  }

  describe('a finalizer', () => {
    it('keeps a deleted object until it is removed', async () => {
      await given(rig(), widgets(), aWidget('held', {}, { finalizers: ['example.com/hold'] }))
      const deleted = await send('DELETE', `${widgets()}/held`)
      assert.equal(deleted.status, 200)
      assert.notEqual(at(deleted.body, 'metadata.deletionTimestamp'), undefined)
      assert.equal(await statusOf(`${widgets()}/held`), 200)
      const again = await send('DELETE', `${widgets()}/held`)
      assert.equal(at(again.body, 'metadata.resourceVersion'), at(deleted.body, 'metadata.resourceVersion'))
      assert.equal((await send('PATCH', `${widgets()}/held`, { metadata: { finalizers: null } }, MERGE)).status, 200)
      assert.equal(await statusOf(`${widgets()}/held`), 404)
    })

    it('cannot be added once the object is being deleted', async () => {
      await given(rig(), widgets(), aWidget('closing', {}, { finalizers: ['example.com/hold'] }))
      await send('DELETE', `${widgets()}/closing`)
      const patch = { metadata: { finalizers: ['example.com/hold', 'example.com/more'] } }
      assertStatus(await send('PATCH', `${widgets()}/closing`, patch, MERGE), 422, 'Invalid')
      await send('PATCH', `${widgets()}/closing`, { metadata: { finalizers: null } }, MERGE)
    })
  })

  it('a precondition on another uid is refused with 409', async () => {
    await given(rig(), widgets(), aWidget('guarded'))
    const answer = await send('DELETE', `${widgets()}/guarded`, { preconditions: { uid: 'another' } })
    assertStatus(answer, 409, 'Conflict')
    assert.equal(await statusOf(`${widgets()}/guarded`), 200)
  })

  it('the namespaces that every server starts with cannot be deleted', async () => {
    for (const name of ['default', 'kube-system', 'kube-public']) {
      const answer = await send('DELETE', `/api/v1/namespaces/${name}`)
      const why = `namespaces "${name}" is forbidden: this namespace may not be deleted`
      assertStatus(answer, 403, 'Forbidden', why)
      assert.equal(at((await send('GET', `/api/v1/namespaces/${name}`)).body, 'status.phase'), 'Active')
    }
  })

  it('a deletion whose options cannot be understood deletes nothing', async () => {
    await given(rig(), maps(), aConfigMap('spared'))
    const wrong: readonly (readonly [string, JsonObject | undefined])[] = [
      ['?dryRun=', undefined],
      ['', { dryRun: 'All' }],
      ['', { dryRun: ['Some'] }],
      ['', { preconditions: { resourceVersion: 5 } }],
      ['', { preconditions: 'x' }],
      ['', { propagationPolicy: 'Orphan', orphanDependents: true }],
    ]
    for (const [query, options] of wrong) {
      const { status } = await send('DELETE', `${maps()}/spared${query}`, options)
      assert.ok(status >= 400, `${query} ${JSON.stringify(options)}: ${status}`)
    }
    assert.equal(await statusOf(`${maps()}/spared`), 200)
  })

  it('deleting what is not there is 404', async () => {
    assertStatus(await send('DELETE', `${widgets()}/none`), 404, 'NotFound')
  })

  describe('an owner', () => {
    it('that is deleted takes its dependents along in the background', async () => {
      const owner = await given(rig(), widgets(), aWidget('owner'))
      await given(rig(), maps(), aConfigMap('dependent', ownedBy(owner)))
      await send('DELETE', `${widgets()}/owner`, { propagationPolicy: 'Background' })
      assert.equal(await statusOf(`${widgets()}/owner`), 404)
      await until(
        'the dependent is collected',
        async () => (await statusOf(`${maps()}/dependent`)) === 404,
        COLLECTOR_MS,
      )
    })

    it('that is deleted in the foreground goes after its dependents', async () => {
      const owner = await given(rig(), widgets(), aWidget('foreground'))
      await given(
        rig(),
        maps(),
        aConfigMap('first', { ...ownedBy(owner, { blockOwnerDeletion: true }), finalizers: ['example.com/hold'] }),
      )
      const deleted = await send('DELETE', `${widgets()}/foreground`, { propagationPolicy: 'Foreground' })
      assert.deepEqual(at(deleted.body, 'metadata.finalizers'), ['foregroundDeletion'])
      await until(
        'the dependent is being deleted',
        async () => at((await send('GET', `${maps()}/first`)).body, 'metadata.deletionTimestamp') !== undefined,
        COLLECTOR_MS,
      )
      assert.equal(await statusOf(`${widgets()}/foreground`), 200)
      await send('PATCH', `${maps()}/first`, { metadata: { finalizers: null } }, MERGE)
      await until('the owner is gone', async () => (await statusOf(`${widgets()}/foreground`)) === 404, COLLECTOR_MS)
    })

    it('that is owned by its own dependent goes with it in the foreground', async () => {
      const owner = await given(rig(), widgets(), aWidget('chicken'))
      const egg = await given(rig(), widgets(), aWidget('egg', {}, ownedBy(owner, { blockOwnerDeletion: true })))
      const metadata = ownedBy(egg, { blockOwnerDeletion: true })
      assert.equal((await send('PATCH', `${widgets()}/chicken`, { metadata }, MERGE)).status, 200)
      // A collector knows of what came before.
      await given(rig(), maps(), aConfigMap('later', ownedBy(GHOST)))
      await until('it knows of both', async () => (await statusOf(`${maps()}/later`)) === 404, COLLECTOR_MS)
      await send('DELETE', `${widgets()}/chicken`, { propagationPolicy: 'Foreground' })
      for (const name of ['chicken', 'egg'])
        await until(`${name} is gone`, async () => (await statusOf(`${widgets()}/${name}`)) === 404, COLLECTOR_MS)
    })

    for (const [words, options] of [
      ['Orphan', { propagationPolicy: 'Orphan' }],
      ['orphanDependents, its older name,', { orphanDependents: true }],
    ] as const)
      it(`that is deleted with ${words} leaves its dependents without a reference`, async () => {
        const owner = await given(rig(), widgets(), aWidget('orphaning'))
        await given(rig(), maps(), aConfigMap('orphan', ownedBy(owner)))
        // A collector orphans the dependents that it knows of, in the order in which they came.
        await given(rig(), maps(), aConfigMap('younger', ownedBy(GHOST)))
        const isKnown = async (): Promise<boolean> => (await statusOf(`${maps()}/younger`)) === 404
        await until('it knows of the dependent', isKnown, COLLECTOR_MS)
        await send('DELETE', `${widgets()}/orphaning`, options)
        await until('the owner is gone', async () => (await statusOf(`${widgets()}/orphaning`)) === 404, COLLECTOR_MS)
        const { body } = await send('GET', `${maps()}/orphan`)
        assert.deepEqual([at(body, 'metadata.name'), at(body, 'metadata.ownerReferences')], ['orphan', undefined])
        await send('DELETE', `${maps()}/orphan`)
      })

    it('that never was takes its dependent along', async () => {
      await given(rig(), maps(), aConfigMap('haunted', ownedBy(GHOST)))
      await until('the dependent is collected', async () => (await statusOf(`${maps()}/haunted`)) === 404)
    })
  })

  it('deletecollection removes what the selector matches', async () => {
    await given(rig(), maps(), aConfigMap('batch-1', { labels: { batch: 'yes' } }))
    await given(rig(), maps(), aConfigMap('batch-2', { labels: { batch: 'no' } }))
    assert.equal((await send('DELETE', `${maps()}?labelSelector=batch%3Dyes`)).status, 200)
    assert.deepEqual([await statusOf(`${maps()}/batch-1`), await statusOf(`${maps()}/batch-2`)], [404, 200])
  })

  it('deletecollection goes on where others delete the same objects meanwhile', async () => {
    const names = Array.from({ length: 20 }, (_, i) => `shared-${i}`)
    for (const name of names) await given(rig(), maps(), aConfigMap(name, { labels: { shared: 'yes' } }))
    const remove = () => send('DELETE', `${maps()}?labelSelector=shared%3Dyes`)
    const answers = await Promise.all([remove(), remove(), remove()])
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200],
    )
    assert.deepEqual(at((await send('GET', `${maps()}?labelSelector=shared%3Dyes`)).body, 'items'), [])
  })
}
