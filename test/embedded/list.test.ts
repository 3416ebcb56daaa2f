import assert from 'node:assert/strict'
import type { JsonValue } from '../../embedded/schema/json.ts'
import { at, each, listAt, textAt } from '../helpers/kube-http.ts'
import { type TestServer, aWidget, startServer, WIDGETS } from './harness.ts'

const names = (list: JsonValue) => each(listAt(list, 'items'), 'metadata.name')

describe('embedded: list', () => {
  let server: TestServer
  before(async () => {
    server = await startServer()
    const create = (name: string, team: string, color: string): Promise<unknown> =>
      server.call('POST', WIDGETS, { body: aWidget(name, { metadata: { labels: { team } }, spec: { color } }) })
    await Promise.all([
      create('c', 'x', 'red'),
      create('a', 'x', 'blue'),
      create('b', 'y', 'red'),
      create('d', 'y', 'blue'),
    ])
  })
  after(() => server.close())

  it('is ordered by name and carries its kind and version', async () => {
    const list = await server.get(WIDGETS)
    assert.deepEqual(names(list), ['a', 'b', 'c', 'd'])
    assert.deepEqual(
      [at(list, 'kind'), at(list, 'apiVersion'), at(list, 'metadata.continue')],
      ['WidgetList', 'test.example.com/v1', ''],
    )
    assert.match(textAt(list, 'metadata.resourceVersion'), /^\d+$/)
  })

  it('spans all namespaces without one in the path, and is empty for a namespace that does not exist', async () => {
    assert.equal(names(await server.get('/apis/test.example.com/v1/widgets')).length, 4)
    assert.deepEqual(names(await server.get(WIDGETS.replace('default', 'nowhere'))), [])
  })

  const selections: [string, string[]][] = [
    ['labelSelector=team%3Dx', ['a', 'c']],
    ['labelSelector=team%20in%20(x,y),team!%3Dx', ['b', 'd']],
    ['labelSelector=!team', []],
    ['fieldSelector=metadata.name%3Db', ['b']],
    ['fieldSelector=spec.color%3Dblue', ['a', 'd']],
    ['fieldSelector=spec.color!%3Dblue,metadata.name!%3Db', ['c']],
    ['fieldSelector=spec.color%3Dblue&labelSelector=team%3Dy', ['d']],
  ]
  for (const [query, expected] of selections) {
    it(`selects by ${decodeURIComponent(query)}`, async () => {
      assert.deepEqual(names(await server.get(`${WIDGETS}?${query}`)), expected)
    })
  }

  const refusals: [string, string][] = [
    ['fieldSelector=spec.size%3D1', 'field label not supported: spec.size'],
    ['labelSelector=%3Da', "unable to parse requirement: found '=', expected: identifier"],
    ['limit=abc', 'strconv.ParseInt: parsing "abc": invalid syntax'],
    ['continue=garbage', 'continue key is not valid'],
  ]
  for (const [query, message] of refusals) {
    it(`refuses ${decodeURIComponent(query)} with 400`, async () => {
      const { status, body } = await server.call('GET', `${WIDGETS}?${query}`)
      assert.equal(status, 400)
      assert.ok(textAt(body, 'message').startsWith(message), textAt(body, 'message'))
    })
  }

  it('pages through one snapshot, whatever is written meanwhile', async () => {
    const first = await server.get(`${WIDGETS}?limit=2`)
    assert.deepEqual([names(first), at(first, 'metadata.remainingItemCount')], [['a', 'b'], 2])
    await server.call('POST', WIDGETS, { body: aWidget('bb') })
    await server.call('DELETE', `${WIDGETS}/c`)
    const type = 'application/merge-patch+json'
    await server.call('PATCH', `${WIDGETS}/d`, { body: { spec: { color: 'green' } }, type })
    const second = await server.get(`${WIDGETS}?limit=2&continue=${textAt(first, 'metadata.continue')}`)
    assert.deepEqual(names(second), ['c', 'd'])
    assert.equal(at(second, 'items.1.spec.color'), 'blue')
    assert.deepEqual(
      [textAt(second, 'metadata.resourceVersion'), at(second, 'metadata.continue')],
      [at(first, 'metadata.resourceVersion'), ''],
    )
    assert.deepEqual(names(await server.get(WIDGETS)), ['a', 'b', 'bb', 'd'])
  })

  it('serves an exact older version, refuses a future one and ignores the limit for version 0', async () => {
    const before = textAt(await server.get(WIDGETS), 'metadata.resourceVersion')
    await server.call('POST', WIDGETS, { body: aWidget('later') })
    const exact = await server.get(`${WIDGETS}?resourceVersion=${before}&resourceVersionMatch=Exact`)
    assert.ok(!names(exact).includes('later'))
    const future = await server.call('GET', `${WIDGETS}?resourceVersion=99999999`)
    assert.deepEqual([future.status, at(future.body, 'reason'), future.headers['retry-after']], [504, 'Timeout', '1'])
    assert.ok(names(await server.get(`${WIDGETS}?resourceVersion=0&limit=1`)).length > 1)
  })

  it('answers a token of a forgotten state with 410 and a token for the rest', async () => {
    const first = await server.get(`${WIDGETS}?limit=1`)
    await server.call('POST', WIDGETS, { body: aWidget('newest') })
    await server.restart()
    const { status, body } = await server.call(
      'GET',
      `${WIDGETS}?limit=1&continue=${textAt(first, 'metadata.continue')}`,
    )
    assert.deepEqual([status, at(body, 'reason')], [410, 'Expired'])
    const rest = await server.get(`${WIDGETS}?continue=${textAt(body, 'metadata.continue')}`)
    assert.deepEqual(names(rest), names(await server.get(WIDGETS)).slice(1))
  })

  it('lists metadata only when asked for that', async () => {
    const accept = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io'
    const { body } = await server.call('GET', WIDGETS, { accept })
    assert.deepEqual(
      [at(body, 'kind'), at(body, 'items.0.kind'), at(body, 'items.0.spec')],
      ['PartialObjectMetadataList', 'PartialObjectMetadata', undefined],
    )
  })
})
