import assert from 'node:assert/strict'
import { makeKeyedQueue } from '../../../embedded/jobs/queue.ts'
import { systemClock } from '../../../lib/clock.ts'

describe('embedded: the queue of the controllers', () => {
  it('works on all of a thousand keys that come together, and leaves others their turn in between', async () => {
    const done: string[] = []
    const work = async (key: string): Promise<undefined> => {
      await new Promise(setImmediate)
      done.push(key)
    }
    const queue = makeKeyedQueue(work, systemClock, (_, error) => assert.fail(String(error)))
    for (let i = 0; i < 1000; i += 1) queue.add(`key-${i}`)
    await new Promise(setImmediate)
    await new Promise(setImmediate)
    const doneAtOnce = done.length
    await new Promise<void>((resolve) => {
      const look = (): void => void (done.length === 1000 ? resolve() : setImmediate(look))
      look()
    })
    assert.ok(doneAtOnce < 1000, `${doneAtOnce} at once`)
    assert.equal(new Set(done).size, 1000)
    await queue.stop()
  })
})
