import assert from 'node:assert/strict'
import { itKeepsBudgets } from './budgets.ts'
import { itSurvivesBreaks } from './breaks.ts'
import { GEMINI } from './programs.ts'
import { type AgentRig, startAgentRig } from './rig.ts'
import { itCanBeStopped } from './stops.ts'

describe('the real gemini that is stopped', function () {
  let rig: AgentRig
  before(async () => (rig = await startAgentRig('gemini')))
  after(() => rig.stop())

  itCanBeStopped(GEMINI, () => rig)
  itKeepsBudgets(GEMINI, () => rig)

  it('after its last turn fails, and says that it can be resumed', async () => {
    const settings = JSON.stringify({ model: { maxSessionTurns: 1 } })
    await rig.storeSecret('settings', { settings, key: 'sk-x', url: rig.model.url })
    const env = [
      { name: 'GEMINI_API_KEY', key: 'key' },
      { name: 'GOOGLE_GEMINI_BASE_URL', key: 'url' },
    ]
    const files = [{ path: '.gemini/settings.json', key: 'settings' }]
    await rig.addAgent('brief', { credentials: { secret_name: 'settings', env, files } })
    rig.model.play([], GEMINI.writes)
    await rig.submit('brief', { agent: { ...GEMINI.agent, type: 'brief' } })
    const task = await rig.reaches('brief', 'FAILED')
    assert.equal(task['error_category'], 'failed')
    assert.match(String(task['error']), /: resume the task to let it go on/)
    assert.ok(rig.model.asked.length <= 2, `asked ${rig.model.asked.length} times`)
  })
})

describe('the real gemini', function () {
  let rig: AgentRig
  before(async () => (rig = await startAgentRig('gemini')))
  after(() => rig.stop())

  itSurvivesBreaks(GEMINI, () => rig)
})
