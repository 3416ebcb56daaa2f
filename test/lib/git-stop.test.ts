import assert from 'node:assert/strict'
import { git } from '../../lib/git.ts'
import { failOnce, installFaults } from '../helpers/file-faults.ts'
import { watchUnhandled } from '../helpers/unhandled.ts'

describe('git that is told to stop while the processes of the machine cannot be listed', () => {
  let stops: (() => void)[] = []
  afterEach(() => {
    for (const stop of stops) stop()
    stops = []
  })

  it('says so, and no rejection is unhandled', async () => {
    const unhandled = watchUnhandled()
    stops.push(unhandled.stop, installFaults())
    const failure = failOnce('readdir', '/proc')
    const signal = AbortSignal.timeout(100)
    await assert.rejects(git(['-c', 'alias.wait=!sleep 60', 'wait'], { signal }), { code: 'EMFILE' })
    assert.ok(failure.isOver())
    assert.deepEqual(unhandled.reasons, [])
  })
})
