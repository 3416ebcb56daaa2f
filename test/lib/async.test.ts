import assert from 'node:assert/strict'
import { createAutoResetEvent, createKeyedMutex, createSemaphore, whenAborted } from '../../lib/async.ts'
import { manualClock } from '../helpers/clock.ts'

describe('work behind a keyed mutex', () => {
  it('is done one after another for one key, in the order of asking, also after a failure', async () => {
    const runExclusive = createKeyedMutex()
    const seen: string[] = []
    const work = (name: string, fails = false) =>
      runExclusive('key', async () => {
        seen.push(`${name} begins`)
        await new Promise((resolve) => setImmediate(resolve))
        seen.push(`${name} ends`)
        if (fails) throw new Error(name)
        return name
      })
    const results = await Promise.allSettled([work('a'), work('b', true), work('c')])
    assert.deepEqual(
      results.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled'],
    )
    assert.deepEqual(seen, ['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends'])
  })

  it('does not wait for other keys', async () => {
    const runExclusive = createKeyedMutex()
    let release: () => void = () => undefined
    const held = runExclusive('held', () => new Promise<void>((resolve) => (release = resolve)))
    assert.equal(await runExclusive('free', async () => 'done'), 'done')
    release()
    await held
  })
})

describe('a semaphore', () => {
  it('lets so many in, and hands a place that is left to whoever waits longest', async () => {
    const enter = createSemaphore(1)
    const leave = await enter()
    const entered: string[] = []
    const waiting = ['a', 'b'].map(async (name) => {
      const leaveAgain = await enter()
      entered.push(name)
      leaveAgain()
    })
    await Promise.resolve()
    assert.deepEqual(entered, [])
    leave()
    await Promise.all(waiting)
    assert.deepEqual(entered, ['a', 'b'])
  })
})

describe('an auto-reset event', () => {
  it('keeps what was set before a wait, once however often it was set', async () => {
    const clock = manualClock()
    const event = createAutoResetEvent(clock)
    event.set()
    event.set()
    await event.wait()
    const waited = event.wait(1000).then(() => clock.elapsedMs())
    await clock.advance(2000)
    assert.equal(await waited, 1000)
  })

  it('ends a wait when it is set, and every wait once it is closed', async () => {
    const event = createAutoResetEvent(manualClock())
    const first = event.wait()
    event.set()
    await first
    const second = event.wait()
    event.close()
    await Promise.all([second, event.wait()])
  })
})

describe('waiting for an abort', () => {
  it('ends with the abort, and at once after it', async () => {
    const ending = new AbortController()
    const ended = whenAborted(ending.signal)
    ending.abort()
    await Promise.all([ended, whenAborted(ending.signal)])
  })
})
