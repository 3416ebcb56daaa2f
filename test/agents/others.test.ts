import assert from 'node:assert/strict'
import { configureCodex } from './codex-config.ts'
import type { AgentRig } from './rig.ts'
import { startAgentRig } from './rig.ts'

const DEADLINE_MS = 60_000

describe('the real gemini', function () {
  this.timeout(120_000)
  let rig: AgentRig

  before(async () => (rig = await startAgentRig('gemini')))
  after(() => rig.stop())

  const model = { agent: { type: 'gemini', model: 'gemini-2.5-flash' } }

  it('does a task in a Job: its work is pushed, with summary and tokens', async () => {
    const input = { file_path: 'hello.txt', content: 'hello\n' }
    rig.model.play([
      { kind: 'use', tool: 'write_file', input },
      { kind: 'say', text: 'Created hello.txt' },
    ])
    await rig.submit('simple', model)
    const task = await rig.server.reaches('simple', 'READY', DEADLINE_MS)
    assert.equal(task['summary'], 'Created hello.txt')
    assert.equal(rig.remote.git('show', 'slipway/simple:hello.txt'), 'hello')
    const [execution] = await rig.server.executions('simple')
    assert.match(String(execution?.['session_id']), /^[0-9a-f-]{36}$/)
  })

  it('that asks by the question file is blocked, and the answer resumes its session', async () => {
    const command = `printf '{"text":"Which color?","options":["red","blue"]}' > "$SERVICE_QUESTION_FILE"`
    rig.model.play([
      { kind: 'use', tool: 'run_shell_command', input: { command } },
      { kind: 'say', text: 'I asked.' },
    ])
    await rig.submit('asking', model)
    const blocked = await rig.server.reaches('asking', 'BLOCKED', DEADLINE_MS)
    assert.deepEqual([blocked['question'], blocked['question_options']], ['Which color?', ['red', 'blue']])
    rig.model.play([{ kind: 'say', text: 'Blue it is.' }])
    await rig.server.call('POST', '/api/tasks/asking/answer', { answer: 'blue' })
    await rig.server.reaches('asking', 'READY', DEADLINE_MS)
    const [second, first] = await rig.server.executions('asking')
    assert.equal(second?.['session_id'], first?.['session_id'])
  })

  it('whose daily quota is used up waits for a person', async () => {
    const details = [
      {
        '@type': 'type.googleapis.com/google.rpc.QuotaFailure',
        violations: [{ quotaId: 'GenerateRequestsPerDayPerProjectPerModel' }],
      },
    ]
    const error = { code: 429, status: 'RESOURCE_EXHAUSTED', message: 'You exceeded your current quota', details }
    rig.model.play(Array.from({ length: 20 }, () => ({ kind: 'fail', status: 429, body: { error } }) as const))
    await rig.submit('used-up', model)
    await assert.rejects(rig.server.reaches('used-up', 'READY', DEADLINE_MS), /BUDGET_EXCEEDED/)
    assert.equal((await rig.server.task('used-up'))['error_category'], 'quota')
    rig.model.play([])
  })
})

describe('the real codex', function () {
  this.timeout(120_000)
  let rig: AgentRig

  before(async () => {
    rig = await startAgentRig('codex')
    await configureCodex(rig)
  })
  after(() => rig.stop())

  it('is added by a manifest alone, and does a task in a Job', async () => {
    const cmd = 'printf hello > hello.txt'
    rig.model.play([
      { kind: 'use', tool: 'exec_command', input: { cmd } },
      { kind: 'say', text: 'Created hello.txt' },
    ])
    await rig.submit('simple')
    const task = await rig.server.reaches('simple', 'READY', DEADLINE_MS)
    assert.equal(task['summary'], 'Created hello.txt')
    assert.equal(rig.remote.git('show', 'slipway/simple:hello.txt'), 'hello')
  })
})
