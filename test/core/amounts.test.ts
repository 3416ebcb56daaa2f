import assert from 'node:assert/strict'
import { countOf, formatAge, formatChanges, formatCost, formatSize, formatSpan, formatUSD } from '../../core/amounts.ts'

describe('amounts for people', () => {
  it('are counted in the singular for one alone', () => {
    assert.deepEqual(
      [0, 1, 2, 1204].map((count) => countOf(count, 'file')),
      ['0 files', '1 file', '2 files', '1,204 files'],
    )
    assert.equal(countOf(2, 'branch', 'branches'), '2 branches')
    assert.equal(formatChanges({ files: 1, insertions: 1200, deletions: 0 }), '1 file changed, +1,200 -0')
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

  it('give times in two units, and ages in one', () => {
    const times = [-5, 42_000, 252_000, 3_900_000, 3 * 86_400_000]
    assert.deepEqual(times.map(formatSpan), ['0s', '42s', '4m12s', '1h05m', '3d'])
    assert.deepEqual(times.map(formatAge), ['0s', '42s', '4m', '1h', '3d'])
  })
})
