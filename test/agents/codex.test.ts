import assert from 'node:assert/strict'
import { itBegins } from './beginnings.ts'
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

  itBegins(CODEX, () => rig)

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
