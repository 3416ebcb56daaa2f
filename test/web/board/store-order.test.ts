import assert from 'node:assert/strict'
import type { PriorityWrite } from '../../../web/features/board/order.ts'
import { refusalWords, storeOrder } from '../../../web/features/board/store-order.ts'

const writes: readonly PriorityWrite[] = Array.from({ length: 20 }, (_, index) => ({
  id: `s${index}`,
  priority: index,
}))

describe('a new order that is stored story by story', () => {
  it('is stored from its end, and has nothing to say', async () => {
    const begun: string[] = []
    const outcome = await storeOrder(writes, async ({ id }) => {
      begun.push(id)
    })
    assert.deepEqual(begun, writes.map(({ id }) => id).toReversed())
    assert.equal(refusalWords('A', writes.length, outcome), undefined)
  })

  it('ends at the first refusal, waits for what is under way, and counts what is stored', async () => {
    let underWay = 0
    const outcome = await storeOrder(writes, async ({ id }) => {
      underWay += 1
      await Promise.resolve()
      underWay -= 1
      if (id === 's15') throw new Error('no')
    })
    assert.equal(underWay, 0)
    assert.ok(outcome.stored >= 4 && outcome.stored < 12, String(outcome.stored))
    assert.match(
      refusalWords('A', writes.length, outcome) ?? '',
      /^Only \d+ of 20 places of the new order are stored: no\. The board shows what is stored; move A again\.$/,
    )
  })

  it('stays as it was if nothing is stored', async () => {
    const outcome = await storeOrder(writes.slice(0, 1), () => Promise.reject(new Error('no')))
    assert.equal(refusalWords('A', 1, outcome), 'A stays where it was: no')
  })
})
