import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { asRecord } from '../../core/json.ts'
import {
  api,
  GIT_SERVER,
  gitOnServer,
  IMAGE,
  kubectl,
  kubectlJson,
  kubectlWith,
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
import type { Scripts } from './model.ts'

const CLAUDE_IMAGE = required('SLIPWAY_E2E_CLAUDE_IMAGE')
const KEY = 'sk-of-e2e-4f1c9b7a55d2'
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

const titleOf = (id: string): string => `Title of ${id}.`

const SCRIPTS = {
  [titleOf('c-simple')]: [writes, { kind: 'say', text: 'Created hello.txt' }, { kind: 'say', text: 'Created it anew' }],
  [titleOf('c-asking')]: [writes, asks, { kind: 'say', text: 'SQLite it is.' }, { kind: 'say', text: 'Renamed it.' }],
  [titleOf('c-told')]: [works, { kind: 'say', text: 'Heard it.' }],
  [titleOf('c-noting')]: [writes, asks, { kind: 'say', text: 'Postgres it is.' }],
  [titleOf('c-limited')]: [writes, { kind: 'limit', seconds: LIMIT_SECONDS }, { kind: 'say', text: 'Done at last' }],
} satisfies Scripts

/** The model as one file, and what it does. */
async function startModel(): Promise<void> {
  const entry = fileURLToPath(new URL('model.js', import.meta.url))
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    platform: 'node',
    format: 'esm',
    write: false,
  })
  const data = { 'model.mjs': outputFiles[0]?.text, 'scripts.json': JSON.stringify(SCRIPTS) }
  const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'model-server' }, data }
  await kubectlWith(JSON.stringify(configMap), 'apply', '-f', '-')
  const pod = readFileSync('test/e2e/files/model-server.yaml', 'utf8').replace('SLIPWAY_E2E_IMAGE', IMAGE)
  await kubectlWith(pod, 'apply', '-f', '-')
  await kubectl('wait', '--for=condition=Ready', 'pod/model-server', '--timeout=60s')
}

/** As docs/agents.md has it: a Secret, and an Agent with an image that names it. */
function agentWith(name: string, variable: string, more: object = {}): string {
  const address = `http://model-server.${NAMESPACE}.svc`
  const labels = { 'slipway.dev/usable-by': 'agent' }
  const secret = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, labels },
    stringData: { key: KEY, address },
  }
  const env = [
    { name: variable, key: 'key' },
    { name: 'ANTHROPIC_BASE_URL', key: 'address' },
  ]
  const agent = {
    apiVersion: 'slipway.dev/v1alpha1',
    kind: 'Agent',
    metadata: { name },
    spec: {
      adapter: 'claude',
      image: CLAUDE_IMAGE,
      // Nobody else's task comes here.
      classifier: { enabled: false },
      credentials: { secretName: name, env },
      ...more,
    },
  }
  return JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [secret, agent] })
}

async function start(id: string, agent: string): Promise<void> {
  await api.createTask({ body: { id, name: titleOf(id), project: 'claude', agent: { type: agent } } })
  await api.runTask({ params: { id } })
}

/** Of a task, the first one first. */
async function executionsOf(id: string): Promise<Record<string, unknown>[]> {
  return records(await api.listExecutions({ query: { task_id: id } })).toReversed()
}

/** What the model was told in a task, one text per request. */
async function toldIn(id: string): Promise<string[]> {
  const lines = (await kubectl('logs', 'model-server')).split('\n').filter((line) => line.startsWith('{'))
  return lines
    .map((line) => asRecord(JSON.parse(line)))
    .filter(({ title }) => title === titleOf(id))
    .map(({ authorization, told }) => `${String(authorization)} ${String(told)}`)
}

describe('the real claude in pods, with a model in another one', function () {
  this.timeout(5 * MINUTE)
  let isLimited: Promise<unknown>

  before(async () => {
    await Promise.all([makeProject('claude', { remote_url: `http://${GIT_SERVER}/sample.git` }), startModel()])
    // Some pods at a time: each of them needs a while to start.
    const resources = { requests: { cpu: '50m', memory: '128Mi' }, limits: { memory: '2Gi' } }
    await kubectlWith(
      agentWith('e2e-claude', 'ANTHROPIC_API_KEY', { maxConcurrent: 3, podTemplate: { resources } }),
      'apply',
      '-f',
      '-',
    )
    await kubectlWith(agentWith('e2e-subscriber', 'CLAUDE_CODE_OAUTH_TOKEN'), 'apply', '-f', '-')
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
