/** The limits of Google's provider, whichever way its CLI is driven. */
import assert from 'node:assert/strict'
import { isAssumedToLast, isTriedAgainByItself } from './limits.ts'
import type { Words } from './programs.ts'
import { geminiUsedUp, GEMINI_UNPAID } from './refusals.ts'
import type { AgentRig } from './rig.ts'

export function itMeetsItsLimits(words: Words, get: () => AgentRig): void {
  const agent = (type: string) => ({ agent: { ...words.agent, type } })

  it('whose daily quota is used up is limited for an hour, and is asked once', async () => {
    const rig = get()
    await rig.addAgent('spent')
    rig.model.play([], geminiUsedUp('Day'))
    await rig.submit('used-up', agent('spent'))
    await isAssumedToLast(rig, 'used-up', 'spent', 1)
    const task = await rig.server.task('used-up')
    assert.match(String(task['error']), /daily quota.*: undrain the agent when there is quota again, or run the task/s)
    assert.ok(rig.model.asked.length <= 2, `asked ${rig.model.asked.length} times`)
  })

  it('whose project has no billing is limited too, and is told what Google says, not to renew its login', async () => {
    const rig = get()
    await rig.addAgent('unbilled')
    rig.model.play([], GEMINI_UNPAID)
    await rig.submit('unbilled', agent('unbilled'))
    await isAssumedToLast(rig, 'unbilled', 'unbilled', 1)
    assert.match(
      String((await rig.server.task('unbilled'))['error']),
      /^This API method requires billing to be enabled/,
    )
  })

  it('whose quota per minute is used up fails as rate_limit after a few attempts, and is tried again', async () => {
    const rig = get()
    await rig.addAgent('throttled')
    rig.model.play([], geminiUsedUp('Minute'))
    await rig.submit('too-fast', agent('throttled'))
    await isTriedAgainByItself(rig, 'too-fast')
    assert.ok(rig.model.asked.length <= 8, `asked ${rig.model.asked.length} times`)
  })
}
