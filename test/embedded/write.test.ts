import assert from 'node:assert/strict'
import { type JsonObject, isObject } from '../../embedded/schema/json.ts'
import { at, textAt } from '../helpers/kube-http.ts'
import { type TestServer, aConfigMap, aWidget, startServer, WIDGETS } from './harness.ts'

function manyKeys(count: number): string {
  return Array.from({ length: count }, (_, i) => `k${i}: 1\n`).join('')
}

describe('embedded: create, update and patch', () => {
  let server: TestServer
  before(async () => {
    server = await startServer()
  })
  after(() => server.close())

  const create = (name: string, more: { metadata?: JsonObject } = {}) =>
    server.call('POST', WIDGETS, { body: aWidget(name, more) })

  it('fills what the server owns and the defaults of the schema on create', async () => {
    const metadata = { uid: 'mine', generation: 7, creationTimestamp: '2001-01-01T00:00:00Z' }
    const { status, body } = await create('filled', { metadata })
    assert.equal(status, 201)
    assert.match(textAt(body, 'metadata.uid'), /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    assert.equal(at(body, 'metadata.generation'), 1)
    assert.notEqual(at(body, 'metadata.creationTimestamp'), '2001-01-01T00:00:00Z')
    assert.match(textAt(body, 'metadata.resourceVersion'), /^\d+$/)
    assert.deepEqual(at(body, 'spec'), { color: 'red', size: 1 })
    assert.deepEqual(await server.get(`${WIDGETS}/filled`), body)
  })

  it('refuses to create the same name twice with AlreadyExists', async () => {
    await create('twice')
    const { status, body } = await create('twice')
    assert.deepEqual(
      [status, at(body, 'reason'), at(body, 'message')],
      [409, 'AlreadyExists', 'widgets.test.example.com "twice" already exists'],
    )
    assert.deepEqual(at(body, 'details'), { name: 'twice', group: 'test.example.com', kind: 'widgets' })
  })

  it('shows whoever lost a race the version that won, as soon as it says that the race is lost', async () => {
    const version = textAt((await create('raced')).body, 'metadata.resourceVersion')
    const found: string[] = []
    const change = async (n: number): Promise<void> => {
      const body = aWidget('raced', { metadata: { resourceVersion: version, labels: { n: String(n) } } })
      const { status } = await server.call('PUT', `${WIDGETS}/raced`, { body })
      if (status === 409) found.push(textAt(await server.get(`${WIDGETS}/raced`), 'metadata.resourceVersion'))
    }
    await Promise.all(Array.from({ length: 20 }, (_, n) => change(n)))
    assert.equal(found.length, 19)
    for (const after of found) assert.notEqual(after, version)
  })

  it('refuses what is nested too deep with 400, in every way a body can come', async () => {
    const deep = (n: number): string => `${'{"a":'.repeat(n)}1${'}'.repeat(n)}`
    const configMaps = '/api/v1/namespaces/default/configmaps'
    await server.call('POST', configMaps, { body: aConfigMap('shallow') })
    const object = `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"deep"},"data":${deep(100_000)}}`
    const bodies = [
      ['POST', configMaps, 'application/json', object],
      ['POST', configMaps, 'application/yaml', object],
      ['PUT', `${configMaps}/shallow`, 'application/json', object],
      ['PATCH', `${configMaps}/shallow`, 'application/merge-patch+json', deep(100_000)],
      ['PATCH', `${configMaps}/shallow`, 'application/merge-patch+json', deep(1001)],
      ['PATCH', `${configMaps}/shallow`, 'application/strategic-merge-patch+json', deep(100_000)],
      ['PATCH', `${configMaps}/shallow`, 'application/json-patch+json', `[${deep(100_000)}]`],
      ['DELETE', `${configMaps}/shallow`, 'application/json', deep(100_000)],
    ] as const
    for (const [method, path, type, text] of bodies) {
      const { status, body } = await server.call(method, path, { type, body: text })
      assert.deepEqual([status, at(body, 'reason')], [400, 'BadRequest'], `${method} ${type}`)
    }
    const patch = { type: 'application/merge-patch+json', body: `{"metadata":{"annotations":null},"x":${deep(990)}}` }
    assert.equal((await server.call('PATCH', `${configMaps}/shallow`, patch)).status, 200)
  })

  it('makes a name from generateName', async () => {
    const { body } = await server.call('POST', WIDGETS, { body: aWidget('', { metadata: { generateName: 'gen-' } }) })
    assert.match(textAt(body, 'metadata.name'), /^gen-[a-z0-9]{5}$/)
  })

  const refusals: [string, number, object, string][] = [
    ['without a name', 422, aWidget(''), 'metadata.name: Required value: name or generateName is required'],
    ['with a bad name', 422, aWidget('Bad_Name'), 'metadata.name: Invalid value: "Bad_Name"'],
    [
      'with a value over its maximum',
      422,
      aWidget('big', { spec: { size: 11 } }),
      'should be less than or equal to 10',
    ],
    ['that breaks a rule', 422, aWidget('plaid', { spec: { color: 'plaid' } }), 'no plaid'],
    ['of another kind', 422, { ...aWidget('other'), kind: 'Other' }, 'kind: Invalid value: "Other": must be Widget'],
    [
      'of another version',
      400,
      { ...aWidget('old'), apiVersion: 'test.example.com/v0' },
      'does not match the expected API version',
    ],
    [
      'with a resourceVersion',
      500,
      aWidget('rv', { metadata: { resourceVersion: '5' } }),
      'resourceVersion should not be set',
    ],
    ['in another namespace', 400, aWidget('ns', { metadata: { namespace: 'x' } }), 'does not match the namespace sent'],
  ]
  for (const [what, code, body, message] of refusals) {
    it(`refuses an object ${what} with ${code}`, async () => {
      const reply = await server.call('POST', WIDGETS, { body })
      assert.equal(reply.status, code)
      assert.ok(textAt(reply.body, 'message').includes(message), textAt(reply.body, 'message'))
      assert.deepEqual(
        [at(reply.body, 'kind'), at(reply.body, 'status'), at(reply.body, 'code')],
        ['Status', 'Failure', code],
      )
    })
  }

  it('answers 404 for a namespace that does not exist', async () => {
    const { status, body } = await server.call('POST', WIDGETS.replace('default', 'nowhere'), { body: aWidget('w') })
    assert.deepEqual([status, at(body, 'message')], [404, 'namespaces "nowhere" not found'])
  })

  it('refuses an unknown field under Strict and drops it with a warning otherwise', async () => {
    const body = aWidget('fields', { spec: { bogus: 1 } })
    const strict = await server.call('POST', `${WIDGETS}?fieldValidation=Strict`, { body })
    assert.equal(strict.status, 400)
    assert.match(textAt(strict.body, 'message'), /strict decoding error: unknown field "spec.bogus"/)
    const warned = await server.call('POST', WIDGETS, { body })
    assert.equal(warned.headers['warning'], '299 - "unknown field \\"spec.bogus\\""')
    assert.deepEqual(at(warned.body, 'spec'), { color: 'red', size: 1 })
  })

  it('warns of as many unknown fields as the headers of an answer can hold', async () => {
    const fields = Object.fromEntries(Array.from({ length: 2000 }, (_, n) => [`${'x'.repeat(n % 400)}${n}`, 1]))
    const body = aWidget('many-fields', { spec: fields })
    const warned = await server.call('POST', WIDGETS, { body })
    assert.equal(warned.status, 201)
    const header = warned.headers['warning'] ?? ''
    assert.ok(header.length > 4000 && header.length < 8192, `${header.length} characters`)
    const strict = await server.call('POST', `${WIDGETS}?fieldValidation=Strict`, {
      body: aWidget('strict', { spec: fields }),
    })
    assert.deepEqual([strict.status, textAt(strict.body, 'message').length < 5000], [400, true])
  })

  it('refuses an update with a stale resourceVersion with Conflict', async () => {
    const { body: first } = await create('stale')
    assert.ok(isObject(first))
    const second = await server.call('PUT', `${WIDGETS}/stale`, {
      body: { ...first, spec: { color: 'blue', size: 1 } },
    })
    assert.equal(second.status, 200)
    const third = await server.call('PUT', `${WIDGETS}/stale`, {
      body: { ...first, spec: { color: 'green', size: 1 } },
    })
    assert.deepEqual([third.status, at(third.body, 'reason')], [409, 'Conflict'])
    assert.equal(
      at(third.body, 'message'),
      'Operation cannot be fulfilled on widgets.test.example.com "stale": the object has been modified; please apply your changes to the latest version and try again',
    )
  })

  it('lets exactly one of many concurrent compare-and-swaps win', async () => {
    const { body } = await create('race')
    assert.ok(isObject(body))
    const attempts = Array.from({ length: 20 }, (_, i) =>
      server.call('PUT', `${WIDGETS}/race`, { body: { ...body, spec: { color: `c${i}`, size: 1 } } }),
    )
    const statuses = (await Promise.all(attempts)).map(({ status }) => status)
    assert.equal(statuses.filter((status) => status === 200).length, 1)
    assert.equal(statuses.filter((status) => status === 409).length, 19)
  })

  it('counts the generation for changes of the spec only', async () => {
    await create('generation')
    const patch = (body: object, path = '') =>
      server.call('PATCH', `${WIDGETS}/generation${path}`, { body, type: 'application/merge-patch+json' })
    const generation = async (body: object, path = '') => at((await patch(body, path)).body, 'metadata.generation')
    assert.equal(await generation({ metadata: { labels: { a: 'b' } } }), 1)
    assert.equal(await generation({ status: { phase: 'On' } }, '/status'), 1)
    assert.equal(await generation({ spec: { size: 2 } }), 2)
  })

  it('keeps status and spec apart: each endpoint changes its own part only', async () => {
    await create('apart')
    const type = 'application/merge-patch+json'
    const status = await server.call('PATCH', `${WIDGETS}/apart/status`, {
      body: { spec: { size: 9 }, metadata: { labels: { x: 'y' } }, status: { phase: 'On' } },
      type,
    })
    assert.deepEqual(
      ['metadata.name', 'spec.size', 'status', 'metadata.labels'].map((path) => at(status.body, path)),
      ['apart', 1, { phase: 'On' }, undefined],
    )
    const main = await server.call('PATCH', `${WIDGETS}/apart`, {
      body: { spec: { size: 3 }, status: { phase: 'Off' } },
      type,
    })
    assert.deepEqual([at(main.body, 'spec.size'), at(main.body, 'status')], [3, { phase: 'On' }])
  })

  it('leaves resourceVersion and generation alone when nothing changes', async () => {
    const { body } = await create('noop')
    const again = await server.call('PUT', `${WIDGETS}/noop`, { body })
    assert.deepEqual(again.body, body)
  })

  it('applies JSON patches, and refuses a failed test with 422', async () => {
    await create('json-patch')
    const type = 'application/json-patch+json'
    const patch = [
      { op: 'test', path: '/spec/color', value: 'red' },
      { op: 'replace', path: '/spec/color', value: 'blue' },
    ]
    const path = `${WIDGETS}/json-patch`
    assert.equal(at((await server.call('PATCH', path, { body: patch, type })).body, 'spec.color'), 'blue')
    const failed = await server.call('PATCH', path, { body: patch, type })
    assert.deepEqual([failed.status, at(failed.body, 'reason')], [422, 'Invalid'])
  })

  it('takes strategic merge patches for built-in kinds and answers 415 for custom ones', async () => {
    await server.call('POST', '/api/v1/namespaces/default/configmaps', { body: aConfigMap('sm', { data: { a: '1' } }) })
    const type = 'application/strategic-merge-patch+json'
    const merged = await server.call('PATCH', '/api/v1/namespaces/default/configmaps/sm', {
      body: { data: { b: '2' } },
      type,
    })
    assert.deepEqual(at(merged.body, 'data'), { a: '1', b: '2' })
    await create('strategic')
    const refused = await server.call('PATCH', `${WIDGETS}/strategic`, { body: {}, type })
    assert.deepEqual([refused.status, at(refused.body, 'reason')], [415, 'UnsupportedMediaType'])
  })

  it('writes nothing under dryRun=All', async () => {
    const dry = await server.call('POST', `${WIDGETS}?dryRun=All`, { body: aWidget('dry') })
    assert.deepEqual(
      [dry.status, at(dry.body, 'metadata.name'), at(dry.body, 'metadata.resourceVersion')],
      [201, 'dry', undefined],
    )
    assert.equal((await server.call('GET', `${WIDGETS}/dry`)).status, 404)
    await create('dry-delete')
    assert.equal((await server.call('DELETE', `${WIDGETS}/dry-delete?dryRun=All`)).status, 200)
    assert.equal((await server.call('GET', `${WIDGETS}/dry-delete`)).status, 200)
  })

  it('refuses a body over 3 MiB with 413 and stays usable', async () => {
    const body = aWidget('huge', { metadata: { annotations: { a: 'x'.repeat(3 * 1024 * 1024) } } })
    const { status, body: answer } = await server.call('POST', WIDGETS, { body })
    assert.deepEqual([status, at(answer, 'message')], [413, 'Request entity too large: limit is 3145728'])
    assert.equal((await server.call('GET', WIDGETS)).status, 200)
  })

  for (const [what, yaml, detail] of [
    ['nested 3,000 levels deep', `a: ${'['.repeat(3000)}`, 'the document is nested too deep'],
    ['with a key that is there twice', `${manyKeys(9)}k0: 1`, 'Map keys must be unique at line 10, column 1'],
    ['with 5,000 errors', 'a: ]\n'.repeat(5000), 'at line 1, column 4'],
  ] as const) {
    it(`refuses YAML ${what}, saying where`, async () => {
      const answer = await server.call('POST', WIDGETS, { body: yaml, type: 'application/yaml' })
      assert.equal(answer.status, 400)
      assert.ok(JSON.stringify(answer.body).includes(detail), JSON.stringify(answer.body).slice(0, 300))
    })
  }

  it('takes no more time for each key of YAML when there are many', async () => {
    const read = async (keys: number): Promise<number> => {
      const before = process.cpuUsage()
      await server.call('POST', WIDGETS, { body: `${manyKeys(keys)}k0: 1`, type: 'application/yaml' })
      return process.cpuUsage(before).user
    }
    await read(4000)
    const [few, many] = [await read(4000), await read(32_000)]
    assert.ok(many < 24 * few, `${few} µs for 4,000, ${many} µs for 32,000`)
  })

  it('reads YAML bodies, and refuses protobuf and broken JSON', async () => {
    const yaml = 'apiVersion: test.example.com/v1\nkind: Widget\nmetadata: {name: from-yaml}\n'
    assert.equal((await server.call('POST', WIDGETS, { body: yaml, type: 'application/yaml' })).status, 201)
    const proto = await server.call('POST', WIDGETS, { body: 'k8s\0', type: 'application/vnd.kubernetes.protobuf' })
    assert.equal(proto.status, 415)
    const broken = await server.call('POST', WIDGETS, { body: '{"a":' })
    assert.equal(broken.status, 400)
    assert.match(textAt(broken.body, 'message'), /json parse error: unexpected end of JSON input \(\{"a":\)/)
  })

  it('keeps a key named __proto__ as plain data', async () => {
    const body = '{"data":{"x":"1","__proto__":"no"}}'
    await server.call('POST', '/api/v1/namespaces/default/configmaps', { body: aConfigMap('proto') })
    const path = '/api/v1/namespaces/default/configmaps/proto'
    await server.call('PATCH', path, { body, type: 'application/merge-patch+json' })
    assert.deepEqual(Object.entries(at(await server.get(path), 'data') ?? {}), [
      ['x', '1'],
      ['__proto__', 'no'],
    ])
  })
})
