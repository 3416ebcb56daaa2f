import assert from 'node:assert/strict'
import type { JsonObject, JsonValue } from '../../embedded/schema/json.ts'
import { at, each, listAt, textAt } from '../helpers/kube-http.ts'
import { until } from '../helpers/until.ts'
import { type TestServer, aConfigMap, aWidget, startServer, WIDGETS } from './harness.ts'

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps'
const PODS = '/api/v1/namespaces/default/pods'

describe('embedded: deletion', () => {
  let server: TestServer
  before(async () => {
    server = await startServer()
  })
  after(() => server.close())

  const create = async (path: string, body: JsonObject): Promise<JsonValue> =>
    (await server.call('POST', path, { body })).body
  const isGone = async (path: string): Promise<boolean> => (await server.call('GET', path)).status === 404
  const untilGone = (path: string): Promise<unknown> => until(`${path} is gone`, () => isGone(path))
  const referenceTo = (owner: JsonValue): JsonObject => ({
    apiVersion: textAt(owner, 'apiVersion'),
    kind: textAt(owner, 'kind'),
    name: textAt(owner, 'metadata.name'),
    uid: textAt(owner, 'metadata.uid'),
  })
  const owned = (owner: JsonValue, name: string, more: JsonObject = {}): JsonObject =>
    aConfigMap(name, { metadata: { ownerReferences: [{ ...referenceTo(owner), ...more }] } })

  it('answers the deletion of an object with a Status that names it', async () => {
    const plain = await create(WIDGETS, aWidget('plain'))
    const { status, body } = await server.call('DELETE', `${WIDGETS}/plain`, {
      body: { propagationPolicy: 'Background' },
    })
    const details = { name: 'plain', group: 'test.example.com', kind: 'widgets', uid: at(plain, 'metadata.uid') }
    assert.deepEqual(
      [status, body],
      [200, { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details }],
    )
    assert.ok(await isGone(`${WIDGETS}/plain`))
  })

  it('does not delete all namespaces at once, and says so in discovery', async () => {
    const refused = await server.call('DELETE', '/api/v1/namespaces')
    assert.deepEqual([refused.status, at(refused.body, 'reason')], [405, 'MethodNotAllowed'])
    assert.equal(at(await server.get('/api/v1/namespaces/default'), 'status.phase'), 'Active')
    const resources = listAt(await server.get('/api/v1'), 'resources')
    const verbsOf = (name: string) =>
      listAt(
        resources.find((item) => at(item, 'name') === name),
        'verbs',
      )
    assert.ok(!verbsOf('namespaces').includes('deletecollection'))
    assert.ok(verbsOf('configmaps').includes('deletecollection'))
  })

  it('keeps an object with finalizers until the last one is removed', async () => {
    await create(WIDGETS, aWidget('held', { metadata: { finalizers: ['test.example.com/a'] } }))
    const { body } = await server.call('DELETE', `${WIDGETS}/held`)
    assert.equal(at(body, 'metadata.deletionGracePeriodSeconds'), 0)
    assert.equal(at(body, 'metadata.generation'), 2)
    const again = await server.call('DELETE', `${WIDGETS}/held`)
    assert.deepEqual(again.body, body)
    const type = 'application/merge-patch+json'
    const added = await server.call('PATCH', `${WIDGETS}/held`, {
      body: { metadata: { finalizers: ['test.example.com/a', 'test.example.com/b'] } },
      type,
    })
    assert.equal(added.status, 422)
    assert.match(textAt(added.body, 'message'), /no new finalizers can be added if the object is being deleted/)
    const recreated = await server.call('POST', WIDGETS, { body: aWidget('held') })
    assert.equal(
      at(recreated.body, 'message'),
      'object is being deleted: widgets.test.example.com "held" already exists',
    )
    const last = await server.call('PATCH', `${WIDGETS}/held`, { body: { metadata: { finalizers: null } }, type })
    assert.equal(last.status, 200)
    assert.ok(await isGone(`${WIDGETS}/held`))
  })

  it('refuses a deletion whose preconditions do not hold', async () => {
    const precious = await create(WIDGETS, aWidget('precious'))
    const { status, body } = await server.call('DELETE', `${WIDGETS}/precious`, {
      body: { preconditions: { uid: 'other' } },
    })
    assert.equal(status, 409)
    assert.equal(
      at(body, 'message'),
      `Operation cannot be fulfilled on Widget.test.example.com "precious": the UID in the precondition (other) does not match the UID in record (${textAt(precious, 'metadata.uid')}). The object might have been deleted and then recreated`,
    )
  })

  it('deletes what a deleted object owned, through several levels', async () => {
    const root = await create(WIDGETS, aWidget('root'))
    const child = await create(CONFIG_MAPS, owned(root, 'child'))
    await create(CONFIG_MAPS, owned(child, 'grandchild'))
    await server.call('DELETE', `${WIDGETS}/root`)
    await untilGone(`${CONFIG_MAPS}/child`)
    await untilGone(`${CONFIG_MAPS}/grandchild`)
  })

  it('collects an object whose owner of that name has another uid', async () => {
    const owner = await create(WIDGETS, aWidget('namesake'))
    const dependent = owned(owner, 'mistaken', { uid: '00000000-0000-4000-8000-000000000000' })
    await create(CONFIG_MAPS, dependent)
    await untilGone(`${CONFIG_MAPS}/mistaken`)
  })

  it('keeps an object while one of its owners lives', async () => {
    const [a, b] = [await create(WIDGETS, aWidget('owner-a')), await create(WIDGETS, aWidget('owner-b'))]
    const ownerReferences = [referenceTo(a), referenceTo(b)]
    await create(CONFIG_MAPS, aConfigMap('shared', { metadata: { ownerReferences } }))
    await server.call('DELETE', `${WIDGETS}/owner-a`)
    const owners = async () =>
      each(listAt(await server.get(`${CONFIG_MAPS}/shared`), 'metadata.ownerReferences'), 'name')
    await until('one owner is left', async () => (await owners()).length === 1)
    assert.deepEqual(await owners(), ['owner-b'])
  })

  it('leaves dependents alone under Orphan, without their reference', async () => {
    const owner = await create(WIDGETS, aWidget('orphaner'))
    await create(CONFIG_MAPS, owned(owner, 'orphaned'))
    await server.call('DELETE', `${WIDGETS}/orphaner`, { body: { propagationPolicy: 'Orphan' } })
    await untilGone(`${WIDGETS}/orphaner`)
    const orphaned = await server.get(`${CONFIG_MAPS}/orphaned`)
    assert.deepEqual([at(orphaned, 'metadata.name'), at(orphaned, 'metadata.ownerReferences')], ['orphaned', undefined])
  })

  it('keeps the owner under Foreground until its blocking dependents are gone', async () => {
    const owner = await create(WIDGETS, aWidget('patient'))
    const ownerReferences = [{ ...referenceTo(owner), blockOwnerDeletion: true }]
    const finalizers = ['test.example.com/wait']
    await create(CONFIG_MAPS, aConfigMap('blocking', { metadata: { ownerReferences, finalizers } }))
    const { body } = await server.call('DELETE', `${WIDGETS}/patient`, { body: { propagationPolicy: 'Foreground' } })
    assert.deepEqual(at(body, 'metadata.finalizers'), ['foregroundDeletion'])
    const marked = async (): Promise<boolean> =>
      at(await server.get(`${CONFIG_MAPS}/blocking`), 'metadata.deletionTimestamp') !== undefined
    await until('the dependent is being deleted', marked)
    assert.equal(await isGone(`${WIDGETS}/patient`), false)
    const release = { body: { metadata: { finalizers: null } }, type: 'application/merge-patch+json' }
    await server.call('PATCH', `${CONFIG_MAPS}/blocking`, release)
    await untilGone(`${WIDGETS}/patient`)
  })

  it('finishes at the next start what was left to collect', async () => {
    const owner = await create(WIDGETS, aWidget('crashed'))
    await create(CONFIG_MAPS, owned(owner, 'left-over'))
    // The server stops at once: the dependent may or may not have been collected by then.
    await server.call('DELETE', `${WIDGETS}/crashed`)
    await server.restart()
    await untilGone(`${CONFIG_MAPS}/left-over`)
  })

  it('empties a deleted namespace, refuses new objects in it meanwhile, then removes it', async () => {
    await create('/api/v1/namespaces', { metadata: { name: 'doomed' } })
    const inside = '/api/v1/namespaces/doomed/configmaps'
    await create(inside, aConfigMap('held', { metadata: { finalizers: ['test.example.com/wait'] } }))
    await create(inside, aConfigMap('free'))
    const { body } = await server.call('DELETE', '/api/v1/namespaces/doomed')
    assert.equal(at(body, 'status.phase'), 'Terminating')
    await untilGone(`${inside}/free`)
    const late = await server.call('POST', inside, { body: aConfigMap('late') })
    assert.deepEqual([late.status, at(late.body, 'reason')], [403, 'Forbidden'])
    const release = { body: { metadata: { finalizers: null } }, type: 'application/merge-patch+json' }
    await server.call('PATCH', `${inside}/held`, release)
    await untilGone('/api/v1/namespaces/doomed')
  })

  it('deletes a collection by selector and returns what it was', async () => {
    for (const [name, group] of [
      ['c1', 'x'],
      ['c2', 'x'],
      ['c3', 'y'],
    ] as const) {
      await create(CONFIG_MAPS, aConfigMap(name, { metadata: { labels: { group } } }))
    }
    const { body } = await server.call('DELETE', `${CONFIG_MAPS}?labelSelector=group%3Dx`)
    assert.deepEqual(each(at(body, 'items'), 'metadata.name'), ['c1', 'c2'])
    const left = await server.get(`${CONFIG_MAPS}?labelSelector=group`)
    assert.deepEqual(each(at(left, 'items'), 'metadata.name'), ['c3'])
  })

  const aPod = (name: string): JsonObject => ({
    metadata: { name },
    spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'none' }] },
  })

  it('removes a pod that no node runs at once', async () => {
    await create(PODS, aPod('unbound'))
    assert.equal((await server.call('DELETE', `${PODS}/unbound`)).status, 200)
    assert.ok(await isGone(`${PODS}/unbound`))
  })

  it('marks a bound pod and removes it when its node deletes it without grace', async () => {
    await create(PODS, aPod('bound'))
    const binding = { target: { kind: 'Node', name: 'n1' } }
    assert.equal((await server.call('POST', `${PODS}/bound/binding`, { body: binding })).status, 201)
    assert.equal((await server.call('POST', `${PODS}/bound/binding`, { body: binding })).status, 409)
    const { body } = await server.call('DELETE', `${PODS}/bound`, { body: { gracePeriodSeconds: 5 } })
    assert.equal(at(body, 'metadata.deletionGracePeriodSeconds'), 5)
    assert.equal(await isGone(`${PODS}/bound`), false)
    await server.call('DELETE', `${PODS}/bound`, { body: { gracePeriodSeconds: 0 } })
    assert.ok(await isGone(`${PODS}/bound`))
  })
})
