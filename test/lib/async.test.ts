import assert from 'node:assert/strict'
import { createKeyedMutex } from '../../lib/async.ts'

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
