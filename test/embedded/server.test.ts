import assert from 'node:assert/strict'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { JsonValue } from '../../embedded/schema/json.ts'
import { aCertificate } from '../helpers/certificate.ts'
import { at, each, listAt, textAt } from '../helpers/kube-http.ts'
import { type TestServer, startServer, WIDGET_CRD, WIDGETS } from './harness.ts'

const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json'
const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'

describe('embedded: server', () => {
  let server: TestServer
  before(async () => {
    server = await startServer()
  })
  after(() => server.close())

  it('answers 401 without the right token', async () => {
    const { status, body } = await server.call('GET', WIDGETS, { token: 'wrong' })
    assert.deepEqual([status, at(body, 'reason'), at(body, 'message')], [401, 'Unauthorized', 'Unauthorized'])
  })

  it('keeps address, certificate and token across a restart, readable by the owner only', async () => {
    const { url, kubeconfig } = server
    await server.restart()
    assert.deepEqual([server.url, server.kubeconfig], [url, kubeconfig])
    assert.equal(statSync(join(server.folder, 'access.json')).mode & 0o077, 0)
  })

  it('answers unknown paths with a plain text 404', async () => {
    for (const path of ['/nowhere', '/apis/test.example.com/v1/namespaces/default/gadgets', '/apis/none', '/%zz']) {
      const { status, body, headers } = await server.call('GET', path)
      assert.deepEqual([status, body], [404, '404 page not found\n'], path)
      assert.match(headers['content-type'] ?? '', /^text\/plain/)
    }
  })

  it('says of a subresource that is left out what it is, and that it is not served', async () => {
    const pod = '/api/v1/namespaces/default/pods/a'
    for (const [path, what] of [
      [`${pod}/exec`, 'pods/exec'],
      [`${pod}/portforward`, 'pods/portforward'],
      [`${WIDGETS}/a/scale`, 'widgets/scale'],
    ] as const) {
      const { status, body } = await server.call('POST', path, { body: {} })
      const words = `the embedded control plane does not serve ${what}`
      assert.deepEqual([status, at(body, 'kind'), at(body, 'message')], [404, 'Status', words])
    }
  })

  it('lists no Services, and says why when one is to be made', async () => {
    const services = '/api/v1/namespaces/default/services'
    assert.deepEqual(at(await server.get(services), 'items'), [])
    const body = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'a' } }
    const made = await server.call('POST', services, { body })
    assert.equal(made.status, 405)
    assert.match(textAt(made.body, 'message'), /^the embedded control plane has no Services/)
  })

  it('answers a missing object with a Status, and a verb that is not served with 405', async () => {
    const missing = await server.call('GET', `${WIDGETS}/none`)
    assert.equal(at(missing.body, 'message'), 'widgets.test.example.com "none" not found')
    assert.equal((await server.call('PUT', WIDGETS, { body: {} })).status, 405)
    assert.equal((await server.call('POST', `${WIDGETS}/none`, { body: {} })).status, 405)
  })

  it('is healthy and says which version it is like', async () => {
    for (const path of ['/healthz', '/readyz', '/livez']) assert.equal(await server.get(path), 'ok')
    assert.match(textAt(await server.get('/version'), 'gitVersion'), /^v1\.34\./)
  })

  it('serves aggregated and older discovery of the same kinds', async () => {
    const { body, headers } = await server.call('GET', '/apis', { accept: AGGREGATED })
    assert.match(headers['content-type'] ?? '', /as=APIGroupDiscoveryList/)
    const group = listAt(body, 'items').find((item) => at(item, 'metadata.name') === 'test.example.com')
    const widget = at(group, 'versions.0.resources.0')
    assert.deepEqual(
      [at(widget, 'resource'), at(widget, 'scope'), at(widget, 'shortNames'), at(widget, 'categories')],
      ['widgets', 'Namespaced', ['wd'], ['toys']],
    )
    assert.equal(at(widget, 'subresources.0.subresource'), 'status')
    const older = await server.get('/apis/test.example.com/v1')
    assert.deepEqual(each(at(older, 'resources'), 'name'), ['widgets', 'widgets/status'])
    assert.ok(each(at(await server.get('/api/v1'), 'resources'), 'name').includes('pods/log'))
  })

  it('describes kinds in OpenAPI v3 so that kubectl leaves validation to the server', async () => {
    const index = await server.get('/openapi/v3')
    const document = await server.get(textAt(index, ['paths', 'apis/test.example.com/v1', 'serverRelativeURL']))
    const path = '/apis/test.example.com/v1/namespaces/{namespace}/widgets/{name}'
    const parameters = at(document, ['paths', path, 'patch', 'parameters'])
    assert.ok(each(parameters, 'name').includes('fieldValidation'))
    const schemas = at(document, 'components.schemas')
    const name = Object.keys(schemas ?? {}).find((key) => key.endsWith('.Widget')) ?? ''
    assert.equal(at(at(schemas, [name]), 'properties.spec.properties.size.description'), 'How large it is.')
  })

  it('refuses a definition that it was not started with, and says where one goes', async () => {
    const gadgets: JsonValue = JSON.parse(JSON.stringify(WIDGET_CRD).replaceAll(/widget/gi, 'gadget'))
    const { status, body } = await server.call('POST', CRDS, { body: gadgets })
    assert.deepEqual([status, at(body, 'reason')], [422, 'Invalid'])
    assert.match(textAt(body, 'message'), /serves the kinds that its program brings; kinds of others need a cluster/)
  })

  it('takes its own definition again, and refuses it with a rule that does not compile', async () => {
    const name = 'widgets.test.example.com'
    const patch = (body: JsonValue) =>
      server.call('PATCH', `${CRDS}/${name}`, { body, type: 'application/merge-patch+json' })
    assert.equal((await patch(JSON.parse(JSON.stringify(WIDGET_CRD)))).status, 200)
    const crd = structuredClone(WIDGET_CRD)
    const rule = crd.spec.versions[0]?.schema.openAPIV3Schema.properties.spec['x-kubernetes-validations'][0]
    assert.ok(rule)
    rule.rule = 'self.nope == 1'
    const { status, body } = await patch(JSON.parse(JSON.stringify(crd)))
    assert.deepEqual([status, at(body, 'reason')], [422, 'Invalid'])
    assert.match(textAt(body, 'message'), /nope/)
  })

  it('refuses to write a kind of an earlier version whose schema has what is not served, and reads it', async () => {
    const text = JSON.stringify(WIDGET_CRD)
      .replaceAll(/widget/gi, 'gadget')
      .replace('"maximum":10', '"multipleOf":10')
    const other = await startServer([JSON.parse(text)])
    const gadgets = WIDGETS.replace('widgets', 'gadgets')
    const gadget = { apiVersion: 'test.example.com/v1', kind: 'gadget', metadata: { name: 'a' }, spec: { size: 10 } }
    const { status, body } = await other.call('POST', gadgets, { body: gadget })
    assert.deepEqual([status, at(body, 'reason')], [422, 'Invalid'])
    assert.match(textAt(body, 'message'), /multipleOf is not served: .* other kinds need a cluster/)
    assert.deepEqual(at(await other.get(gadgets), 'items'), [])
    await other.close()
  })

  it('prefers JSON to a refusal when a client asks for protobuf', async () => {
    const accept = 'application/vnd.kubernetes.protobuf,application/json'
    const { status, body } = await server.call('GET', '/api/v1/namespaces', { accept })
    assert.deepEqual([status, at(body, 'kind')], [200, 'NamespaceList'])
  })

  it('runs Jobs: one pod with the labels of its Job', async () => {
    const spec = { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'none' }] } } }
    const jobs = '/apis/batch/v1/namespaces/default/jobs'
    const { body: job } = await server.call('POST', jobs, { body: { metadata: { name: 'once' }, spec } })
    const watch = server.watch(
      '/api/v1/namespaces/default/pods?watch=true&labelSelector=batch.kubernetes.io%2Fjob-name%3Donce',
    )
    const [event] = await watch.take(1)
    watch.close()
    const uid = textAt(job, 'metadata.uid')
    assert.equal(at(event, ['object', 'metadata', 'labels', 'batch.kubernetes.io/controller-uid']), uid)
    assert.equal(at(event, 'object.metadata.ownerReferences.0.uid'), uid)
  })

  it('passes the log of a pod on from its node, and shows the node who asks', async () => {
    const asked: string[] = []
    const { certificate: cert, key } = aCertificate('node')
    const authority = Buffer.from(/authority-data: (\S+)/.exec(server.kubeconfig)?.[1] ?? '', 'base64')
    const node = createServer({ cert, key, ca: authority, requestCert: true }, (request, response) => {
      asked.push(request.url ?? '')
      response.end('line 1\nline 2\n')
    })
    await new Promise<void>((resolve) => node.listen(0, '127.0.0.1', resolve))
    try {
      const { port } = node.address() as AddressInfo
      await server.call('POST', '/api/v1/nodes', {
        body: { metadata: { name: 'n1' } },
      })
      await server.call('PATCH', '/api/v1/nodes/n1/status', {
        type: 'application/merge-patch+json',
        body: {
          status: {
            addresses: [{ type: 'InternalIP', address: '127.0.0.1' }],
            daemonEndpoints: { kubeletEndpoint: { Port: port } },
          },
        },
      })
      const pods = '/api/v1/namespaces/default/pods'
      const spec = { containers: [{ name: 'main', image: 'none' }] }
      await server.call('POST', pods, { body: { metadata: { name: 'talker' }, spec } })
      assert.deepEqual((await server.call('GET', `${pods}/talker/log`)).body, '')
      await server.call('POST', `${pods}/talker/binding`, { body: { target: { name: 'n1' } } })
      assert.equal(await server.get(`${pods}/talker/log?tailLines=2`), 'line 1\nline 2\n')
      assert.deepEqual(asked, ['/containerLogs/default/talker/main?tailLines=2'])
      assert.equal((await server.call('GET', `${pods}/talker/log?container=none`)).status, 400)
    } finally {
      node.close()
    }
  })
})
