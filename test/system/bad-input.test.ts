import assert from 'node:assert/strict'
import type { JsonObject } from '../../embedded/schema/json.ts'
import { at, textAt } from '../helpers/kube-http.ts'
import { until } from '../helpers/until.ts'
import { type Installation, type Server, kindPath, makeInstallation, taskManifest } from './installation.ts'

const LONG_NAME = 'n'.repeat(51)
const TWO_MIB = 'x'.repeat(2 * 1024 * 1024)

/** The same mistake as a manifest and as a REST body; the field that each answer must name. */
const MISTAKES: readonly {
  mistake: string
  manifest: JsonObject
  body: JsonObject
  field: string
  restField: string
}[] = [
  {
    mistake: 'an unknown enum value',
    manifest: taskManifest('bad', { runPolicy: 'Sometimes' }),
    body: { id: 'bad', name: 'bad', run_policy: 'sometimes' },
    field: 'spec.runPolicy',
    restField: 'run_policy',
  },
  {
    mistake: 'a task that depends on itself',
    manifest: taskManifest('bad', { dependsOn: ['bad'] }),
    body: { id: 'bad', name: 'bad', depends_on: ['bad'] },
    field: 'spec.dependsOn',
    restField: 'depends_on',
  },
  {
    mistake: 'a name over the limit',
    manifest: taskManifest(LONG_NAME, {}),
    body: { id: LONG_NAME, name: 'bad' },
    field: 'metadata.name',
    restField: 'id',
  },
  {
    mistake: 'a title over the limit',
    manifest: taskManifest('bad', { title: 't'.repeat(201) }),
    body: { id: 'bad', name: 't'.repeat(201) },
    field: 'spec.title',
    restField: 'name',
  },
  {
    mistake: 'a misspelt agent field',
    manifest: taskManifest('bad', { agent: { type: 'script', instruction: 'true' } }),
    body: { id: 'bad', name: 'bad', agent: { type: 'script', instruction: 'true' } },
    field: 'spec.agent.instruction',
    restField: 'instruction',
  },
]

describe('bad input', function () {
  let installation: Installation
  let server: Server

  before(async () => {
    installation = makeInstallation()
    server = await installation.start()
  })

  after(() => installation.dispose())

  /** As `kubectl apply` creates: field validation is strict. */
  const apply = (manifest: JsonObject) =>
    server.kube.send('POST', `${kindPath('tasks')}?fieldValidation=Strict&fieldManager=kubectl`, manifest)

  const condition = async (name: string, type: string): Promise<JsonObject | undefined> => {
    const conditions = at((await server.kube.send('GET', kindPath('tasks', name))).body, 'status.conditions')
    const found = Array.isArray(conditions) ? conditions.find((one) => at(one, 'type') === type) : undefined
    return found as JsonObject | undefined
  }

  const isStalled = (name: string, reason: string) =>
    until(`${name} is Stalled with ${reason}`, async () => {
      const stalled = await condition(name, 'Stalled')
      return at(stalled, 'status') === 'True' && at(stalled, 'reason') === reason
    })

  for (const { mistake, manifest, body, field, restField } of MISTAKES) {
    it(`refuses ${mistake} over the Kubernetes API and names ${field}`, async () => {
      const answer = await apply(manifest)
      assert.ok([400, 422].includes(answer.status), answer.text)
      assert.ok(textAt(answer.body, 'message').includes(field), textAt(answer.body, 'message'))
    })

    it(`refuses ${mistake} over REST with 400 and names ${restField}`, async () => {
      const { status, body: answer } = await server.call('POST', '/api/tasks', body)
      assert.equal(status, 400)
      assert.ok(String(answer['error']).includes(restField), String(answer['error']))
    })
  }

  it('refuses a description of 2 MiB over the Kubernetes API and names spec.description', async () => {
    const answer = await apply(taskManifest('bad', { description: TWO_MIB }))
    assert.equal(answer.status, 422, answer.text.slice(0, 400))
    assert.match(textAt(answer.body, 'message'), /spec\.description/)
    assert.ok(answer.text.length < 4096, `an answer of ${answer.text.length} characters`)
  })

  it('refuses a description over its limit over REST with 400 and names description', async () => {
    const { status, text } = await server.call('POST', '/api/tasks', { name: 'bad', description: 'x'.repeat(140_000) })
    assert.equal(status, 400)
    assert.match(text, /description/)
    assert.ok(text.length < 4096, `an answer of ${text.length} characters`)
  })

  it('refuses a body over 1 MiB over REST with 413 and says the limit', async () => {
    const { status, body } = await server.call('POST', '/api/tasks', { name: 'bad', description: TWO_MIB })
    assert.equal(status, 413)
    assert.match(String(body['error']), /1 MiB|1048576/)
  })

  it('stalls a task with an unknown dependency until that dependency exists', async () => {
    assert.equal((await apply(taskManifest('early', { dependsOn: ['late'] }))).status, 201)
    await isStalled('early', 'UnknownDependency')
    assert.match(textAt(await condition('early', 'Stalled'), 'message'), /late/)
    assert.equal((await apply(taskManifest('late', {}))).status, 201)
    await until('early is no longer Stalled', async () => (await condition('early', 'Stalled')) === undefined)
  })

  it('stalls the tasks of a cycle, naming it, until the cycle is broken', async () => {
    await apply(taskManifest('hen', { dependsOn: ['egg'] }))
    await apply(taskManifest('egg', { dependsOn: ['hen'] }))
    await isStalled('hen', 'DependencyCycle')
    await isStalled('egg', 'DependencyCycle')
    assert.match(textAt(await condition('hen', 'Stalled'), 'message'), /egg/)
    const merge = { 'content-type': 'application/merge-patch+json' }
    await server.kube.send('PATCH', kindPath('tasks', 'egg'), { spec: { dependsOn: null } }, merge)
    await until('hen is no longer Stalled', async () => (await condition('hen', 'Stalled')) === undefined)
    await until('egg is no longer Stalled', async () => (await condition('egg', 'Stalled')) === undefined)
  })

  it('refuses an unknown dependency and a cycle over REST with 400, naming them', async () => {
    const unknown = await server.call('POST', '/api/tasks', { name: 'x', depends_on: ['nobody'] })
    assert.equal(unknown.status, 400)
    assert.match(unknown.text, /nobody/)
    await server.create('first', 'true')
    await server.create('second', 'true', { depends_on: ['first'] })
    const cycle = await server.call('PUT', '/api/tasks/first', { depends_on: ['second'] })
    assert.equal(cycle.status, 400, cycle.text)
    assert.match(cycle.text, /first/)
    assert.match(cycle.text, /second/)
  })

  it('refuses a task for an unknown agent over REST and stalls it over the Kubernetes API', async () => {
    const { status, text } = await server.call('POST', '/api/tasks', { name: 'x', agent: { type: 'gpt' } })
    assert.equal(status, 400)
    assert.match(text, /gpt/)
    await apply(taskManifest('for-nobody', { agent: { type: 'gpt' }, runPolicy: 'Auto' }))
    await isStalled('for-nobody', 'UnknownAgent')
  })
})
