// Runs on a real kube-apiserver too.
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { LiveMessage } from '../../../core/rest/messages.ts'
import { EXECUTIONS, TASKS } from '../../../kube/resources.ts'
import { aProject, aStory, text } from '../../helpers/build.ts'
import { at, textAt } from '../../helpers/kube-http.ts'
import { until } from '../../helpers/until.ts'
import { type QueryOperator, aClaude, playOperator, postAfresh } from './query-operator.ts'
import { connectLive } from '../live/live-client.ts'
import { type Answer, type Rig, idsOf, startRig } from '../rig.ts'

const DRAFT = { name: 'Export as CSV', description: 'Add `--csv` to report.ts.' }
const PLAN = {
  name: 'Exports',
  branch_name: 'story/exports',
  spec: 'People can take their data with them.',
  acceptance_criteria: ['report --csv prints CSV'],
  tasks: [{ name: 'Write CSV', description: 'In report.ts.', subtasks: [] }],
  validation: { type: 'test', steps: ['npm test'], success_criteria: 'All pass.' },
}

describe('elaboration over REST', () => {
  let api: Rig
  let operator: QueryOperator
  before(async () => {
    api = await startRig({ trustedProxies: ['127.0.0.1'] })
    operator = playOperator(api)
    await api.givenAgent(aClaude({ spec: { adapter: 'claude', classifier: { hint: 'large changes' } } }))
    await api.givenProject(
      aProject({ name: 'shop', spec: { title: 'The shop', testCommand: 'npm test', defaultBranch: 'trunk' } }),
    )
    await until('claude is known', async () => (await api.get('/api/agents/claude')).status === 200)
  })
  after(() => api.stop())

  /** Asks, and answers as the agent would. */
  async function elaborate(path: string, body: unknown, answer: unknown): Promise<Answer> {
    const asked = postAfresh(api, path, body)
    const { name } = await operator.next()
    await operator.answer(name, answer)
    return asked
  }

  it('turns a request into a draft that a create takes as it is, and stores none', async () => {
    const request = { prompt: 'I want CSV', project: 'shop' }
    const asked = postAfresh(api, '/api/tasks/elaborate', request)
    const { execution, name, prompt } = await operator.next()
    assert.match(prompt, /I want CSV/)
    assert.match(prompt, /The shop/)
    assert.match(prompt, /`npm test`/)
    assert.match(prompt, /- claude: large changes/)
    assert.doesNotMatch(prompt, /- script/)
    const { agent, purpose, answerSchema, timeout, projectRef } = execution.spec
    assert.deepEqual(
      { agent, purpose, answerSchema, timeout, projectRef },
      { agent: 'claude', purpose: 'Elaborate', answerSchema: 'TaskDraft', timeout: '5m', projectRef: { name: 'shop' } },
    )
    assert.equal(execution.metadata.ownerReferences?.[0]?.name, 'shop')
    await operator.answer(name, DRAFT)
    const { status, body } = await asked
    assert.deepEqual([status, body], [200, { ...DRAFT, elaboration_input: 'I want CSV', project: 'shop' }])
    assert.deepEqual((await api.client.list(TASKS, { namespace: api.namespace })).items, [])
    const created = await api.post('/api/tasks', body)
    assert.deepEqual([created.status, at(created.body, 'elaboration_input')], [201, 'I want CSV'])
  })

  it('reads a folder of the workspace, which stands for its project, and writes the request down there', async () => {
    const folder = join(api.workspaceRoot, 'yard')
    mkdirSync(folder)
    await api.givenProject(aProject({ name: 'yard', spec: { title: 'The yard', localPath: folder } }))
    const asked = postAfresh(api, '/api/tasks/elaborate', { prompt: 'Tidy up', project_dir: 'yard' })
    const { execution, name } = await operator.next()
    assert.deepEqual([execution.spec.localPath, execution.spec.projectRef?.name], [folder, 'yard'])
    assert.match(readFileSync(join(folder, 'NARRATIVE.md'), 'utf8'), /^## \S+Z\n\nTidy up\n$/)
    await operator.answer(name, DRAFT)
    assert.equal(textAt((await asked).body, 'project'), 'yard')
    await elaborate('/api/tasks/elaborate', { prompt: 'And again', project: 'yard' }, DRAFT)
    assert.doesNotMatch(readFileSync(join(folder, 'NARRATIVE.md'), 'utf8'), /again/)
  })

  it('asks the agent that is named, by its own template', async () => {
    const prompts = { elaborate: 'Briefly: {{request}}' }
    const made = await api.post('/api/agents', {
      id: 'terse',
      adapter: 'claude',
      classifier: { enabled: false },
      prompts,
    })
    assert.equal(made.status, 201, made.text)
    const asked = postAfresh(api, '/api/tasks/elaborate?agent=terse', { prompt: 'CSV' })
    const { execution, name, prompt } = await operator.next()
    assert.deepEqual([execution.spec.agent, prompt], ['terse', 'Briefly: CSV\n'])
    await operator.answer(name, DRAFT)
    assert.equal((await asked).status, 200)
  })

  it('leaves out an agent that does not exist or runs scripts, and keeps one that can work', async () => {
    for (const [type, kept] of [
      ['nobody', undefined],
      ['script', undefined],
      ['claude', { type: 'claude' }],
    ] as const) {
      const { body } = await elaborate('/api/tasks/elaborate', { prompt: 'CSV' }, { ...DRAFT, agent: { type } })
      assert.deepEqual(at(body, 'agent'), kept)
    }
  })

  it('plans a story on a branch that is its own, and stores none', async () => {
    await api.givenStory(aStory({ name: 'old', spec: { projectId: 'shop', branchName: 'story/exports' } }))
    const answer = { ...PLAN, tasks: [{ name: 'Write CSV', description: 'In report.ts.', agent: 'script' }] }
    const request = { prompt: 'Exports, please', project_id: 'shop' }
    const { status, body } = await elaborate('/api/stories/elaborate', request, answer)
    assert.deepEqual([status, body], [200, { ...PLAN, branch_name: 'story/exports-2' }])
    const onTrunk = await elaborate('/api/stories/elaborate', request, { ...PLAN, branch_name: 'trunk' })
    assert.equal(textAt(onTrunk.body, 'branch_name'), 'trunk-2')
    assert.deepEqual(idsOf((await api.get('/api/stories')).body), ['old'])
  })

  it('refuses what it cannot use with 400 that names it, and asks nobody', async () => {
    const before = (await api.client.list(EXECUTIONS, { namespace: api.namespace })).items.length
    const refusals: readonly (readonly [path: string, body: unknown, text: RegExp])[] = [
      ['/api/tasks/elaborate', { prompt: 'a\0b' }, /^prompt: must not contain NUL characters/],
      ['/api/tasks/elaborate', {}, /^prompt: is required$/],
      ['/api/tasks/elaborate', { prompt: ' \n' }, /^prompt: /],
      ['/api/tasks/elaborate', { prompt: 'x', project: 'nothing' }, /^project: project nothing does not exist$/],
      ['/api/tasks/elaborate', { prompt: 'x', colour: 1 }, /^colour: unknown field$/],
      ['/api/tasks/elaborate', { prompt: 'x', project_dir: '/etc' }, /^project_dir: must be a folder below /],
      ['/api/tasks/elaborate?agent=nobody', { prompt: 'x' }, /^agent: agent nobody does not exist$/],
      ['/api/tasks/elaborate?agent=script', { prompt: 'x' }, /^agent: script runs scripts/],
      ['/api/stories/elaborate', { prompt: 'x' }, /^project_id: is required$/],
      ['/api/stories/elaborate', { prompt: 'x', project_id: 'no' }, /^project_id: project no does not exist$/],
    ]
    for (const [path, body, text] of refusals) {
      const refused = await postAfresh(api, path, body)
      assert.equal(refused.status, 400, refused.text)
      assert.match(textAt(refused.body, 'error'), text)
    }
    assert.equal((await api.client.list(EXECUTIONS, { namespace: api.namespace })).items.length, before)
  })

  it('believes no answer file that is not of the form', async () => {
    for (const odd of ['no json', { name: 'x' }, { ...DRAFT, description: 7 }]) {
      const { status, text } = await elaborate('/api/tasks/elaborate', { prompt: 'x' }, odd)
      assert.equal(status, 422, text)
    }
  })

  it('shows its execution over REST and WebSocket like any other, without a task', async () => {
    const live = await connectLive(api.url, '?types=execution_updated')
    try {
      await elaborate('/api/tasks/elaborate', { prompt: 'seen by all' }, DRAFT)
      const { body: list } = await api.get('/api/executions?limit=1')
      const id = textAt(list, '0.id')
      const { body } = await api.get(`/api/executions/${id}`)
      const shown = ['purpose', 'state', 'cost_usd', 'task_id'].map((field) => at(body, field))
      assert.deepEqual(shown, ['elaborate', 'COMPLETED', 0.25, undefined])
      const isItsEnd = ({ execution_id: of, execution }: LiveMessage): boolean =>
        of === id && execution?.state === 'COMPLETED'
      await until('its end is told', () => live.messages.some(isItsEnd))
      assert.equal((await api.get(`/api/executions/${id}/events`)).status, 404)
    } finally {
      await live.close()
    }
  })

  it('is limited per client together with validation: the sixth in a row is 429', async () => {
    const statuses = []
    for (let i = 0; i < 6; i++) {
      const path = i % 2 === 0 ? '/api/tasks/elaborate' : '/api/stories/elaborate'
      statuses.push((await api.post(path, {}, { 'X-Forwarded-For': '10.9.9.9' })).status)
    }
    assert.deepEqual(statuses, [400, 400, 400, 400, 400, 429])
  })
})

describe('an elaboration that gets no answer', () => {
  let api: Rig
  let operator: QueryOperator
  before(async () => {
    api = await startRig({ trustedProxies: ['127.0.0.1'] })
    operator = playOperator(api)
    await api.givenAgent(aClaude())
    await until('claude is known', async () => (await api.get('/api/agents/claude')).status === 200)
  })
  after(() => api.stop())

  const ask = () => postAfresh(api, '/api/tasks/elaborate', { prompt: 'Anything' })
  const message = text('the words of the execution')
  const error = (category: 'auth' | 'credentials' | 'failed' | 'quota' | 'rate_limit') => ({ category, message })

  const ENDS = [
    ['an answer that was unusable twice', 422, { state: 'FAILED', answer: 'Unusable', error: error('failed') }],
    ['a login that was refused', 502, { state: 'FAILED', error: error('auth') }],
    ['a crash', 502, { state: 'FAILED', error: error('failed') }],
    ['missing credentials', 503, { state: 'FAILED', error: error('credentials') }],
    ['throttling', 503, { state: 'FAILED', error: error('rate_limit') }],
    ['a used up quota', 503, { state: 'BUDGET_EXCEEDED', error: error('quota') }],
    ['a time-out of its own', 504, { state: 'TIMED_OUT', error: { category: 'timeout', message } }],
    ['somebody who cancels it', 502, { state: 'CANCELLED', error: { category: 'cancelled', message } }],
  ] as const
  for (const [what, status, end] of ENDS) {
    it(`is ${status} after ${what}, with what the execution says and its id`, async () => {
      const asked = ask()
      const { name } = await operator.next()
      await operator.end(name, end)
      const answer = await asked
      assert.equal(answer.status, status, answer.text)
      assert.ok(answer.text.includes(message) && answer.text.includes(name), answer.text)
    })
  }

  it('says when to try again where the end of a limit is known', async () => {
    const asked = ask()
    const { name } = await operator.next()
    const resumeAfter = new Date(Date.now() + 600_000).toISOString()
    await operator.end(name, { state: 'BUDGET_EXCEEDED', resumeAfter, error: error('quota') })
    const wait = Number((await asked).headers.get('retry-after'))
    assert.ok(wait > 500 && wait <= 601, `${wait}`)
  })

  it('is 502 when somebody deletes the execution', async () => {
    const asked = ask()
    const { name } = await operator.next()
    await api.client.delete(EXECUTIONS, { namespace: api.namespace, name }, {})
    assert.equal((await asked).status, 502)
  })

  it('is cancelled when its client goes', async () => {
    const gone = new AbortController()
    const asked = fetch(`${api.url}/api/tasks/elaborate`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': '10.8.8.8' },
      body: JSON.stringify({ prompt: 'Never mind' }),
      signal: gone.signal,
    })
    const { name } = await operator.next()
    gone.abort()
    await assert.rejects(asked)
    await operator.cancelled(name)
  })
})
