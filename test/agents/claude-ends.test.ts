import assert from 'node:assert/strict'
import { itSurvivesBreaks } from './breaks.ts'
import { CLAUDE } from './programs.ts'
import type { AgentRig } from './rig.ts'
import { startAgentRig } from './rig.ts'
import { itCanBeStopped } from './stops.ts'

describe('the real claude that is stopped', function () {
  this.timeout(240_000)
  let rig: AgentRig
  before(async () => (rig = await startAgentRig('claude')))
  after(() => rig.stop())

  itCanBeStopped(CLAUDE, () => rig)

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
  this.timeout(240_000)
  let rig: AgentRig
  before(async () => (rig = await startAgentRig('claude')))
  after(() => rig.stop())

  itSurvivesBreaks(CLAUDE, () => rig)
})
