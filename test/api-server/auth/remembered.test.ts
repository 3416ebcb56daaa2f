import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { createRemembered } from '../../../api-server/auth/remembered.ts'
import { manualClock } from '../../helpers/clock.ts'

describe('remembered answers', () => {
  const given = (limits: { maxKept?: number; maxAsked?: number } = {}) => {
    const clock = manualClock()
    const asked: string[] = []
    const remembered = createRemembered<string>({ clock, maxKept: 10, maxAsked: 10, ...limits })
    const get = (key: string, keepMs = 1000): Promise<string> =>
      remembered.get(key, async () => {
        asked.push(key)
        return { value: `${key}-${asked.length}`, keepMs }
      })
    return { clock, asked, get, remembered }
  }

  it('are asked for once by all who wait together, and kept as long as they say', async () => {
    const { clock, asked, get } = given()
    assert.deepEqual(await Promise.all([get('a'), get('a'), get('b')]), ['a-1', 'a-1', 'b-2'])
    await clock.advance(999)
    assert.equal(await get('a'), 'a-1')
    await clock.advance(1)
    assert.equal(await get('a'), 'a-3')
    assert.deepEqual(asked, ['a', 'b', 'a'])
  })

  it('are asked for again when the clock was set back, and when they are for nobody else', async () => {
    const { clock, get } = given()
    await get('a')
    clock.set(-10_000)
    assert.equal(await get('a'), 'a-2')
    await get('b', 0)
    assert.equal(await get('b', 0), 'b-4')
  })

  it('are no more than the limit: the oldest goes first', async () => {
    const { get } = given({ maxKept: 2 })
    for (const key of ['a', 'b', 'c']) await get(key)
    assert.equal(await get('b'), 'b-2')
    assert.equal(await get('a'), 'a-4')
  })

  it('are refused with 503 while too many others are waited for', async () => {
    const { remembered, get } = given({ maxAsked: 1 })
    const answered = new EventEmitter()
    const first = remembered.get('a', async () => {
      await once(answered, 'go')
      return { value: 'x', keepMs: 0 }
    })
    await assert.rejects(get('b'), { code: 'unavailable', status: 503 })
    answered.emit('go')
    assert.equal(await first, 'x')
    assert.equal(await get('b'), 'b-1')
  })

  it('are not kept when asking fails', async () => {
    const { remembered, get } = given()
    await assert.rejects(
      remembered.get('a', () => Promise.reject(new Error('away'))),
      /away/,
    )
    assert.equal(await get('a'), 'a-1')
  })
})
