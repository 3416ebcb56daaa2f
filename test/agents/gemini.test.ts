import assert from 'node:assert/strict'
import { itIsTold } from './told.ts'
import { itLogsIn, itWaitsForProviders } from './logins.ts'
import { GEMINI } from './programs.ts'
import { isAssumedToLast, isTriedAgainByItself } from './limits.ts'
import { geminiUsedUp, GEMINI_UNPAID } from './refusals.ts'
import { type AgentRig, startAgentRig } from './rig.ts'

describe('the real gemini', function () {
  let rig: AgentRig

  before(async () => (rig = await startAgentRig('gemini')))
  after(() => rig.stop())

  const model = { agent: { type: 'gemini', ...GEMINI.agent } }

  it('does a task in a Job: its work is pushed, with summary, tokens and session', async () => {
    rig.model.play([GEMINI.writes, { kind: 'say', text: 'Created hello.txt' }])
    await rig.submit('simple', model)
    const task = await rig.reaches('simple', 'READY')
    assert.equal(task['summary'], 'Created hello.txt')
    assert.equal(rig.remote.git('show', 'slipway/simple:hello.txt'), 'hello')
    const [execution] = await rig.executions('simple')
    assert.match(String(execution?.['session_id']), /^[0-9a-f-]{36}$/)
  })

  it('that asks by the question file is blocked, and the answer resumes its session', async () => {
    const command = `printf '{"text":"Which color?","options":["red","blue"]}' > "$SERVICE_QUESTION_FILE"`
    rig.model.play([
      { kind: 'use', tool: 'run_shell_command', input: { command } },
      { kind: 'say', text: 'I asked.' },
    ])
    await rig.submit('asking', model)
    const blocked = await rig.reaches('asking', 'BLOCKED')
    assert.deepEqual([blocked['question'], blocked['question_options']], ['Which color?', ['red', 'blue']])
    rig.model.play([{ kind: 'say', text: 'Blue it is.' }])
    await rig.act('asking', 'answer', { answer: 'blue' })
    await rig.reaches('asking', 'READY')
    const [first, second] = await rig.executions('asking')
    assert.equal(second?.['session_id'], first?.['session_id'])
    assert.match(JSON.stringify(rig.model.asked.at(-1)?.body), /using this answer:\\n\\nblue/)
  })

  it('whose daily quota is used up is limited for an hour, and is asked once', async () => {
    await rig.addAgent('spent')
    rig.model.play([], geminiUsedUp('Day'))
    await rig.submit('used-up', { agent: { ...GEMINI.agent, type: 'spent' } })
    await isAssumedToLast(rig, 'used-up', 'spent', 1)
    const task = await rig.server.task('used-up')
    assert.match(String(task['error']), /daily quota.*: undrain the agent when there is quota again, or run the task/s)
    assert.ok(rig.model.asked.length <= 2, `asked ${rig.model.asked.length} times`)
  })

  it('whose project has no billing is limited too, and is told what Google says, not to renew its login', async () => {
    await rig.addAgent('unbilled')
    rig.model.play([], GEMINI_UNPAID)
    await rig.submit('unbilled', { agent: { ...GEMINI.agent, type: 'unbilled' } })
    await isAssumedToLast(rig, 'unbilled', 'unbilled', 1)
    assert.match(
      String((await rig.server.task('unbilled'))['error']),
      /^This API method requires billing to be enabled/,
    )
  })

  it('whose quota per minute is used up fails as rate_limit after a few attempts, and is tried again', async () => {
    await rig.addAgent('throttled')
    rig.model.play([], geminiUsedUp('Minute'))
    await rig.submit('too-fast', { agent: { ...GEMINI.agent, type: 'throttled' } })
    await isTriedAgainByItself(rig, 'too-fast')
    assert.ok(rig.model.asked.length <= 8, `asked ${rig.model.asked.length} times`)
  })

  itWaitsForProviders(GEMINI, () => rig)
  itIsTold(GEMINI, () => rig)
})

describe('the real gemini with a key', function () {
  let rig: AgentRig
  before(async () => (rig = await startAgentRig('gemini')))
  after(() => rig.stop())

  itLogsIn(GEMINI, () => rig)
})
