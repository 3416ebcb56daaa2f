import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { type WorkQueue, createWorkQueue } from '../../kube/workqueue.ts'
import { type ManualClock, manualClock } from '../helpers/clock.ts'
import { runs } from '../helpers/runs.ts'

describe('a work queue', () => {
  let clock: ManualClock
  let queue: WorkQueue
  beforeEach(() => {
    clock = manualClock()
    queue = createWorkQueue({ clock, random: () => 0.5, backoff: { baseMs: 100, maxMs: 1000 } })
  })

  it('hands a key out once, however often it was added', async () => {
    for (const key of ['a', 'b', 'a']) queue.add(key)
    assert.deepEqual([await queue.take(), await queue.take(), queue.depth()], ['a', 'b', 0])
  })

  it('hands a key that is in work out again only after it is done', async () => {
    queue.add('a')
    await queue.take()
    queue.add('a')
    assert.equal(queue.depth(), 0)
    queue.done('a')
    assert.equal(await queue.take(), 'a')
  })

  it('gives a waiting worker the next key', async () => {
    const waiting = queue.take()
    queue.add('a')
    assert.equal(await waiting, 'a')
  })

  it('of several delayed adds the earliest counts, once', async () => {
    queue.addAfter('a', 500)
    queue.addAfter('a', 100)
    queue.addAfter('a', 300)
    await clock.advance(99)
    assert.equal(queue.depth(), 0)
    await clock.advance(1)
    assert.equal(await queue.take(), 'a')
    queue.done('a')
    await clock.advance(1000)
    assert.equal(queue.depth(), 0)
  })

  it('waits longer with each failure, up to the maximum, until the key is forgotten', async () => {
    for (const waitMs of [75, 150, 300, 600, 750, 750]) {
      queue.addRateLimited('a')
      await clock.advance(waitMs - 1)
      assert.equal(queue.depth(), 0, `not before ${waitMs} ms`)
      await clock.advance(1)
      assert.equal(await queue.take(), 'a')
      queue.done('a')
    }
    queue.forget('a')
    assert.equal(queue.failures('a'), 0)
  })

  it('hands out patient keys after all others, and no longer once they are not patient', async () => {
    const patient = new Set(['a', 'b'])
    queue = createWorkQueue({ clock, random: () => 0, isPatient: (key) => patient.has(key) })
    for (const key of ['a', 'b', 'c']) queue.add(key)
    assert.equal(queue.depth(), 3)
    patient.delete('b')
    queue.add('b')
    queue.add('d', true)
    queue.add('c', true)
    assert.deepEqual([await queue.take(), await queue.take()], ['c', 'b'])
    assert.deepEqual([await queue.take(), await queue.take(), queue.depth()], ['a', 'd', 0])
  })

  it('when shut down drops what waits, ends waiting workers and resolves once the last key is done', async () => {
    queue.add('a')
    await queue.take()
    queue.add('b')
    queue.addAfter('c', 10)
    let ended = false
    const shutDown = queue.shutDown(false).then(() => (ended = true))
    assert.equal(await queue.take(), undefined)
    assert.equal(ended, false)
    queue.done('a')
    await shutDown
    queue.add('d')
    assert.equal(await queue.take(), undefined)
  })

  it('when drained hands out what is ready, and what was added to a key in work, before it ends', async () => {
    queue.add('a')
    await queue.take()
    queue.add('a')
    queue.add('b')
    const shutDown = queue.shutDown(true)
    assert.equal(await queue.take(), 'b')
    queue.done('a')
    assert.equal(await queue.take(), 'a')
    queue.done('a')
    queue.done('b')
    await shutDown
    assert.equal(await queue.take(), undefined)
  })

  it('reports its depth and how long a key was ready', async () => {
    const seen: [string, number][] = []
    const metrics = {
      depth: (keys: number) => void seen.push(['depth', keys]),
      waited: (ms: number) => void seen.push(['waited', ms]),
    }
    queue = createWorkQueue({ clock, random: () => 0, metrics })
    queue.add('a')
    await clock.advance(30)
    await queue.take()
    assert.deepEqual(seen, [
      ['depth', 1],
      ['depth', 0],
      ['waited', 30],
    ])
  })

  it('never has a key in two hands and loses none, whatever is added while workers work', async () => {
    const step = fc.record({
      key: fc.constantFrom('a', 'b', 'c'),
      how: fc.constantFrom('add', 'addPatiently', 'addAfter', 'addRateLimited'),
      passMs: fc.nat(60),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), fc.integer({ min: 1, max: 3 }), async (steps, workers) => {
        const time = manualClock()
        const tested = createWorkQueue({ clock: time, random: () => 0, backoff: { baseMs: 10, maxMs: 40 } })
        const inHand = new Set<string>()
        const addedAt = new Map<string, number>()
        const takenAt = new Map<string, number>()
        let tick = 0
        const work = async (): Promise<void> => {
          for (let key = await tested.take(); key !== undefined; key = await tested.take()) {
            assert.ok(!inHand.has(key), `${key} is in two hands`)
            inHand.add(key)
            takenAt.set(key, ++tick)
            await new Promise<void>((resolve) => time.schedule(25, resolve))
            inHand.delete(key)
            tested.done(key)
          }
        }
        const running = Array.from({ length: workers }, work)
        for (const { key, how, passMs } of steps) {
          addedAt.set(key, ++tick)
          if (how === 'add' || how === 'addPatiently') tested.add(key, how === 'addPatiently')
          else if (how === 'addAfter') tested.addAfter(key, 30)
          else tested.addRateLimited(key)
          await time.advance(passMs)
        }
        await time.advance(10_000)
        for (const [key, added] of addedAt) assert.ok((takenAt.get(key) ?? 0) > added, `${key} was lost`)
        await tested.shutDown(true)
        await Promise.all(running)
      }),
      { numRuns: runs(60) },
    )
  })
})
