import assert from 'node:assert/strict'
import {
  createAutoResetEvent,
  createKeyedMutex,
  createSemaphore,
  forEachAtOnce,
  orAborted,
  whenAborted,
} from '../../lib/async.ts'
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

  it('lets nobody go before one who needs many places, and goes on when that one gives up', async () => {
    const enter = createSemaphore(3)
    const leave = await enter(undefined, 2)
    const entered: string[] = []
    const impatient = new AbortController()
    const many = enter(impatient.signal, 3)
    const one = enter().then(() => void entered.push('one'))
    await new Promise((resolve) => setImmediate(resolve))
    assert.deepEqual(entered, [])
    impatient.abort(new Error('too long'))
    await assert.rejects(many, /too long/)
    await one
    leave()
    await enter(undefined, 2)
  })
})

describe('work for each of many', () => {
  it('is done for all, for so many at once, and the first failure is told when all have ended', async () => {
    let atOnce = 0
    let most = 0
    const done: number[] = []
    const work = async (n: number): Promise<void> => {
      most = Math.max(most, ++atOnce)
      await new Promise((resolve) => setImmediate(resolve))
      atOnce -= 1
      done.push(n)
      if (n === 2) throw new Error('of 2')
    }
    await assert.rejects(forEachAtOnce([1, 2, 3, 4, 5], 2, work), /of 2/)
    assert.deepEqual([most, done.length, atOnce], [2, 5, 0])
  })
})

describe('work that may be given up', () => {
  it('gives what it gives, or the reason of an abort without waiting for it', async () => {
    const { signal } = new AbortController()
    assert.equal(await orAborted(Promise.resolve('done'), signal), 'done')
    await assert.rejects(orAborted(Promise.reject(new Error('failed')), signal), /failed/)
    const given = new AbortController()
    const never = orAborted(new Promise(() => undefined), given.signal)
    given.abort(new Error('given up'))
    await assert.rejects(never, /given up/)
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
