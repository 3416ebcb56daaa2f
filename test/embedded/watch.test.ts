import assert from 'node:assert/strict'
import type { JsonObject, JsonValue } from '../../embedded/schema/json.ts'
import { at, each, listAt, textAt } from '../helpers/kube-http.ts'
import { until } from '../helpers/until.ts'
import { type TestServer, aWidget, short, startServer, WIDGETS } from './harness.ts'

describe('embedded: watch', () => {
  let server: TestServer
  beforeEach(async () => {
    server = await startServer()
  })
  afterEach(() => server.close())

  const create = async (name: string, more: { spec?: JsonObject } = {}): Promise<JsonValue> =>
    (await server.call('POST', WIDGETS, { body: aWidget(name, more) })).body
  const merge = (name: string, body: object): Promise<{ body: JsonValue }> =>
    server.call('PATCH', `${WIDGETS}/${name}`, { body, type: 'application/merge-patch+json' })
  const listVersion = async (): Promise<string> => textAt(await server.get(WIDGETS), 'metadata.resourceVersion')

  it('tells every change after a resourceVersion, once and in order', async () => {
    await create('before')
    const watch = server.watch(`${WIDGETS}?watch=true&resourceVersion=${await listVersion()}`)
    await create('a')
    await merge('a', { spec: { size: 2 } })
    await server.call('DELETE', `${WIDGETS}/a`)
    const events = await watch.take(3)
    assert.deepEqual(short(events), ['ADDED a', 'MODIFIED a', 'DELETED a'])
    const versions = events.map((event) => Number(at(event, 'object.metadata.resourceVersion')))
    assert.deepEqual(
      versions,
      [...versions].sort((x, y) => x - y),
    )
    watch.close()
  })

  it('resumes from the version of any event without loss or repetition', async () => {
    const start = await listVersion()
    for (let i = 0; i < 5; i += 1) await create(`w${i}`)
    const all = server.watch(`${WIDGETS}?watch=true&resourceVersion=${start}`)
    const events = await all.take(5)
    all.close()
    const rest = server.watch(
      `${WIDGETS}?watch=true&resourceVersion=${textAt(events[2], 'object.metadata.resourceVersion')}`,
    )
    assert.deepEqual(short(await rest.take(2)), ['ADDED w3', 'ADDED w4'])
    rest.close()
  })

  for (const version of ['', '&resourceVersion=0']) {
    it(`begins with what exists when asked ${version === '' ? 'without a version' : 'for version 0'}`, async () => {
      await create('a')
      await create('b')
      const watch = server.watch(`${WIDGETS}?watch=true${version}`)
      await watch.take(2)
      await create('c')
      assert.deepEqual(short(await watch.take(3)), ['ADDED a', 'ADDED b', 'ADDED c'])
      watch.close()
    })
  }

  it('marks the end of the initial events with an annotated bookmark', async () => {
    await create('a')
    const query = 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true'
    const watch = server.watch(`${WIDGETS}?watch=true&${query}`)
    const [added, bookmark] = await watch.take(2)
    assert.equal(at(added, 'type'), 'ADDED')
    assert.deepEqual(at(bookmark, 'object.metadata.annotations'), { 'k8s.io/initial-events-end': 'true' })
    watch.close()
    const refused = await server.call('GET', `${WIDGETS}?watch=true&sendInitialEvents=true`)
    assert.equal(refused.status, 422)
  })

  it('ends after timeoutSeconds with a bookmark of the version it has reached', async () => {
    const start = await listVersion()
    const late = await create('late')
    const watch = server.watch(
      `${WIDGETS}?watch=true&timeoutSeconds=1&allowWatchBookmarks=true&resourceVersion=${start}`,
    )
    await until('the watch ends', () => watch.ended())
    assert.deepEqual(short(watch.events.slice(0, 1)), ['ADDED late'])
    const last = watch.events.at(-1)
    assert.deepEqual([at(last, 'type'), at(last, 'object.kind')], ['BOOKMARK', 'Widget'])
    assert.ok(Number(at(last, 'object.metadata.resourceVersion')) >= Number(at(late, 'metadata.resourceVersion')))
  })

  it('sends the headers before there is any event', async () => {
    const watch = server.watch(`${WIDGETS}?watch=true&resourceVersion=${await listVersion()}`)
    await until('the watch is open', () => watch.opened())
    assert.deepEqual([watch.events, watch.ended()], [[], false])
    watch.close()
  })

  it('turns changes that enter and leave a label selection into ADDED and DELETED', async () => {
    const watch = server.watch(`${WIDGETS}?watch=true&labelSelector=team%3Da&resourceVersion=${await listVersion()}`)
    await create('x')
    await merge('x', { metadata: { labels: { team: 'a' } } })
    await merge('x', { spec: { size: 3 } })
    const { body: left } = await merge('x', { metadata: { labels: { team: 'b' } } })
    const events = await watch.take(3)
    assert.deepEqual(short(events), ['ADDED x', 'MODIFIED x', 'DELETED x'])
    assert.deepEqual(at(events[2], 'object.metadata.labels'), { team: 'a' })
    assert.equal(at(events[2], 'object.metadata.resourceVersion'), textAt(left, 'metadata.resourceVersion'))
    watch.close()
  })

  it('follows a field selection', async () => {
    const watch = server.watch(
      `${WIDGETS}?watch=true&fieldSelector=spec.color%3Dblue&resourceVersion=${await listVersion()}`,
    )
    await create('red')
    await create('blue', { spec: { color: 'blue' } })
    assert.deepEqual(short(await watch.take(1)), ['ADDED blue'])
    watch.close()
  })

  it('answers a version from before the history with an ERROR event of 410', async () => {
    await create('a')
    // The history lives in memory: after a restart it begins anew.
    await server.restart()
    const watch = server.watch(`${WIDGETS}?watch=true&resourceVersion=1`)
    const [event] = await watch.take(1)
    assert.deepEqual(
      [at(event, 'type'), at(event, 'object.code'), at(event, 'object.reason')],
      ['ERROR', 410, 'Expired'],
    )
    assert.match(textAt(event, 'object.message'), /^too old resource version: 1 \(\d+\)$/)
    await until('the watch ends', () => watch.ended())
  })

  it('goes on after a restart from the newest version without a new list', async () => {
    const first = await create('a')
    await server.restart()
    const current = await listVersion()
    assert.ok(Number(current) >= Number(at(first, 'metadata.resourceVersion')))
    const watch = server.watch(`${WIDGETS}?watch=true&resourceVersion=${current}`)
    const next = await create('b')
    assert.ok(Number(at(next, 'metadata.resourceVersion')) > Number(at(first, 'metadata.resourceVersion')))
    assert.deepEqual(short(await watch.take(1)), ['ADDED b'])
    watch.close()
  })

  it('sends rows of a table, the columns with the first one only', async () => {
    await create('a')
    const watch = server.watch(`${WIDGETS}?watch=true`)
    await watch.take(1)
    watch.close()
    const { body } = await server.call('GET', WIDGETS, {
      accept: 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json',
    })
    assert.equal(at(body, 'kind'), 'Table')
    assert.deepEqual(each(at(body, 'columnDefinitions'), 'name'), ['Name', 'Color', 'Age'])
    assert.deepEqual(listAt(body, 'rows.0.cells').slice(0, 2), ['a', 'red'])
    assert.equal(at(body, 'rows.0.object.kind'), 'PartialObjectMetadata')
  })
})
