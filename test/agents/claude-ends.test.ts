import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { until } from '../helpers/until.ts'
import { itSurvivesBreaks } from './breaks.ts'
import { CLAUDE } from './programs.ts'
import { type AgentRig, startAgentRig } from './rig.ts'
import { itCanBeStopped } from './stops.ts'

describe('the real claude that is stopped', function () {
  let rig: AgentRig
  before(async () => (rig = await startAgentRig('claude')))
  after(() => rig.stop())

  itCanBeStopped(CLAUDE, () => rig)

  it('shows what it says while it says it, and no log has it in pieces', async () => {
    const text = Array.from({ length: 200 }, (_, i) => `word${i}`).join(' ')
    rig.model.play([], { kind: 'stall', text })
    await rig.submit('talking')
    const said = () =>
      rig
        .conversation('talking-1')
        .flatMap((event) => (event['kind'] === 'text' ? String(event['text']) : []))
        .join('')
    await until('half of it is shown', () => {
      const events = rig.installation.executionFile('talking-1', 'agent/events.jsonl')
      return existsSync(events) && readFileSync(events, 'utf8') !== '' && said().length > 300
    })
    assert.ok(text.startsWith(said()), said())
    assert.equal((await rig.server.task('talking'))['state'], 'RUNNING')
    await rig.act('talking', 'cancel')
    await rig.reaches('talking', 'CANCELLED')
    assert.doesNotMatch(
      readFileSync(rig.installation.executionFile('talking-1', 'agent/stdout.log'), 'utf8'),
      /stream_event/,
    )
  })

  it('after its last turn fails, and says that it can be resumed', async () => {
    await rig.addAgent('brief', { command: ['claude', '--max-turns', '1'] })
    rig.model.play([], CLAUDE.writes)
    await rig.submit('brief', { agent: { type: 'brief' } })
    const task = await rig.reaches('brief', 'FAILED')
    assert.equal(task['error_category'], 'failed')
    assert.match(String(task['error']), /maximum number of turns.*: resume the task to let it go on/i)
    assert.equal(rig.model.asked.length, 1)
  })
})

describe('the real claude', function () {
  let rig: AgentRig
  before(async () => (rig = await startAgentRig('claude')))
  after(() => rig.stop())

  itSurvivesBreaks(CLAUDE, () => rig)
})
