import assert from 'node:assert/strict'
import { asRecord } from '../../core/json.ts'
import {
  api,
  GIT_SERVER,
  gitOnServer,
  IMAGE,
  kubectl,
  kubectlJson,
  labelled,
  makeProject,
  MINUTE,
  NAMESPACE,
  podsOf,
  records,
  required,
  untilState,
} from './cluster.ts'
import { until } from '../helpers/until.ts'
import { type PodAgent, addAgent, KEY, modelIn, startModel, titleOf, toldIn as askModel } from './agents.ts'
import type { Scripts } from './model.ts'

const CLAUDE_IMAGE = required('SLIPWAY_E2E_CLAUDE_IMAGE')
/** Longer than a pod needs to end, so that the task is seen waiting; short, for the test waits as well. */
const LIMIT_SECONDS = 10

const writes = { kind: 'use', tool: 'Write', input: { file_path: 'hello.txt', content: 'hello\n' } } as const
const asks = {
  kind: 'use',
  tool: 'AskUserQuestion',
  input: {
    questions: [
      {
        question: 'Which database?',
        header: 'DB',
        options: ['Postgres', 'SQLite'].map((label) => ({ label, description: `use ${label}` })),
        multiSelect: false,
      },
    ],
  },
} as const

/** Long enough to be told something meanwhile. */
const works = {
  kind: 'use',
  tool: 'Bash',
  input: { command: 'for i in $(seq 150); do sleep 0.1; done; echo hello > hello.txt' },
} as const

const appends = { kind: 'use', tool: 'Bash', input: { command: 'echo more > more.txt' } } as const

const SCRIPTS = {
  [titleOf('c-simple')]: [writes, { kind: 'say', text: 'Created hello.txt' }, { kind: 'say', text: 'Created it anew' }],
  [titleOf('c-asking')]: [writes, asks, { kind: 'say', text: 'SQLite it is.' }, { kind: 'say', text: 'Renamed it.' }],
  [titleOf('c-told')]: [works, { kind: 'say', text: 'Heard it.' }],
  // Before the one that it continues, whose title stands in its conversation too.
  [titleOf('c-more')]: [appends, { kind: 'say', text: 'Said more.' }],
  [titleOf('c-noting')]: [writes, asks, { kind: 'say', text: 'Postgres it is.' }],
  [titleOf('c-limited')]: [writes, { kind: 'limit', seconds: LIMIT_SECONDS }, { kind: 'say', text: 'Done at last' }],
} satisfies Scripts

const agent = (variable: string, more: object = {}): PodAgent => ({
  adapter: 'claude',
  image: CLAUDE_IMAGE,
  login: { [variable]: KEY, ANTHROPIC_BASE_URL: modelIn(NAMESPACE) },
  more,
})

const toldIn = (id: string): Promise<string[]> => askModel(NAMESPACE, id)

async function start(id: string, type: string, more: object = {}): Promise<void> {
  await api.createTask({ body: { id, name: titleOf(id), project: 'claude', agent: { type }, ...more } })
  await api.runTask({ params: { id } })
}

/** Of a task, the first one first, once all have ended, of which an API server may hear later than of their task. */
async function executionsOf(id: string): Promise<Record<string, unknown>[]> {
  let found: Record<string, unknown>[] = []
  await until(
    () => `all executions of ${id} have ended: ${JSON.stringify(found)}`,
    async () => {
      found = records(await api.listExecutions({ query: { task_id: id } })).toReversed()
      return found.length > 0 && found.every((execution) => execution['finished_at'] !== undefined)
    },
    MINUTE,
  )
  return found
}

describe('the real claude in pods, with a model in another one', function () {
  this.timeout(5 * MINUTE)
  let isLimited: Promise<unknown>

  before(async () => {
    await Promise.all([
      makeProject('claude', { remote_url: `http://${GIT_SERVER}/sample.git` }),
      startModel(NAMESPACE, IMAGE, SCRIPTS),
    ])
    // Some pods at a time: each of them needs a while to start.
    const resources = { requests: { cpu: '50m', memory: '128Mi' }, limits: { memory: '2Gi' } }
    const several = { maxConcurrent: 3, podTemplate: { resources } }
    await addAgent(NAMESPACE, 'e2e-claude', agent('ANTHROPIC_API_KEY', several))
    await addAgent(NAMESPACE, 'e2e-subscriber', agent('CLAUDE_CODE_OAUTH_TOKEN'))
    const agents = ['agent.slipway.dev/e2e-claude', 'agent.slipway.dev/e2e-subscriber']
    await kubectl('wait', '--for=condition=Ready', ...agents, '--timeout=90s')
    await start('c-limited', 'e2e-subscriber')
    isLimited = untilState('c-limited', 'BUDGET_EXCEEDED', 3 * MINUTE)
    await Promise.all(['c-simple', 'c-asking', 'c-noting'].map((id) => start(id, 'e2e-claude')))
  })
  after(async () => {
    await kubectl('delete', 'agent.slipway.dev', 'e2e-claude', 'e2e-subscriber')
    await kubectl('delete', 'secret', 'e2e-claude', 'e2e-subscriber')
    await kubectl('delete', 'pod/model-server', 'service/model-server', 'configmap/model-server', '--wait=false')
  })

  it('does a task: its work is pushed, with summary, cost and session', async () => {
    const task = await untilState('c-simple', 'READY', 4 * MINUTE)
    assert.equal(task['summary'], 'Created hello.txt')
    assert.equal(await gitOnServer('sample', 'show', 'slipway/c-simple:hello.txt'), 'hello\n')
    const [execution] = await executionsOf('c-simple')
    assert.ok(Number(execution?.['cost_usd']) > 0)
    assert.match(String(execution?.['session_id']), /^[0-9a-f-]{36}$/)
  })

  it('has the key of its Secret, which is in no log and in no record', async () => {
    const told = await toldIn('c-simple')
    assert.ok(told.length >= 2 && told.every((line) => line.startsWith(`${KEY} `)), JSON.stringify(told))
    const pods = JSON.stringify(await podsOf('c-simple'))
    assert.match(pods, new RegExp(CLAUDE_IMAGE))
    const texts = [pods, await kubectl('logs', 'job/c-simple-1-run', '--all-containers')]
    for (const text of [...texts, JSON.stringify(await executionsOf('c-simple'))]) assert.ok(!text.includes(KEY), text)
  })

  it('asks a question, and the answer over REST resumes its session in the kept clone', async () => {
    const blocked = await untilState('c-asking', 'BLOCKED', 4 * MINUTE)
    assert.equal(blocked['question'], 'Which database?')
    assert.deepEqual(blocked['question_options'], ['Postgres', 'SQLite'])
    await api.answerTask({ params: { id: 'c-asking' }, body: { answer: 'SQLite' } })
  })

  it('asks another, and an annotation answers it', async () => {
    await untilState('c-noting', 'BLOCKED', 4 * MINUTE)
    const action = ['slipway.dev/action=answer', 'slipway.dev/answer=Postgres']
    await kubectl('annotate', 'task.slipway.dev', 'c-noting', ...action)
  })

  for (const [id, answer] of [
    ['c-asking', 'SQLite'],
    ['c-noting', 'Postgres'],
  ] as const) {
    it(`${id}: goes on with the answer, in the same session and clone`, async () => {
      const task = await untilState(id, 'READY', 4 * MINUTE)
      assert.equal(task['summary'], `${answer} it is.`)
      const [first, second, ...more] = await executionsOf(id)
      assert.deepEqual([second?.['session_id'], more], [first?.['session_id'], []])
      assert.equal(await gitOnServer('sample', 'show', `slipway/${id}:hello.txt`), 'hello\n')
      assert.match((await toldIn(id)).at(-1) ?? '', new RegExp(`using this answer:.*${answer}`))
    })
  }

  it('is asked for changes by annotation, and makes them in the session and clone of its READY work', async () => {
    const action = ['slipway.dev/action=revise', 'slipway.dev/comment=Rename it']
    await kubectl('annotate', 'task.slipway.dev', 'c-asking', ...action)
    await kubectl('wait', '--for=create', 'execution.slipway.dev/c-asking-3', '--timeout=60s')
    const task = await untilState('c-asking', 'READY', 4 * MINUTE)
    assert.equal(task['summary'], 'Renamed it.')
    const [, second, third] = await executionsOf('c-asking')
    assert.equal(third?.['session_id'], second?.['session_id'])
    assert.match((await toldIn('c-asking')).at(-1) ?? '', /using this answer.*Rename it/s)
  })

  it('begins one more thing with a copy of the session of accepted work, whose clone and home are gone', async () => {
    await api.acceptTask({ params: { id: 'c-noting' } })
    await untilState('c-noting', 'COMPLETED')
    const [, asked] = await executionsOf('c-noting')
    const left = ['exec', 'deployment/slipway-operator', '--', 'ls', '/slipway/sandboxes']
    await until('its workspace is gone', async () => !(await kubectl(...left)).split('\n').includes('c-noting'), MINUTE)
    await start('c-more', 'e2e-claude', { continues: 'c-noting' })
    const task = await untilState('c-more', 'READY', 4 * MINUTE)
    assert.equal(task['summary'], 'Said more.')
    const [execution] = await executionsOf('c-more')
    assert.equal(execution?.['session_id'], asked?.['session_id'])
    const told = await toldIn('c-more')
    assert.equal(told.length, 2)
    assert.match(told[0] ?? '', /Title of c-noting\..*using this answer.*Postgres it is.*Title of c-more\./s)
    assert.equal(await gitOnServer('sample', 'show', 'slipway/c-more:more.txt'), 'more\n')
    await assert.rejects(gitOnServer('sample', 'show', 'slipway/c-more:hello.txt'), 'a branch as that of any task')
  })

  it('is told something while its tool runs, and hears it right after the tool', async () => {
    await start('c-told', 'e2e-claude')
    await until('the model was asked', async () => (await toldIn('c-told')).length === 1, 4 * MINUTE)
    await api.messageTask({ params: { id: 'c-told' }, body: { text: 'Mind the gap', mode: 'steer' } })
    const task = await untilState('c-told', 'READY', 4 * MINUTE)
    assert.equal(task['summary'], 'Heard it.')
    const told = await toldIn('c-told')
    assert.equal(told.length, 2)
    assert.match(told.at(-1) ?? '', /tool_result.*Mind the gap/s)
    const [execution] = await executionsOf('c-told')
    const [message] = records(execution?.['messages'])
    assert.ok(message?.['delivered_at'], JSON.stringify(execution))
  })

  it('is told the feedback with which its work was rejected', async () => {
    await api.rejectTask({ params: { id: 'c-simple' }, body: { comment: 'Say it louder' } })
    await api.runTask({ params: { id: 'c-simple' }, query: { agent: 'e2e-claude' } })
    await kubectl('wait', '--for=create', 'execution.slipway.dev/c-simple-2', '--timeout=60s')
    const task = await untilState('c-simple', 'READY', 4 * MINUTE)
    assert.equal(task['summary'], 'Created it anew')
    assert.match((await toldIn('c-simple')).at(-1) ?? '', /Say it louder/)
  })

  it('waits for the end of a usage limit, is not FAILED, and goes on by itself in its session', async () => {
    await isLimited
    const task = await untilState('c-limited', 'READY', 4 * MINUTE)
    assert.equal(task['summary'], 'Done at last')
    const [first, second, ...more] = await executionsOf('c-limited')
    assert.deepEqual(
      [first?.['state'], first?.['error_category'], second?.['state'], more],
      ['BUDGET_EXCEEDED', 'quota', 'COMPLETED', []],
    )
    const [, told = ''] = /the limit ends at (\S+Z)/.exec(String(first?.['error'])) ?? []
    assert.ok(Date.parse(String(second?.['started_at'])) >= Date.parse(told), `told ${told}`)
    assert.equal(second?.['session_id'], first?.['session_id'])
    const { status } = await kubectlJson('get', 'task.slipway.dev', 'c-limited')
    assert.deepEqual(
      records(asRecord(status)['decisions']).map(({ action }) => action),
      ['run'],
    )
    assert.equal((await labelled('jobs', 'slipway.dev/task=c-limited')).length, 2)
  })
})
