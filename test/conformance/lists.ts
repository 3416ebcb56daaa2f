import assert from 'node:assert/strict'
import type { JsonValue } from '../../embedded/schema/json.ts'
import { at, textAt } from '../helpers/kube-http.ts'
import { type Rig, aConfigMap, assertStatus, aWidget, CORE, given, WIDGETS } from './rig.ts'

const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json'

/** Lists: order, selectors, pages, tables; wire.md A5 and B4. */
export function describeLists(rig: () => Rig): void {
  const widgets = (): string => WIDGETS(rig().namespace)
  const maps = (): string => CORE(rig().namespace, 'configmaps')
  const send = (...args: Parameters<Rig['http']['send']>) => rig().http.send(...args)

  function names(body: JsonValue): (JsonValue | undefined)[] {
    const items = at(body, 'items')
    return Array.isArray(items) ? items.map((item) => at(item, 'metadata.name')) : []
  }

  before(async () => {
    for (const name of ['list-c', 'list-a', 'list-b']) {
      await given(
        rig(),
        widgets(),
        aWidget(name, { size: name === 'list-b' ? 'large' : 'small' }, { labels: { list: 'yes', name } }),
      )
    }
  })

  it('are ordered by name and say at which version they are', async () => {
    const { body } = await send('GET', `${widgets()}?labelSelector=list%3Dyes`)
    assert.deepEqual([body['kind'], names(body)], ['WidgetList', ['list-a', 'list-b', 'list-c']])
    assert.match(textAt(body, 'metadata.resourceVersion'), /^\d+$/)
  })

  for (const [selector, expected] of [
    ['list=yes,name!=list-a', ['list-b', 'list-c']],
    ['name in (list-a,list-c)', ['list-a', 'list-c']],
    ['list,name notin (list-a)', ['list-b', 'list-c']],
    ['list=yes,!other', ['list-a', 'list-b', 'list-c']],
  ] as const) {
    it(`labelSelector ${selector}`, async () => {
      const { body } = await send('GET', `${widgets()}?labelSelector=${encodeURIComponent(selector)}`)
      assert.deepEqual(names(body), expected)
    })
  }

  it('are filtered by name and by a selectable field', async () => {
    assert.deepEqual(names((await send('GET', `${widgets()}?fieldSelector=metadata.name%3Dlist-a`)).body), ['list-a'])
    const large = await send('GET', `${widgets()}?labelSelector=list&fieldSelector=spec.size%3Dlarge`)
    assert.deepEqual(names(large.body), ['list-b'])
  })

  it('refuse an unknown field and a broken selector with 400', async () => {
    assertStatus(await send('GET', `${widgets()}?fieldSelector=spec.note%3Dx`), 400, 'BadRequest')
    assertStatus(await send('GET', `${widgets()}?labelSelector=a%3D%3D%3Db`), 400, 'BadRequest')
  })

  it('come in pages of one snapshot', async () => {
    for (const name of ['page-1', 'page-2', 'page-3'])
      await given(rig(), maps(), aConfigMap(name, { labels: { page: 'yes' } }))
    const first = await send('GET', `${maps()}?limit=2&labelSelector=page`)
    assert.deepEqual(names(first.body), ['page-1', 'page-2'])
    await given(rig(), maps(), aConfigMap('page-4', { labels: { page: 'yes' } }))
    const token = encodeURIComponent(textAt(first.body, 'metadata.continue'))
    const second = await send('GET', `${maps()}?limit=2&labelSelector=page&continue=${token}`)
    assert.deepEqual(names(second.body), ['page-3'])
    assert.equal(at(second.body, 'metadata.resourceVersion'), at(first.body, 'metadata.resourceVersion'))
    assert.equal(at(second.body, 'metadata.continue') ?? '', '')
  })

  it('refuse a continue token that is none with 400', async () => {
    assertStatus(await send('GET', `${maps()}?limit=2&continue=garbage`), 400, 'BadRequest')
  })

  it('of a namespace that is not there are empty', async () => {
    const { status, body } = await send('GET', WIDGETS('no-such-namespace'))
    assert.deepEqual([status, names(body)], [200, []])
  })

  it('are tables with the columns of the definition when asked', async () => {
    const { body } = await send('GET', `${widgets()}?labelSelector=list`, undefined, { accept: TABLE })
    const columns = at(body, 'columnDefinitions')
    assert.equal(body['kind'], 'Table')
    assert.deepEqual(Array.isArray(columns) && columns.map((column) => at(column, 'name')), ['Name', 'Size'])
    assert.deepEqual(at(body, 'rows.1.cells'), ['list-b', 'large'])
    assert.equal(at(body, 'rows.1.object.kind'), 'PartialObjectMetadata')
  })
}
