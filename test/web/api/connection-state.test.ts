import assert from 'node:assert/strict'
import { createConnectionState } from '../../../web/api/connection-state.ts'

const LIVE = { phase: 'live', failures: 0 } as const

/** Whether a promise has been resolved by now. */
async function isResolved(promise: Promise<void>): Promise<boolean> {
  let resolved = false
  void promise.then(() => (resolved = true))
  await Promise.resolve()
  return resolved
}

describe('the state of the connection', () => {
  it('begins anew with each session, so that lists wait for the connection of the person who reads them', async () => {
    const state = createConnectionState()
    const seen: string[] = []
    state.subscribe(() => seen.push(state.now().phase))
    state.set(LIVE)
    assert.equal(await isResolved(state.whenSettled()), true)
    state.end()
    assert.equal(await isResolved(state.whenSettled()), false)
    state.set({ phase: 'away', failures: 1 })
    assert.equal(await isResolved(state.whenSettled()), true)
    assert.deepEqual(seen, ['live', 'starting', 'away'])
  })

  it('keeps who waits for a first connection waiting for that of the next session', async () => {
    const state = createConnectionState()
    const waiting = state.whenSettled()
    state.end()
    assert.equal(await isResolved(waiting), false)
    state.set(LIVE)
    assert.equal(await isResolved(waiting), true)
  })
})
