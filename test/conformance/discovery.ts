import assert from 'node:assert/strict'
import type { JsonValue } from '../../embedded/schema/json.ts'
import { at, textAt } from '../helpers/kube-http.ts'
import { type Rig, GROUP } from './rig.ts'

const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json'

/** Discovery, OpenAPI and health: what kubectl asks before anything else (wire.md A1, A4). */
export function describeDiscovery(rig: () => Rig): void {
  const get = (path: string, accept = 'application/json') => rig().http.send('GET', path, undefined, { accept })
  const find = (list: JsonValue | undefined, key: string, value: string): JsonValue | undefined =>
    Array.isArray(list) ? list.find((item) => at(item, key) === value) : undefined

  it('a group version lists its resources with verbs, short names and subresources', async () => {
    const { body } = await get(`/apis/${GROUP}/v1`)
    const widgets = find(body['resources'], 'name', 'widgets')
    assert.deepEqual(
      [at(widgets, 'kind'), at(widgets, 'namespaced'), at(widgets, 'singularName')],
      ['Widget', true, 'widget'],
    )
    assert.deepEqual(at(widgets, 'shortNames'), ['wd'])
    const verbs = at(widgets, 'verbs')
    const expected = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch']
    assert.deepEqual(new Set(Array.isArray(verbs) ? verbs : []), new Set(expected))
    assert.notEqual(find(body['resources'], 'name', 'widgets/status'), undefined)
  })

  it('the core group has what a workload needs', async () => {
    const { body } = await get('/api/v1')
    for (const name of [
      'configmaps',
      'events',
      'namespaces',
      'pods',
      'pods/log',
      'pods/status',
      'secrets',
      'serviceaccounts',
    ]) {
      assert.notEqual(find(body['resources'], 'name', name), undefined, name)
    }
  })

  it('the groups are listed', async () => {
    const { body } = await get('/apis')
    for (const group of [GROUP, 'apiextensions.k8s.io', 'batch', 'coordination.k8s.io']) {
      assert.notEqual(find(body['groups'], 'name', group), undefined, group)
    }
  })

  it('aggregated discovery answers 200', async () => {
    for (const path of ['/api', '/apis']) assert.equal((await get(path, AGGREGATED)).status, 200)
  })

  it('OpenAPI v3 has the kind, its description and a patch that takes fieldValidation', async () => {
    const index = JSON.parse((await get('/openapi/v3', 'application/json, */*')).text) as JsonValue
    const paths = typeof index === 'object' && index !== null && !Array.isArray(index) ? index['paths'] : undefined
    const entry =
      typeof paths === 'object' && paths !== null && !Array.isArray(paths) ? paths[`apis/${GROUP}/v1`] : undefined
    const document = JSON.parse((await get(textAt(entry, 'serverRelativeURL'), 'application/json, */*')).text) as {
      paths: Record<string, { patch?: JsonValue }>
      components: { schemas: Record<string, JsonValue> }
    }
    const patch = document.paths[`/apis/${GROUP}/v1/namespaces/{namespace}/widgets/{name}`]?.patch
    const kind = { group: GROUP, version: 'v1', kind: 'Widget' }
    assert.deepEqual(at(patch, 'x-kubernetes-group-version-kind'), kind)
    assert.notEqual(find(at(patch, 'parameters'), 'name', 'fieldValidation'), undefined)
    const schema = Object.values(document.components.schemas).find(
      (candidate) => at(candidate, 'description') === 'Widget is what the conformance suite works with.',
    )
    assert.deepEqual(at(schema, 'x-kubernetes-group-version-kind'), [kind])
  })

  it('version and health answer', async () => {
    assert.match(textAt((await get('/version')).body, 'gitVersion'), /^v1\.\d+/)
    for (const path of ['/healthz', '/readyz', '/livez']) assert.equal((await get(path, '*/*')).text, 'ok')
  })
}
