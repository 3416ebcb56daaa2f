import assert from 'node:assert/strict'
import { at } from '../helpers/kube-http.ts'
import { type Rig, aConfigMap, assertStatus, aWidget, CORE, given, JSON_PATCH, MERGE, WIDGETS } from './rig.ts'

/** JSON patch (RFC 6902) and merge patch (RFC 7396), on objects and their status. */
export function describePatches(rig: () => Rig): void {
  const widgets = (): string => WIDGETS(rig().namespace)
  const send = (...args: Parameters<Rig['http']['send']>) => rig().http.send(...args)

  it('a merge patch changes, adds and removes by null', async () => {
    await given(rig(), widgets(), aWidget('merge', { note: 'old', min: 1 }))
    const answer = await send('PATCH', `${widgets()}/merge`, { spec: { note: null, min: 2, max: 3 } }, MERGE)
    assert.deepEqual([answer.status, answer.body['spec']], [200, { size: 'medium', min: 2, max: 3 }])
  })

  it('a merge patch with a resourceVersion is a compare-and-swap', async () => {
    const made = await given(rig(), widgets(), aWidget('merge-cas'))
    const patch = { metadata: { resourceVersion: at(made, 'metadata.resourceVersion') ?? '', labels: { a: '1' } } }
    assert.equal((await send('PATCH', `${widgets()}/merge-cas`, patch, MERGE)).status, 200)
    assertStatus(await send('PATCH', `${widgets()}/merge-cas`, { ...patch, spec: { min: 1 } }, MERGE), 409, 'Conflict')
  })

  it('a merge patch of the status leaves the spec alone', async () => {
    await given(rig(), widgets(), aWidget('merge-status'))
    const patch = { spec: { min: 1 }, status: { phase: 'Patched' } }
    const answer = await send('PATCH', `${widgets()}/merge-status/status`, patch, MERGE)
    assert.deepEqual([answer.body['spec'], answer.body['status']], [{ size: 'medium' }, { phase: 'Patched' }])
  })

  it('a JSON patch tests, adds, replaces, removes, copies and moves', async () => {
    await given(rig(), widgets(), aWidget('json', { tags: ['a', 'b'], note: 'x' }))
    const answer = await send(
      'PATCH',
      `${widgets()}/json`,
      [
        { op: 'test', path: '/spec/note', value: 'x' },
        { op: 'add', path: '/spec/tags/-', value: 'c' },
        { op: 'replace', path: '/spec/size', value: 'large' },
        { op: 'remove', path: '/spec/tags/0' },
        { op: 'add', path: '/metadata/labels', value: { 'a.b/c': '1' } },
        { op: 'replace', path: '/metadata/labels/a.b~1c', value: '2' },
      ],
      JSON_PATCH,
    )
    assert.deepEqual(answer.body['spec'], { size: 'large', tags: ['b', 'c'], note: 'x' })
    assert.deepEqual(at(answer.body, 'metadata.labels'), { 'a.b/c': '2' })
  })

  it('a JSON patch whose test fails is refused with 422 and changes nothing', async () => {
    const made = await given(rig(), widgets(), aWidget('json-test', { note: 'x' }))
    const patch = [
      { op: 'test', path: '/spec/note', value: 'y' },
      { op: 'remove', path: '/spec/note' },
    ]
    const answer = await send('PATCH', `${widgets()}/json-test`, patch, JSON_PATCH)
    assertStatus(answer, 422, 'Invalid', 'the server rejected our request due to an error in our request')
    assert.deepEqual((await send('GET', `${widgets()}/json-test`)).body, made)
  })

  it('a patch that changes nothing keeps the resourceVersion', async () => {
    const made = await given(rig(), widgets(), aWidget('noop', { note: 'same' }))
    const answer = await send('PATCH', `${widgets()}/noop`, { spec: { note: 'same' } }, MERGE)
    assert.equal(at(answer.body, 'metadata.resourceVersion'), at(made, 'metadata.resourceVersion'))
  })

  it('a patch of what is not there is 404', async () => {
    assertStatus(await send('PATCH', `${widgets()}/none`, {}, MERGE), 404, 'NotFound')
  })

  it('a strategic merge patch of a custom resource is refused with 415', async () => {
    await given(rig(), widgets(), aWidget('strategic'))
    const type = { 'content-type': 'application/strategic-merge-patch+json' }
    assertStatus(await send('PATCH', `${widgets()}/strategic`, {}, type), 415, 'UnsupportedMediaType')
  })

  it('a merge patch of a ConfigMap replaces single keys', async () => {
    const maps = CORE(rig().namespace, 'configmaps')
    await given(rig(), maps, aConfigMap('merge', {}, { a: '1', b: '2' }))
    const answer = await send('PATCH', `${maps}/merge`, { data: { a: null, c: '3' } }, MERGE)
    assert.deepEqual(answer.body['data'], { b: '2', c: '3' })
  })
}
