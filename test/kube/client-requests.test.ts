import assert from 'node:assert/strict'
import { CONFIG_MAPS, JOBS, NODES, PODS } from '../../kube/resources.ts'
import { type FakeApi, configMap, json, list, startFakeApi } from './fake-api.ts'

describe('what the client sends', () => {
  let api: FakeApi
  beforeEach(async () => {
    api = await startFakeApi()
    api.answer(json(configMap('a', '1')))
  })
  afterEach(() => api.close())

  const last = () => {
    const request = api.requests.at(-1)
    assert.ok(request)
    return request
  }

  it('presents the token and names itself', async () => {
    await api.client.get(CONFIG_MAPS, { namespace: 'ns', name: 'a' })
    assert.equal(last().headers.authorization, 'Bearer secret-token')
    assert.equal(last().headers['user-agent'], 'slipway-test/1')
    assert.equal(last().path, '/api/v1/namespaces/ns/configmaps/a')
  })

  it('adds kind and apiVersion, and the field manager, to what it creates', async () => {
    await api.client.create(JOBS, {
      metadata: { name: 'j', namespace: 'ns' },
      spec: { template: { spec: { containers: [] } } },
    })
    const { path, query, body, method } = last()
    assert.deepEqual([method, path], ['POST', '/apis/batch/v1/namespaces/ns/jobs'])
    assert.equal(query.get('fieldManager'), 'slipway-test')
    assert.deepEqual([JSON.parse(body).apiVersion, JSON.parse(body).kind], ['batch/v1', 'Job'])
  })

  it('sends the resourceVersion of a replaced object along, to the subresource for a status', async () => {
    await api.client.replaceStatus(CONFIG_MAPS, configMap('a', '41'))
    assert.deepEqual([last().method, last().path], ['PUT', '/api/v1/namespaces/ns/configmaps/a/status'])
    assert.equal(JSON.parse(last().body).metadata.resourceVersion, '41')
  })

  it('sends a merge patch as one', async () => {
    await api.client.mergePatch(CONFIG_MAPS, { namespace: 'ns', name: 'a' }, { data: { x: null } })
    assert.equal(last().headers['content-type'], 'application/merge-patch+json')
    assert.deepEqual(JSON.parse(last().body), { data: { x: null } })
  })

  it('sends preconditions and propagation of a delete as its body', async () => {
    const how = { propagationPolicy: 'Foreground', preconditions: { uid: 'u', resourceVersion: '7' } } as const
    await api.client.delete(CONFIG_MAPS, { namespace: 'ns', name: 'a' }, how)
    assert.deepEqual(JSON.parse(last().body), { apiVersion: 'v1', kind: 'DeleteOptions', ...how })
  })

  it('asks for a page of a list, of one namespace or of all, and gives items their kind', async () => {
    const { kind: _kind, apiVersion: _version, ...bare } = configMap('a', '1')
    api.answer(list('9', [bare], 'token'))
    const page = await api.client.list(CONFIG_MAPS, { limit: 1, labelSelector: 'a=b,c', continue: 'before' })
    assert.equal(last().path, '/api/v1/configmaps')
    assert.deepEqual(Object.fromEntries(last().query), { limit: '1', labelSelector: 'a=b,c', continue: 'before' })
    assert.deepEqual([page.resourceVersion, page.continue, page.items[0]?.kind], ['9', 'token', 'ConfigMap'])
  })

  it('addresses cluster-scoped objects without a namespace', async () => {
    await api.client.get(NODES, { name: 'n' })
    assert.equal(last().path, '/api/v1/nodes/n')
  })

  it('binds a pod to a node', async () => {
    await api.client.bindPod({ namespace: 'ns', name: 'p' }, 'n1')
    assert.equal(last().path, '/api/v1/namespaces/ns/pods/p/binding')
    assert.equal(JSON.parse(last().body).target.name, 'n1')
  })

  it('follows a pod log until the container ends, byte for byte', async () => {
    const bytes = Buffer.from([0, 255, 10, 13, 195])
    api.answer((response) => {
      response.write(bytes.subarray(0, 2))
      response.end(bytes.subarray(2))
    })
    const chunks: Uint8Array[] = []
    const key = { namespace: 'ns', name: 'p' }
    for await (const chunk of api.client.podLog(key, { container: 'c', follow: true }, new AbortController().signal))
      chunks.push(chunk)
    assert.deepEqual(Buffer.concat(chunks), bytes)
    assert.deepEqual(Object.fromEntries(last().query), { container: 'c', follow: 'true' })
    assert.equal(last().path, '/api/v1/namespaces/ns/pods/p/log')
    assert.equal(PODS.kind, 'Pod')
  })

  it('ends a followed pod log quietly when its signal aborts', async () => {
    const controller = new AbortController()
    api.answer((response) => response.write('line\n'))
    const log = api.client.podLog({ namespace: 'ns', name: 'p' }, { follow: true }, controller.signal)
    let text = ''
    for await (const chunk of log) {
      text += Buffer.from(chunk).toString()
      controller.abort()
    }
    assert.equal(text, 'line\n')
  })
})
