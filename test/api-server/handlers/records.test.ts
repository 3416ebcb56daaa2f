// Runs on a real kube-apiserver too.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdir, symlink, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { agentOutputPath, EXECUTION_FILES, executionPath } from '../../../core/execution/layout.ts'
import { AGENTS, TASKS } from '../../../kube/resources.ts'
import { anAgent, anExecution, aTask } from '../../helpers/build.ts'
import { at, textAt } from '../../helpers/kube-http.ts'
import { until } from '../../helpers/until.ts'
import { openSocket, readToEnd } from '../http/raw-http.ts'
import { type Rig, idsOf, itemsOf, startRig } from '../rig.ts'

describe('executions, agents and workspaces over REST', () => {
  let api: Rig
  before(async () => {
    api = await startRig()
  })
  after(() => api.stop())

  const writeOutput = async (execution: string, name: 'stdout' | 'diff' | 'events', text: string): Promise<void> => {
    await mkdir(join(api.volumeRoot, agentOutputPath(execution), 'artifacts'), { recursive: true })
    await writeFile(join(api.volumeRoot, executionPath(execution), EXECUTION_FILES[name]), text)
  }

  it('lists executions newest first, by task, by age and up to a limit', async () => {
    await api.given(aTask({ name: 'ran' }))
    for (const n of [1, 2, 3]) await api.givenExecution(anExecution({ name: `ran-${n}` }))
    await api.givenExecution(anExecution({ name: 'other-1' }))
    assert.deepEqual(idsOf((await api.get('/api/tasks/ran/executions')).body), ['ran-3', 'ran-2', 'ran-1'])
    assert.deepEqual(idsOf((await api.get('/api/executions?task_id=ran&limit=2')).body), ['ran-3', 'ran-2'])
    assert.equal(itemsOf((await api.get('/api/executions?since=24h')).body).length, 4)
    assert.deepEqual((await api.get('/api/executions?since=2099-01-01T00:00:00Z')).body, [])
    // Kubernetes tells the second in which each was made: within it nobody knows which came later.
    const [latest] = itemsOf((await api.get('/api/executions?limit=1')).body)
    const within = textAt(latest, 'created_at').replace('Z', '.900Z')
    assert.ok(itemsOf((await api.get(`/api/executions?since=${within}`)).body).length > 0)
    for (const span of ['7d', '30d', '1d12h', '90m'])
      assert.equal(itemsOf((await api.get(`/api/executions?since=${span}`)).body).length, 4, span)
    const vague = await api.get('/api/executions?since=a+week')
    assert.equal(vague.status, 400)
    assert.match(
      textAt(vague.body, 'error'),
      /^since: neither a time such as \d{4}-\S+Z nor a span such as 24h or 7d: a week$/,
    )
    for (const query of ['since=yesterday', 'since=d', 'since=9999999999999h', 'limit=0', 'limit=1001', 'task_id=']) {
      assert.equal((await api.get(`/api/executions?${query}`)).status, 400, query)
    }
  })

  it('reads an execution with its error and commits, and answers 404 for an unknown one', async () => {
    const error = { category: 'git', message: 'refused' } as const
    await api.givenExecution(
      anExecution({ name: 'failed-1', status: { state: 'FAILED', error, commits: ['abc'], baseCommit: 'def' } }),
    )
    const { body } = await api.get('/api/executions/failed-1')
    assert.deepEqual(
      ['task_id', 'state', 'error', 'error_category', 'fix_commits', 'base_commit'].map((name) => at(body, name)),
      ['failed', 'FAILED', 'refused', 'git', ['abc'], 'def'],
    )
    const missing = await api.get('/api/executions/nothing')
    assert.deepEqual([missing.status, at(missing.body, 'error')], [404, 'execution not found'])
  })

  it('serves output as text, whole and in ranges', async () => {
    await api.givenExecution(anExecution({ name: 'printed-1' }))
    await writeOutput('printed-1', 'stdout', '0123456789')
    const ranges: readonly [string | undefined, number, string, string | null][] = [
      [undefined, 200, '0123456789', null],
      ['bytes=2-4', 206, '234', 'bytes 2-4/10'],
      ['bytes=8-', 206, '89', 'bytes 8-9/10'],
      ['bytes=-3', 206, '789', 'bytes 7-9/10'],
      ['bytes=0-1,3-4', 200, '0123456789', null],
    ]
    for (const [range, status, text, contentRange] of ranges) {
      const answer = await api.get('/api/executions/printed-1/stdout', range === undefined ? {} : { Range: range })
      assert.deepEqual([answer.status, answer.text, answer.headers.get('content-range')], [status, text, contentRange])
    }
    const beyond = await api.get('/api/executions/printed-1/stdout', { Range: 'bytes=10-' })
    assert.deepEqual([beyond.status, beyond.headers.get('content-range')], [416, 'bytes */10'])
    assert.equal((await api.get('/api/executions/printed-1/stderr')).status, 404)
  })

  it('serves output by lines, the last ones or a window, and finds a text in it', async () => {
    await api.givenExecution(anExecution({ name: 'lines-1' }))
    const log = '/api/executions/lines-1/log'
    const empty = { stream: 'stdout', total_lines: 0, size_bytes: 0, lines: [] }
    assert.deepEqual((await api.get(log)).body, empty, 'before the first output')
    await writeOutput('lines-1', 'stdout', 'one\ntwo \u001b[31mTWO\nthree')
    const line = (number: number, text: string) => ({ number, text })
    assert.deepEqual((await api.get(`${log}?count=2`)).body, {
      stream: 'stdout',
      total_lines: 3,
      size_bytes: 22,
      lines: [line(2, 'two \u001b[31mTWO'), line(3, 'three')],
    })
    assert.deepEqual(at((await api.get(`${log}?from=1&count=1`)).body, 'lines'), [line(1, 'one')])
    assert.deepEqual((await api.get(`${log}/search?q=TW`)).body, {
      stream: 'stdout',
      total_lines: 3,
      count: 1,
      lines: [2],
      is_complete: true,
    })
    assert.deepEqual((await api.get(`${log}?stream=stderr`)).body, { ...empty, stream: 'stderr' })
    for (const wrong of [
      '?from=0',
      '?count=0',
      '?count=2001',
      '?stream=events',
      '/search',
      '/search?q=',
      '/search?q=a%0Ab',
    ])
      assert.equal((await api.get(`${log}${wrong}`)).status, 400, wrong)
    for (const path of ['log', 'log/search?q=x'])
      assert.equal((await api.get(`/api/executions/nobody/${path}`)).status, 404)
  })

  it('serves no line of a file behind a link', async () => {
    await api.givenExecution(anExecution({ name: 'linked-1' }))
    await writeOutput('linked-1', 'diff', 'not the agent’s to show\n')
    const files = join(api.volumeRoot, executionPath('linked-1'))
    await symlink(join(files, EXECUTION_FILES.diff), join(files, EXECUTION_FILES.stdout))
    assert.equal(at((await api.get('/api/executions/linked-1/log')).body, 'total_lines'), 0)
  })

  it('serves the diff, the conversation and the artifacts, as downloads that no browser runs', async () => {
    await api.givenExecution(anExecution({ name: 'made-1' }))
    await writeOutput('made-1', 'diff', 'diff --git a b\n')
    await writeOutput('made-1', 'events', '{"at":"2026-01-01T00:00:00.000Z","kind":"text","text":"hi"}\n')
    await writeFile(join(api.volumeRoot, agentOutputPath('made-1'), 'artifacts', 'page.html'), '<script>')
    assert.equal((await api.get('/api/executions/made-1/diff')).text, 'diff --git a b\n')
    const events = await api.get('/api/executions/made-1/events')
    assert.equal(events.headers.get('content-type'), 'application/x-ndjson')
    assert.equal(events.text, '{"at":"2026-01-01T00:00:00.000Z","kind":"text","text":"hi"}\n')
    const { body } = await api.get('/api/executions/made-1/artifacts')
    assert.deepEqual([at(body, '0.name'), at(body, '0.size')], ['page.html', 8])
    const page = await api.get('/api/executions/made-1/artifacts/page.html')
    assert.deepEqual([page.status, page.text, page.headers.get('x-content-type-options')], [200, '<script>', 'nosniff'])
    assert.match(page.headers.get('content-disposition') ?? '', /^attachment/)
    assert.equal((await api.get('/api/executions/made-1/artifacts/..%2Foutcome.json')).status, 404)
  })

  it('gives no other answer for the rest of a file that is made shorter while it is sent', async () => {
    await api.givenExecution(anExecution({ name: 'cut-1' }))
    await writeOutput('cut-1', 'diff', '')
    const path = join(api.volumeRoot, agentOutputPath('cut-1'), 'artifacts', 'report.bin')
    await writeFile(path, '')
    await truncate(path, 256 * 1024 * 1024)
    const socket = await openSocket(api.url)
    const file = 'GET /api/executions/cut-1/artifacts/report.bin HTTP/1.1\r\nHost: localhost\r\n\r\n'
    socket.write(`${file}GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`)
    await once(socket, 'readable')
    await truncate(path, 0)
    assert.equal((await readToEnd(socket)).match(/HTTP\/1\.1 /g)?.length, 1)
  })

  it('undrains an agent, whether drained or not, and clears the question that the drain set', async () => {
    const drained = { since: '2026-01-01T00:00:00Z', reason: '3 failures in a row' }
    await api.givenAgent(anAgent({ name: 'tired', status: { drained } }))
    const question = { items: [{ text: 'undrain?' }] }
    await api.given(aTask({ name: 'stopped', status: { state: 'FAILED', agent: { type: 'tired' }, question } }))
    await until('the drain is known', async () => (await stateOf('tired')) === 'drained')
    const { status, body } = await api.post('/api/pool/agents/tired/undrain')
    assert.deepEqual([status, body], [200, { message: 'agent undrained', agent: 'tired' }])
    assert.equal(await stateOf('tired'), 'idle')
    const stored = await api.client.get(TASKS, { namespace: api.namespace, name: 'stopped' })
    assert.equal(stored.status?.question, undefined)
    assert.equal((await api.post('/api/pool/agents/tired/undrain')).status, 200)
    assert.equal((await api.post('/api/pool/agents/nobody/undrain')).status, 404)
  })

  it('lifts the limit of an agent by an undrain, and makes what waits for its end due', async () => {
    const end = '2999-01-01T00:00:00Z'
    await api.givenAgent(anAgent({ name: 'limited', status: { rateLimitedUntil: end } }))
    const error = { category: 'quota', message: 'no credit' } as const
    const status = { state: 'BUDGET_EXCEEDED', agent: { type: 'limited' }, error, resumeAfter: end } as const
    await api.given(aTask({ name: 'waits', status }))
    await until('the limit is known', async () => (await stateOf('limited')) === 'rate_limited')
    const { body } = await api.post('/api/pool/agents/limited/undrain')
    assert.equal(at(body, 'message'), `agent undrained; its limit until ${end} is lifted`)
    assert.equal(await stateOf('limited'), 'idle')
    const stored = await api.client.get(TASKS, { namespace: api.namespace, name: 'waits' })
    assert.ok(String(stored.status?.resumeAfter) < end)
    const events = itemsOf(at((await api.get('/api/agents/status')).body, 'events'))
    assert.ok(events.some((event) => at(event, 'agent') === 'limited' && at(event, 'kind') === 'recovered'))
  })

  it('tells who chose the agent of a task, and why', async () => {
    const agent = { type: 'script', chosenBy: 'Rules', reason: 'script can start at once' } as const
    await api.given(aTask({ name: 'chosen', status: { state: 'READY', agent } }))
    const { body } = await api.get('/api/tasks/chosen')
    assert.deepEqual([at(body, 'chosen_by'), at(body, 'agent_reason')], ['rules', 'script can start at once'])
    assert.equal(at((await api.get('/api/tasks/stopped')).body, 'chosen_by'), undefined)
  })

  it('shows who waits for an agent and what happened to it', async () => {
    await api.given(aTask({ name: 'in-line', status: { state: 'QUEUED' } }))
    const happened = new Date().toISOString().replace(/\.\d+/, '')
    await api.setStatus(AGENTS, 'script', { events: [{ kind: 'recovered', at: happened }] })
    await until('the event is known', async () => {
      const { body } = await api.get('/api/agents/status')
      return itemsOf(at(body, 'events')).some((item) => at(item, 'agent') === 'script')
    })
    const { body } = await api.get('/api/agents/status')
    const script = itemsOf(at(body, 'agents')).find((item) => at(item, 'agent') === 'script')
    assert.deepEqual(
      ['state', 'queued', 'consecutive_failures', 'credentials'].map((field) => at(script, field)),
      ['idle', 1, 0, 'none'],
    )
    assert.deepEqual(
      itemsOf(at(body, 'events')).find((item) => at(item, 'agent') === 'script'),
      { agent: 'script', kind: 'recovered', at: happened, message: 'the limit has ended' },
    )
  })

  it('lists the folders below the workspace root, sorted, without dot folders and files', async () => {
    for (const name of ['b', 'a', '.hidden']) await mkdir(join(api.workspaceRoot, name))
    await writeFile(join(api.workspaceRoot, 'file'), '')
    const { body } = await api.get('/api/workspaces')
    assert.deepEqual(body, [join(api.workspaceRoot, 'a'), join(api.workspaceRoot, 'b')])
  })

  const stateOf = async (name: string): Promise<string> => {
    const { body } = await api.get('/api/agents/status')
    return textAt(
      itemsOf(at(body, 'agents')).find((item) => at(item, 'agent') === name),
      'state',
    )
  }
})
