import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import {
  countOf,
  formatAge,
  formatChanges,
  formatCost,
  formatCount,
  formatSize,
  formatSpan,
  formatSpending,
  formatTook,
  formatUSD,
  listOf,
} from '../../../core/sentences/amounts.ts'

describe('amounts for people', () => {
  it('are counted in the singular for one alone', () => {
    assert.deepEqual(
      [0, 1, 2, 1204].map((count) => countOf(count, 'file')),
      ['0 files', '1 file', '2 files', '1,204 files'],
    )
    assert.equal(countOf(2, 'branch', 'branches'), '2 branches')
    assert.equal(formatChanges({ files: 1, insertions: 1200, deletions: 0 }), '1 file changed, +1,200 -0')
  })

  it('are written as in English, small ones and large ones', () => {
    const english = new Intl.NumberFormat('en-US')
    const count = fc.oneof(
      fc.integer({ min: -1100, max: 1100 }),
      fc.maxSafeInteger(),
      fc.double({ min: 0, noNaN: true }),
    )
    fc.assert(fc.property(count, (n) => assert.equal(formatCount(n), english.format(n))))
  })

  it('give sizes in the largest unit of which there is one', () => {
    const sizes = [0, 512, 1023, 1024, 3500, 1024 ** 2 - 1, 12.34 * 1024 ** 2, 4 * 1024 ** 3, 2 ** 55]
    assert.deepEqual(sizes.map(formatSize), [
      '0 B',
      '512 B',
      '1,023 B',
      '1 KiB',
      '3.4 KiB',
      '1,024 KiB',
      '12.3 MiB',
      '4 GiB',
      '32,768 TiB',
    ])
  })

  it('round costs to a cent, and none that was spent to nothing', () => {
    assert.deepEqual([0, 0.001, 0.005, 3.054, 1234].map(formatUSD), ['$0.00', '< $0.01', '$0.01', '$3.05', '$1,234.00'])
    assert.deepEqual([undefined, 0, 3].map(formatCost), [undefined, undefined, '$3.00'])
  })

  it('say of a budget alone that nothing of it was spent', () => {
    assert.deepEqual(
      [
        formatSpending(undefined, 2),
        formatSpending(0.4, 2),
        formatSpending(0.4, undefined),
        formatSpending(0, undefined),
      ],
      ['$0.00 of $2.00', '$0.40 of $2.00', '$0.40', undefined],
    )
  })

  it('name some of many, and count the rest', () => {
    assert.equal(listOf(['a', 'b'], { most: 2 }), 'a, b')
    assert.equal(listOf(['a', 'b', 'c'], { most: 1 }), 'a and 2 more')
    assert.equal(listOf(['a'], { total: 1201 }), 'a and 1,200 more')
  })

  it('tell how long a run took, and of one that has not ended only to who knows the time', () => {
    const [started_at, finished_at] = ['2026-01-02T12:00:00Z', '2026-01-02T12:04:12Z']
    const nowMs = Date.parse('2026-01-02T13:05:00Z')
    assert.deepEqual(
      [formatTook({ started_at, finished_at }, nowMs), formatTook({ started_at }, nowMs), formatTook({ started_at })],
      ['4m12s', '1h05m', undefined],
    )
  })

  it('give times in two units, and ages in one', () => {
    const times = [-5, 42_000, 252_000, 3_900_000, 3 * 86_400_000]
    assert.deepEqual(times.map(formatSpan), ['0s', '42s', '4m12s', '1h05m', '3d'])
    assert.deepEqual(times.map(formatAge), ['0s', '42s', '4m', '1h', '3d'])
  })
})
