import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { LINE_HEIGHT, isAtEnd, lineOfHash, logHeight, placeAt, scrollTo } from '../../../web/model/log-place.ts'

const total = fc.oneof(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 1, max: 20_000_000 }))
const view = fc.integer({ min: LINE_HEIGHT, max: 2_000 })

describe('the lines of a log in sight', () => {
  it('are all that the view has room for, wherever it is scrolled to, and none that are not there', () => {
    fc.assert(
      fc.property(total, view, fc.double({ min: 0, max: 1, noNaN: true }), (lines, height, share) => {
        const most = Math.max(0, logHeight(lines) - height)
        const top = share * most
        const { first, count, top: drawnAt } = placeAt(lines, top, height)
        assert.ok(first >= 1 && first + count - 1 <= lines)
        // What is drawn begins at or above the upper edge, and ends at or below the lower one, or with the last line.
        assert.ok(drawnAt <= top + 0.01)
        const end = drawnAt + count * LINE_HEIGHT
        assert.ok(end >= top + height - 0.01 || first + count - 1 === lines)
        assert.ok(logHeight(lines) <= 8_000_000)
      }),
    )
  })

  it('hold the line that was scrolled to, whole', () => {
    fc.assert(
      fc.property(total, view, fc.double({ min: 0, max: 1, noNaN: true }), (lines, height, share) => {
        const line = 1 + Math.floor(share * (lines - 1))
        const top = scrollTo(lines, line, height)
        const { first, count, top: drawnAt } = placeAt(lines, top, height)
        assert.ok(first <= line && line < first + count)
        const at = drawnAt + (line - first) * LINE_HEIGHT
        assert.ok(at >= top - 1 && at + LINE_HEIGHT <= top + Math.max(height, LINE_HEIGHT) + 1)
      }),
    )
  })

  it('end with the last one at the end of the scroll bar', () => {
    fc.assert(
      fc.property(total, view, (lines, height) => {
        const top = Math.max(0, logHeight(lines) - height)
        const { first, count } = placeAt(lines, top, height)
        assert.equal(first + count - 1, lines)
        assert.ok(isAtEnd(lines, top, height))
      }),
    )
  })

  it('are named by an address', () => {
    assert.deepEqual(['#L12', 'L7', '#L0', '#L1x', '', '#l3'].map(lineOfHash), [
      12,
      7,
      undefined,
      undefined,
      undefined,
      undefined,
    ])
  })
})
