// Runs on a real kube-apiserver too.
import assert from 'node:assert/strict'
import { AGENTS, TASKS } from '../../../kube/resources.ts'
import { anAgent, aTask } from '../../helpers/build.ts'
import { at, textAt } from '../../helpers/kube-http.ts'
import { until } from '../../helpers/until.ts'
import { type Rig, idsOf, itemsOf, startRig } from '../rig.ts'

const EVERYTHING = {
  adapter: 'claude',
  image: 'registry.example/claude:1',
  command: ['claude', '--print'],
  models: ['large', 'small'],
  default_model: 'large',
  max_concurrent: 2,
  timeout_seconds: 5400,
  allowed_tools: ['Read', 'Edit'],
  drops_access: 'read_only',
  instructions: '# House rules\n',
  mcp_servers: [
    {
      name: 'weather',
      command: 'npx',
      args: ['-y', 'weather-mcp'],
      env: [
        { name: 'REGION', value: 'north' },
        { name: 'TOKEN', key: 'weather-token' },
      ],
    },
    { name: 'wiki', url: 'https://wiki.example/mcp', headers: [{ name: 'Authorization', key: 'wiki-token' }] },
  ],
  prompts: { task: 'Do {{task.title}}.\n\n{{> rules}}', resume: 'Go on.' },
  classifier: { enabled: false, hint: 'large refactorings' },
  credentials: {
    secret_name: 'claude-login',
    files: [
      { key: 'credentials.json', path: '.claude/.credentials.json' },
      { path: '.config', host_path: '/home/me/.config' },
    ],
    env: [{ name: 'API_KEY', key: 'api-key' }],
    write_back: true,
  },
  pod_template: {
    labels: { team: 'a' },
    annotations: { note: 'x' },
    resources: { requests: { cpu: '500m', memory: '1Gi' }, limits: { cpu: 2 } },
    node_selector: { disk: 'ssd' },
    tolerations: [{ key: 'gpu', operator: 'Exists', effect: 'NoExecute', toleration_seconds: 60 }],
    affinity: { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [] } },
    runtime_class_name: 'gvisor',
    priority_class_name: 'low',
    image_pull_secrets: [{ name: 'registry' }],
  },
}

describe('agents over REST', () => {
  let api: Rig
  before(async () => {
    api = await startRig()
  })
  after(() => api.stop())

  it('take every field on create, give every field back, and show what the agent does now', async () => {
    const created = await api.post('/api/agents', { id: 'whole', ...EVERYTHING })
    assert.deepEqual([created.status, created.headers.get('location')], [201, '/api/agents/whole'])
    const { body, headers } = await api.get('/api/agents/whole')
    const status = { agent: 'whole', state: 'idle', queued: 0, consecutive_failures: 0, credentials: 'unknown' }
    const created_at = textAt(body, 'created_at')
    assert.deepEqual(body, { id: 'whole', name: 'whole', ...EVERYTHING, status, decisions: [], created_at })
    assert.equal(headers.get('etag'), created.headers.get('etag'))
    const stored = await api.client.get(AGENTS, { namespace: api.namespace, name: 'whole' })
    assert.deepEqual([stored.spec.timeout, stored.spec.dropsAccess], ['1h30m', 'readOnly'])
  })

  it('need an id, given as id or as name, and an adapter', async () => {
    const named = await api.post('/api/agents', { name: 'by-name', adapter: 'script' })
    assert.deepEqual([named.status, at(named.body, 'id')], [201, 'by-name'])
    assert.deepEqual([at(named.body, 'max_concurrent'), at(named.body, 'drops_access')], [1, 'read_write'])
    for (const [body, field] of [
      [{ adapter: 'script' }, 'id'],
      [{ id: 'a' }, 'adapter'],
      [{ id: 'a', adapter: 'unheard-of' }, 'adapter'],
      [{ id: 'a', name: 'b', adapter: 'script' }, 'name'],
      [{ id: 'status', adapter: 'script' }, 'id'],
      [{ id: 'a', adapter: 'script', models: ['x'], default_model: 'y' }, 'default_model'],
      [{ id: 'a', adapter: 'script', credentials: { files: [{ path: '../up', key: 'k' }] } }, 'path'],
      [{ id: 'a', adapter: 'claude', mcp_servers: [{ name: 'w' }] }, 'command or url'],
      [{ id: 'a', adapter: 'claude', mcp_servers: [{ name: 'w', url: 'file:///x' }] }, 'mcp_servers[0].url'],
      [{ id: 'a', adapter: 'claude', mcp_servers: [{ name: 'w', url: 'http://x', args: [] }] }, 'args and env'],
      [
        { id: 'a', adapter: 'claude', mcp_servers: [{ name: 'w', command: 'w', env: [{ name: 'A' }] }] },
        'either value or key',
      ],
    ] as const) {
      const { status, body: answer } = await api.post('/api/agents', body)
      assert.deepEqual([status, textAt(answer, 'error').includes(field)], [400, true], JSON.stringify(answer))
    }
    assert.equal((await api.post('/api/agents', { id: 'by-name', adapter: 'script' })).status, 409)
  })

  it('refuse a template that cannot be used, on create and on change, naming field and line', async () => {
    const prompts = { task: 'Do\n{{task.titel}}' }
    const error = 'prompts.task, line 2: there is no value task.titel; docs/prompts.md lists them'
    for (const { status, body } of [
      await api.post('/api/agents', { id: 'odd', adapter: 'claude', prompts }),
      await api.put('/api/agents/whole', { prompts }),
    ]) {
      assert.deepEqual([status, textAt(body, 'error')], [400, error])
    }
  })

  it('refuse unknown fields by their names, at every depth', async () => {
    for (const [extra, field] of [
      [{ colour: 1 }, 'colour'],
      [{ credentials: { secretName: 'x' } }, 'credentials.secretName'],
      [{ credentials: { env: [{ name: 'A', key: 'b', value: 'c' }] } }, 'credentials.env[0].value'],
      [{ pod_template: { hostNetwork: true } }, 'pod_template.hostNetwork'],
      [{ classifier: { on: true } }, 'classifier.on'],
    ] as const) {
      const created = await api.post('/api/agents', { id: 'odd', adapter: 'script', ...extra })
      const changed = await api.put('/api/agents/whole', extra)
      for (const { status, body } of [created, changed]) {
        assert.deepEqual([status, textAt(body, 'error')], [400, `${field}: unknown field`])
      }
    }
  })

  it('merge a PUT in depth, clear with null, and refuse one that rests on an older version', async () => {
    await api.post('/api/agents', { id: 'edited', ...EVERYTHING })
    const tag = (await api.get('/api/agents/edited')).headers.get('etag') ?? ''
    const patch = {
      models: null,
      default_model: null,
      max_concurrent: null,
      timeout_seconds: 60,
      credentials: { write_back: null, env: [] },
      pod_template: { labels: { team: null, tier: 'b' }, resources: { limits: null }, tolerations: null },
    }
    const { status, body } = await api.put('/api/agents/edited', patch, { 'If-Match': tag })
    assert.equal(status, 200)
    const { write_back: _, ...credentials } = EVERYTHING.credentials
    assert.deepEqual(at(body, 'credentials'), { ...credentials, env: [] })
    assert.deepEqual(
      [at(body, 'pod_template.labels'), at(body, 'pod_template.tolerations')],
      [{ tier: 'b' }, undefined],
    )
    assert.deepEqual(at(body, 'pod_template.resources'), { requests: { cpu: '500m', memory: '1Gi' } })
    assert.deepEqual([at(body, 'models'), at(body, 'max_concurrent'), at(body, 'timeout_seconds')], [undefined, 1, 60])
    assert.equal((await api.put('/api/agents/edited', { image: 'x' }, { 'If-Match': tag })).status, 412)
  })

  it('take back the whole record unchanged, and refuse a change of what is only read', async () => {
    const { body, headers } = await api.get('/api/agents/edited')
    const repeated = await api.put('/api/agents/edited', body)
    assert.deepEqual([repeated.status, repeated.headers.get('etag')], [200, headers.get('etag')])
    for (const field of ['id', 'name', 'status', 'created_at']) {
      const refused = await api.put('/api/agents/edited', { [field]: 'other' })
      assert.deepEqual([refused.status, textAt(refused.body, 'error')], [400, `${field} is read-only`])
    }
    assert.equal((await api.put('/api/agents/edited', { adapter: null })).status, 400)
    assert.equal((await api.put('/api/agents/nobody', {})).status, 404)
  })

  it('are not deleted while a task refers to one, by its spec or by what was chosen, and the answer names them', async () => {
    await api.givenAgent(anAgent({ name: 'busy' }))
    await api.given(aTask({ name: 'wanting', spec: { agent: { type: 'busy' } } }))
    await api.given(aTask({ name: 'given', status: { state: 'FAILED', agent: { type: 'busy' } } }))
    await api.given(aTask({ name: 'history', status: { state: 'COMPLETED', agent: { type: 'busy' } } }))
    await until('the agent is known', async () => (await api.get('/api/agents/busy')).status === 200)
    const { status, body } = await api.delete('/api/agents/busy')
    assert.equal(status, 409)
    assert.match(textAt(body, 'error'), /^agent busy cannot be deleted: task \w+, task \w+ refer to it$/)
    for (const name of ['wanting', 'given']) assert.match(textAt(body, 'error'), new RegExp(`task ${name}\\b`))
    for (const name of ['wanting', 'given']) await api.client.delete(TASKS, { namespace: api.namespace, name })
    await until('the agent can go', async () => (await api.delete('/api/agents/busy')).status === 204)
    assert.equal((await api.get('/api/agents/busy')).status, 404)
    assert.equal((await api.delete('/api/agents/busy')).status, 404)
  })

  it('list in pages that together are the whole list', async () => {
    const whole = idsOf((await api.get('/api/agents')).body)
    const first = await api.get('/api/agents?limit=2')
    const [, next = ''] = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '') ?? []
    const rest = await api.get(next.replace('limit=2', 'limit=1000'))
    assert.deepEqual([...idsOf(first.body), ...idsOf(rest.body)], whole)
    assert.ok(whole.length > 3)
  })

  it('have a manifest', async () => {
    const { status, text } = await api.get('/api/agents/whole/manifest')
    assert.equal(status, 200)
    assert.match(text, /^apiVersion: slipway.dev\/v1alpha1\nkind: Agent\n[^]*^# Events: none$/m)
    assert.equal((await api.get('/api/agents/nobody/manifest')).status, 404)
  })

  it('name no file of the machine in a cluster', async () => {
    const cluster = await startRig({ embedded: false })
    try {
      const { status, body } = await cluster.post('/api/agents', { id: 'whole', ...EVERYTHING })
      assert.deepEqual([status, /host_path/.test(textAt(body, 'error'))], [400, true])
      const { credentials: _, ...rest } = EVERYTHING
      assert.equal((await cluster.post('/api/agents', { id: 'whole', ...rest })).status, 201)
      const { credentials } = EVERYTHING
      assert.equal((await cluster.put('/api/agents/whole', { credentials })).status, 400)
    } finally {
      await cluster.stop()
    }
  })
})

describe('the status of agents over REST', () => {
  let api: Rig
  before(async () => {
    api = await startRig()
  })
  after(() => api.stop())

  const statusOf = async (name: string) => {
    const { body } = await api.get('/api/agents/status')
    return itemsOf(at(body, 'agents')).find((agent) => at(agent, 'agent') === name)
  }
  const condition = (type: string, status: 'True' | 'False', reason: string, message: string) => ({
    conditions: [{ type, status, reason, message, lastTransitionTime: '2026-01-01T00:00:00Z' }],
  })
  const shown = async (name: string, fields: readonly string[]) => {
    const status = await statusOf(name)
    return fields.map((field) => at(status, field))
  }

  it('says why an agent is unavailable, and what is known of its credentials', async () => {
    const credentials = { secretName: 's', env: [{ name: 'A', key: 'a' }] }
    const given = (name: string, status: object, spec: object = {}) =>
      api.givenAgent(anAgent({ name, spec: { credentials, ...spec }, status }))
    await given('stalled', condition('Stalled', 'True', 'HostPath', 'not for clusters'))
    await given('lacking', condition('Ready', 'False', 'CredentialsMissing', 'Secret s does not exist'))
    await given('fine', condition('Ready', 'True', 'AcceptsWork', 'accepts work'))
    await given('lifted', condition('Ready', 'False', 'Drained', 'three failures'))
    await given('unseen', {})
    await until('all are known', async () => (await statusOf('unseen')) !== undefined)
    await until('statuses are known', async () => at(await statusOf('lifted'), 'credentials') === 'present')
    const fields = ['state', 'credentials', 'reason']
    assert.deepEqual(await shown('stalled', fields), ['unavailable', 'unknown', 'not for clusters'])
    assert.deepEqual(await shown('lacking', fields), ['unavailable', 'missing', 'Secret s does not exist'])
    assert.deepEqual(await shown('fine', fields), ['idle', 'present', undefined])
    assert.deepEqual(await shown('lifted', fields), ['idle', 'present', undefined])
    assert.deepEqual(await shown('unseen', fields), ['idle', 'unknown', undefined])
    assert.deepEqual(await shown('script', ['credentials']), ['none'])
  })

  it('shows a limit with its end, and counts the failures that lead to a drain', async () => {
    const rateLimitedUntil = '2099-01-01T00:00:00Z'
    const outcomes = [1, 2].map((n) => ({
      execution: `t-${n}`,
      counted: 'Failure' as const,
      at: '2026-01-01T00:00:00Z',
    }))
    await api.givenAgent(anAgent({ name: 'limited', status: { rateLimitedUntil, outcomes } }))
    await until('the limit is known', async () => at(await statusOf('limited'), 'state') === 'rate_limited')
    assert.deepEqual(await shown('limited', ['rate_limited_until', 'consecutive_failures', 'reason']), [
      rateLimitedUntil,
      2,
      `agent limited is rate limited until ${rateLimitedUntil}`,
    ])
  })

  it('gives the events of 24 hours of all agents newest first, also where an agent keeps 500', async () => {
    const hoursAgo = (hours: number): string =>
      `${new Date(Date.now() - hours * 3_600_000).toISOString().slice(0, 19)}Z`
    const many = Array.from({ length: 500 }, (_, n) => ({
      kind: n % 2 === 0 ? ('rate_limited' as const) : ('recovered' as const),
      at: hoursAgo(30 - n / 20),
      message: `event ${n}`,
    }))
    const other = [{ kind: 'drained' as const, at: hoursAgo(10) }]
    await api.givenAgent(anAgent({ name: 'eventful', status: { events: many } }))
    await api.givenAgent(anAgent({ name: 'quiet', status: { events: other } }))
    const events = async () => itemsOf(at((await api.get('/api/agents/status')).body, 'events'))
    const isOf = (agent: string) => (event: Parameters<typeof at>[0]) => at(event, 'agent') === agent
    await until('one is known', async () => (await events()).some(isOf('quiet')))
    await until('the other is known', async () => (await events()).some(isOf('eventful')))
    const shownEvents = await events()
    const times = shownEvents.map((event) => textAt(event, 'at'))
    assert.deepEqual(times, [...times].sort().toReversed())
    const messages = shownEvents.filter(isOf('eventful')).map((event) => textAt(event, 'message'))
    assert.deepEqual(messages.slice(0, 2), ['event 499', 'event 498'])
    assert.ok(messages.length > 370 && messages.length < 385, `${messages.length} events`)
    const drained = shownEvents.find(isOf('quiet'))
    assert.equal(at(drained, 'message'), 'takes no more work until a person lifts the drain')
  })
})
