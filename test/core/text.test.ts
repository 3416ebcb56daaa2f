import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { clip, fits } from '../../core/text.ts'

describe('a clipped text', () => {
  it('has at most as many characters as are allowed, none of them half, and is whole where it fits', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 20 }), (text, max) => {
        const clipped = clip(text, max)
        const isWhole = Array.from(text).length <= max
        assert.equal(
          clipped,
          isWhole
            ? text
            : `${Array.from(text)
                .slice(0, max - 1)
                .join('')}…`,
        )
        assert.equal(fits(text, max), isWhole)
      }),
    )
  })
})
