import assert from 'node:assert/strict'
import { itKeepsBudgets } from './budgets.ts'
import { itSurvivesBreaks } from './breaks.ts'
import { isAssumedToLast, isTriedAgainByItself, itGoesOnAfterItsLimit } from './limits.ts'
import { itIsTold } from './told.ts'
import { itLogsIn, itWaitsForProviders } from './logins.ts'
import { CODEX } from './programs.ts'
import { codexUsedUp, OPENAI_BROKEN, openaiRefuses } from './refusals.ts'
import { type AgentRig, startAgentRig } from './rig.ts'
import { itCanBeStopped } from './stops.ts'

describe('the real codex', function () {
  let rig: AgentRig
  before(async () => (rig = await startAgentRig('codex')))
  after(() => rig.stop())

  it('is added by a manifest alone, and does a task in a Job', async () => {
    rig.model.play([CODEX.writes, { kind: 'say', text: 'Created hello.txt' }])
    await rig.submit('simple')
    const task = await rig.reaches('simple', 'READY')
    assert.equal(task['summary'], 'Created hello.txt')
    assert.equal(rig.remote.git('show', 'slipway/simple:hello.txt'), 'hello')
    const [execution] = await rig.executions('simple')
    assert.match(String(execution?.['session_id']), /^[0-9a-f-]{36}$/)
  })

  it('that asks by the question file is blocked, and the answer resumes its session', async () => {
    const cmd = `printf '{"text":"Which color?","options":["red","blue"]}' > "$SERVICE_QUESTION_FILE"`
    rig.model.play([
      { kind: 'use', tool: 'exec_command', input: { cmd } },
      { kind: 'say', text: 'I asked.' },
    ])
    await rig.submit('asking')
    const blocked = await rig.reaches('asking', 'BLOCKED')
    assert.deepEqual([blocked['question'], blocked['question_options']], ['Which color?', ['red', 'blue']])
    rig.model.play([{ kind: 'say', text: 'Blue it is.' }])
    await rig.act('asking', 'answer', { answer: 'blue' })
    await rig.reaches('asking', 'READY')
    const [first, second] = await rig.executions('asking')
    assert.equal(second?.['session_id'], first?.['session_id'])
    assert.match(JSON.stringify(rig.model.asked.at(-1)?.body), /using this answer:\\n\\nblue/)
  })

  it('without quota is limited for an hour, and is asked a few times', async () => {
    await rig.addAgent('broke')
    rig.model.play([], openaiRefuses(429, 'insufficient_quota', 'You exceeded your current quota'))
    await rig.submit('unpaid', { agent: { type: 'broke' } })
    await isAssumedToLast(rig, 'unpaid', 'broke', 1)
    const task = await rig.server.task('unpaid')
    assert.match(String(task['error']), /: undrain the agent when there is quota again, or run the task with another/)
    assert.ok(rig.model.asked.length <= 8, `asked ${rig.model.asked.length} times`)
  })

  it('whose provider answers with HTTP 500 is tried again by itself, and nothing counts towards a drain', async () => {
    await rig.addAgent('broken')
    rig.model.play([], OPENAI_BROKEN)
    await rig.submit('broken', { agent: { type: 'broken' } })
    await isTriedAgainByItself(rig, 'broken')
    assert.equal((await rig.statusOf('broken')).record['consecutive_failures'], 0)
  })

  itGoesOnAfterItsLimit(CODEX, () => rig, { agent: 'codex', usedUp: codexUsedUp, stepSeconds: 60 })

  itLogsIn(CODEX, () => rig)
  itWaitsForProviders(CODEX, () => rig)
  itIsTold(CODEX, () => rig)
})

describe('the real codex that is stopped', function () {
  let rig: AgentRig
  before(async () => (rig = await startAgentRig('codex')))
  after(() => rig.stop())

  itCanBeStopped(CODEX, () => rig)
  itKeepsBudgets(CODEX, () => rig)
  itSurvivesBreaks(CODEX, () => rig)
})
