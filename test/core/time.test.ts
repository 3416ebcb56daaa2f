import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { endTimestamp, parseDuration, parseSpan, parseTimestamp } from '../../core/time.ts'

const DAY_MS = 24 * 3_600_000

describe('a span in a query', () => {
  it('may begin with days', () => {
    assert.deepEqual(['7d', '24h', '1d12h', '0d', '30d1m30s'].map(parseSpan), [
      7 * DAY_MS,
      DAY_MS,
      1.5 * DAY_MS,
      0,
      30 * DAY_MS + 90_000,
    ])
  })

  it('is a duration otherwise', () => {
    fc.assert(
      fc.property(fc.nat(1000), fc.constantFrom('h', 'm', 's', 'ms'), (amount, unit) => {
        assert.equal(parseSpan(`${amount}${unit}`), parseDuration(`${amount}${unit}`))
      }),
    )
  })

  for (const text of ['', 'd', '-1d', '1.5d', '7 d', '12h1d', '7w', 'yesterday', '7d '])
    it(`is not ${JSON.stringify(text)}`, () => assert.throws(() => parseSpan(text), RangeError))

  it('is none on a day that its month does not have', () => {
    for (const day of ['2026-02-30', '2026-02-30T00:00:00Z', '2026-04-31T00:00:00Z', '2025-02-29T00:00:00Z'])
      assert.throws(() => parseTimestamp(day), RangeError, day)
    assert.equal(parseTimestamp('2024-02-29T00:00:00Z').toISOString(), '2024-02-29T00:00:00.000Z')
  })
})

describe('the end of what began', () => {
  it('is never before it, whatever the clock says', () => {
    const now = new Date('2026-03-01T10:00:00Z')
    assert.equal(endTimestamp(now, '2026-03-01T09:00:00Z'), '2026-03-01T10:00:00Z')
    assert.equal(endTimestamp(now, '2026-03-01T11:00:00Z'), '2026-03-01T11:00:00Z')
    assert.equal(endTimestamp(now, undefined), '2026-03-01T10:00:00Z')
  })
})
