import assert from 'node:assert/strict'
import { itBegins } from '../beginnings.ts'
import { itSurvivesBreaks } from '../breaks.ts'
import { describeGiven } from '../given.ts'
import { isAssumedToLast } from '../limits.ts'
import { itLogsIn, itWaitsForProviders } from '../logins.ts'
import { OPENCODE } from '../programs.ts'
import { NO_CREDIT } from '../refusals.ts'
import { until } from '../../helpers/until.ts'
import { type AgentRig, DEADLINE_MS, startAgentRig } from '../rig.ts'
import { itCanBeStopped } from '../stops.ts'
import { itIsTold } from '../told.ts'

const RESULTS: readonly string[] = ['tool_result', 'message', 'result']

describe('the real opencode, by ACP', function () {
  let rig: AgentRig
  before(async () => (rig = await startAgentRig('opencode')))
  after(() => rig.stop())

  itBegins(OPENCODE, () => rig)

  it('tells what it cost, and in a session that goes on the cost of the rest alone', async () => {
    const [first, second] = await rig.executions('asking')
    const [before, after] = [Number(first?.['cost_usd']), Number(second?.['cost_usd'])]
    assert.ok(after > 0 && after < before, `${after} after ${before}`)
  })

  itIsTold(OPENCODE, () => rig)

  it('that is told something while it works hears it when its turn has ended, in the same session', async () => {
    const input = { command: 'sleep 5; echo hello > hello.txt', description: 'Write it' }
    rig.model.play([
      { kind: 'use', tool: 'bash', input },
      { kind: 'say', text: 'Wrote it.' },
      { kind: 'say', text: 'Heard it.' },
    ])
    await rig.submit('queued')
    await until('it works', () => rig.model.asked.length === 1, DEADLINE_MS)
    await rig.act('queued', 'messages', { text: 'Mind the gap.', mode: 'queue' })
    const task = await rig.reaches('queued', 'READY')
    assert.equal(task['summary'], 'Heard it.')
    assert.match(JSON.stringify(rig.model.asked.at(-1)?.body), /hello\.txt.*Mind the gap\./s)
    const [execution, ...more] = await rig.executions('queued')
    assert.deepEqual(more, [])
    assert.ok(Math.abs(Number(execution?.['cost_usd']) - 0.0018) < 1e-9, String(execution?.['cost_usd']))
  })

  it('that is steered hears it behind the result of its tool, in one more request', async () => {
    const [, second, ...more] = await tells('steered', 'steer', 'sleep 4; echo ran')
    assert.match(JSON.stringify(second?.body), /ran\\n.*Mind the gap\./s)
    assert.deepEqual(more, [])
    const kinds = rig.conversation('steered-1').flatMap(({ kind }) => (RESULTS.includes(String(kind)) ? [kind] : []))
    assert.deepEqual(kinds, ['tool_result', 'message', 'result'])
  })

  it('that is interrupted ends its tool, and goes on with what it is told', async () => {
    const [first, second, ...more] = await tells('interrupted', 'interrupt', 'sleep 100; echo ran')
    // Not the result of a tool that has ended by itself. Its words depend on how far the tool had come.
    const ended = /(?:Tool execution was interrupted|User aborted the command).*Mind the gap\./s
    assert.match(JSON.stringify(second?.body), ended)
    assert.deepEqual([first === undefined, more], [false, []])
  })

  /** Tells it something while its tool runs. @returns what its model was asked until the task was READY */
  async function tells(id: string, mode: string, command: string) {
    rig.model.play([OPENCODE.runs(command)], { kind: 'say', text: 'Heard it.' })
    await rig.submit(id)
    const hasTool = () => rig.conversation(`${id}-1`).some(({ kind }) => kind === 'tool_call')
    await until('its tool runs', () => rig.model.asked.length === 1 && hasTool(), DEADLINE_MS)
    await rig.act(id, 'messages', { text: 'Mind the gap.', mode })
    assert.equal((await rig.reaches(id, 'READY'))['summary'], 'Heard it.')
    return rig.model.asked
  }

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
