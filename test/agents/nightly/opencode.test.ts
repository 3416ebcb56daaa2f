import assert from 'node:assert/strict'
import { itSurvivesBreaks } from '../breaks.ts'
import { describeGiven } from '../given.ts'
import { isAssumedToLast } from '../limits.ts'
import { itLogsIn, itWaitsForProviders } from '../logins.ts'
import { OPENCODE } from '../programs.ts'
import { NO_CREDIT } from '../refusals.ts'
import { until } from '../../helpers/until.ts'
import { type AgentRig, DEADLINE_MS, startAgentRig } from '../rig.ts'
import { itCanBeStopped } from '../stops.ts'

describe('the real opencode, by ACP', function () {
  let rig: AgentRig
  before(async () => (rig = await startAgentRig('opencode')))
  after(() => rig.stop())

  it('is added by the manifest of the examples alone, does a task in a Job, and tells what it cost', async () => {
    rig.model.play([OPENCODE.writes, { kind: 'say', text: 'Created hello.txt' }])
    await rig.submit('simple')
    const task = await rig.reaches('simple', 'READY')
    assert.equal(task['summary'], 'Created hello.txt')
    assert.equal(rig.remote.git('show', 'slipway/simple:hello.txt'), 'hello')
    const [execution] = await rig.executions('simple')
    assert.match(String(execution?.['session_id']), /^ses_/)
    assert.ok(Number(task['cost_usd']) > 0, String(task['cost_usd']))
    const kinds = rig.conversation('simple-1').map(({ kind }) => kind)
    assert.deepEqual([...new Set(kinds)], ['session', 'tool_call', 'tool_result', 'text', 'usage', 'result'])
  })

  it('that asks by the question file is blocked, and the answer resumes its session at the cost of the rest alone', async () => {
    const command = `printf '{"text":"Which color?","options":["red","blue"]}' > "$SERVICE_QUESTION_FILE"`
    rig.model.play([
      { kind: 'use', tool: 'bash', input: { command, description: 'Ask' } },
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
    const [before, after] = [Number(first?.['cost_usd']), Number(second?.['cost_usd'])]
    assert.ok(after > 0 && after < before, `${after} after ${before}`)
  })

  it('that is told something while it works hears it when its turn has ended, in the same session', async () => {
    const input = { command: 'sleep 5; echo hello > hello.txt', description: 'Write it' }
    rig.model.play([
      { kind: 'use', tool: 'bash', input },
      { kind: 'say', text: 'Wrote it.' },
      { kind: 'say', text: 'Heard it.' },
    ])
    await rig.submit('told')
    await until('it works', () => rig.model.asked.length === 1, DEADLINE_MS)
    await rig.act('told', 'messages', { text: 'Mind the gap.' })
    const task = await rig.reaches('told', 'READY')
    assert.equal(task['summary'], 'Heard it.')
    assert.match(JSON.stringify(rig.model.asked.at(-1)?.body), /hello\.txt.*Mind the gap\./s)
    const [execution, ...more] = await rig.executions('told')
    assert.deepEqual(more, [])
    assert.ok(Math.abs(Number(execution?.['cost_usd']) - 0.0018) < 1e-9, String(execution?.['cost_usd']))
  })

  it('without credit is limited for an hour', async () => {
    await rig.addAgent('broke')
    rig.model.play([], NO_CREDIT)
    await rig.submit('unpaid', { agent: { type: 'broke' } })
    await isAssumedToLast(rig, 'unpaid', 'broke', 1)
  })

  itLogsIn(OPENCODE, () => rig)
  itWaitsForProviders(OPENCODE, () => rig)
})

describe('the real opencode that is stopped', function () {
  let rig: AgentRig
  before(async () => (rig = await startAgentRig('opencode')))
  after(() => rig.stop())

  itCanBeStopped(OPENCODE, () => rig)
  itSurvivesBreaks(OPENCODE, () => rig)
})

describeGiven('opencode')
