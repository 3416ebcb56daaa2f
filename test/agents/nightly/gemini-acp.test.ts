import assert from 'node:assert/strict'
import { itBegins } from '../beginnings.ts'
import { itSurvivesBreaks } from '../breaks.ts'
import { describeGiven } from '../given.ts'
import { itMeetsItsLimits } from '../gemini-limits.ts'
import { itLogsIn, itWaitsForProviders } from '../logins.ts'
import { GEMINI_ACP } from '../programs.ts'
import { NO_SUCH_MODEL } from '../refusals.ts'
import { type AgentRig, startAgentRig } from '../rig.ts'
import { itCanBeStopped } from '../stops.ts'
import { itIsTold } from '../told.ts'

// Every cell of the table in docs/agents.md#gemini-by-both-ways, whose other column is gemini.test.ts and gemini-ends.test.ts.
describe('the real gemini, by ACP', function () {
  let rig: AgentRig
  before(async () => (rig = await startAgentRig('gemini-acp')))
  after(() => rig.stop())

  const agent = (type: string) => ({ agent: { ...GEMINI_ACP.agent, type } })

  itBegins(GEMINI_ACP, () => rig)
  itIsTold(GEMINI_ACP, () => rig)

  it('whose session is taken up in the minute in which it began has lost it, and is told the story so far', async () => {
    // Else the test takes as long as its first half does.
    rig.model.play([GEMINI_ACP.writes, { kind: 'say', text: 'Wrote it' }])
    await rig.submit('young', agent('gemini-acp'))
    await rig.reaches('young', 'READY')
    rig.model.play([{ kind: 'say', text: 'Changed it' }])
    await rig.act('young', 'revise', { comment: 'Change it.' })
    assert.equal((await rig.reaches('young', 'READY'))['summary'], 'Changed it')
    assert.match(JSON.stringify(rig.model.asked.at(-1)?.body), /Do young\..*Change it\./s)
  })

  itMeetsItsLimits(GEMINI_ACP, () => rig)

  it('whose model does not exist fails at once, and is not tried again', async () => {
    await rig.addAgent('wrong')
    rig.model.play([], NO_SUCH_MODEL['gemini-acp'])
    await rig.submit('wrong', agent('wrong'))
    const { error, error_category, resume_after } = await rig.reaches('wrong', 'FAILED')
    assert.deepEqual([error_category, resume_after], ['failed', undefined])
    assert.match(String(error), /^models\/gemini-9 is not found/)
  })

  itWaitsForProviders(GEMINI_ACP, () => rig)
})

describe('the real gemini by ACP, with a key', function () {
  let rig: AgentRig
  before(async () => (rig = await startAgentRig('gemini-acp')))
  after(() => rig.stop())

  itLogsIn(GEMINI_ACP, () => rig)
})

describe('the real gemini by ACP that is stopped', function () {
  let rig: AgentRig
  before(async () => (rig = await startAgentRig('gemini-acp')))
  after(() => rig.stop())

  itCanBeStopped(GEMINI_ACP, () => rig)
  itSurvivesBreaks(GEMINI_ACP, () => rig)
})

describeGiven('gemini-acp')
