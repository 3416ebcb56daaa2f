import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { CLAUDE } from './programs.ts'
import { itIsTold } from './told.ts'
import { type AgentRig, MARKER, startAgentRig } from './rig.ts'

const DEADLINE_MS = 180_000

describe('the real claude', function () {
  let rig: AgentRig

  before(async () => (rig = await startAgentRig('claude')))
  after(() => rig.stop())

  const writes = { kind: 'use', tool: 'Write', input: { file_path: 'hello.txt', content: 'hello\n' } } as const

  it('does a task in a Job: its work is pushed, with summary, cost, tokens and session', async () => {
    rig.model.play([writes, { kind: 'say', text: 'Created hello.txt' }])
    await rig.submit('simple')
    const task = await rig.server.reaches('simple', 'READY', DEADLINE_MS)
    assert.equal(task['summary'], 'Created hello.txt')
    assert.equal(rig.remote.git('show', 'slipway/simple:hello.txt'), 'hello')
    const [execution] = await rig.server.executions('simple')
    assert.ok(Number(execution?.['cost_usd']) > 0)
    assert.equal(execution?.['turns'], 2)
    assert.match(String(execution?.['session_id']), /^[0-9a-f-]{36}$/)
    assert.equal(rig.model.asked[0]?.authorization, MARKER)
  })

  itIsTold(CLAUDE, () => rig)

  it('asks a question with options, and the answer resumes its session in the kept clone', async () => {
    const option = (label: string) => ({ label, description: `use ${label}` })
    const question = {
      question: 'Which database?',
      header: 'DB',
      options: ['Postgres', 'SQLite'].map(option),
      multiSelect: false,
    }
    rig.model.play([writes, { kind: 'use', tool: 'AskUserQuestion', input: { questions: [question] } }])
    await rig.submit('asking')
    const blocked = await rig.server.reaches('asking', 'BLOCKED', DEADLINE_MS)
    assert.equal(blocked['question'], 'Which database?')
    assert.deepEqual(blocked['question_options'], ['Postgres', 'SQLite'])
    rig.model.play([{ kind: 'say', text: 'SQLite it is.' }])
    const reply = await rig.server.call('POST', '/api/tasks/asking/answer', { answer: 'SQLite' })
    assert.equal(reply.status, 202, reply.text)
    await rig.server.reaches('asking', 'READY', DEADLINE_MS)
    const [second, first] = await rig.server.executions('asking')
    assert.equal(second?.['session_id'], first?.['session_id'])
    assert.equal(rig.remote.git('show', 'slipway/asking:hello.txt'), 'hello')
    const last = JSON.stringify(rig.model.asked.at(-1)?.body)
    assert.match(last, /Which database\?/)
    assert.match(last, /using this answer:\\n\\nSQLite/)
  })

  it('that prints its own key has it in nothing that Slipway keeps or shows of it', async () => {
    const command =
      'for i in a b; do echo "$ANTHROPIC_API_KEY"; done; printf %s "$ANTHROPIC_API_KEY" | base64; echo printed'
    rig.model.play([
      { kind: 'use', tool: 'Bash', input: { command } },
      () => ({ kind: 'say', text: `It is ${MARKER}.` }),
    ])
    await rig.submit('talking')
    const task = await rig.server.reaches('talking', 'READY', DEADLINE_MS)
    assert.equal(task['summary'], 'It is [redacted].')
    const paths = ['', '/stdout', '/stderr', '/events'].map((path) => `/api/executions/talking-1${path}`)
    const texts = await Promise.all(paths.map(async (path) => (await rig.server.call('GET', path)).text))
    assert.match(texts[1] ?? '', /\[redacted\]\\n\[redacted\]\\n\[redacted\]\\nprinted/)
    for (const text of texts)
      for (const spelling of [MARKER, Buffer.from(MARKER).toString('base64')]) assert.ok(!text.includes(spelling), text)
  })

  it('leaves the key in no file outside the mount of its credentials, and in no record', async () => {
    const texts = await Promise.all(
      ['/api/tasks', '/api/executions', '/api/agents'].map(async (path) => (await rig.server.call('GET', path)).text),
    )
    const stdout = readFileSync(rig.installation.executionFile('simple-1', 'agent/stdout.log'), 'utf8')
    for (const text of [...texts, stdout, rig.server.program.output()]) assert.ok(!text.includes(MARKER))
  })
})
