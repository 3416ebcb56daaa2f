import assert from 'node:assert/strict'
import { describeUndelivered, formatUndelivered } from '../../../core/sentences/review.ts'

describe('the line about work that is not on its branch', () => {
  it('is none where all of it is', () => {
    assert.equal(formatUndelivered(undefined), undefined)
    assert.equal(formatUndelivered([]), undefined)
  })

  it('names five, and counts the rest, also those that no list has', () => {
    const undelivered = Array.from({ length: 7 }, (_, n) => ({ path: `p${n}`, reason: 'lost' }))
    const named = 'p0: lost · p1: lost · p2: lost · p3: lost · p4: lost'
    assert.equal(formatUndelivered(undelivered, 60), `not delivered, and kept in the clone: ${named} · 55 more`)
    assert.equal(formatUndelivered(undefined, 2), 'not delivered, and kept in the clone: 2 more')
  })

  it('has a line for each on the page, as far as the record lists them', () => {
    const undelivered = Array.from({ length: 7 }, (_, n) => ({ path: `p${n}`, reason: 'lost' }))
    const words = describeUndelivered(undelivered, 60)
    assert.deepEqual([words?.lines.length, words?.lines[6], words?.lines[7]], [8, 'p6: lost', '53 more'])
    assert.equal(describeUndelivered(), undefined)
  })
})
