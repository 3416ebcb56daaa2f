import assert from 'node:assert/strict'
import { createTurns } from '../../lib/turns.ts'

describe('work that takes turns', () => {
  it('is done one after another for one key, in the order of asking, also after a failure', async () => {
    const inTurn = createTurns()
    const seen: string[] = []
    const work = (name: string, fails = false) =>
      inTurn('key', async () => {
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
    const inTurn = createTurns()
    let release: () => void = () => undefined
    const held = inTurn('held', () => new Promise<void>((resolve) => (release = resolve)))
    assert.equal(await inTurn('free', async () => 'done'), 'done')
    release()
    await held
  })
})
