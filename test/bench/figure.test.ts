import assert from 'node:assert/strict'
import { type Aim, type Figure, findMissed, renderFigures } from '../../bench/figure.ts'

const figure = (ours: number, aim?: Aim): Figure => ({
  name: 'a read',
  unit: 'ms',
  ours,
  floor: { what: 'bare', value: 10 },
  ...(aim && { aim }),
})

describe('the aim of a figure', () => {
  const met: readonly (readonly [number, Aim])[] = [
    [5, { atMost: 5 }],
    [5, { atLeast: 5 }],
    [20, { atMost: 2, of: 'ratio' }],
    [7.5, { atLeast: 0.75, of: 'ratio' }],
    [60, { atMost: 50, of: 'difference' }],
  ]
  it('is met at its bound', () => {
    assert.deepEqual(findMissed(met.map(([ours, aim]) => figure(ours, aim))), [])
  })

  it('is missed beyond its bound, and by what could not be measured; the sentence says by how much', () => {
    const beyond = met.map(([ours, aim]) => figure('atMost' in aim ? ours + 1 : ours - 1, aim))
    assert.equal(findMissed(beyond).length, met.length)
    assert.equal(findMissed(met.map(([, aim]) => figure(Number.NaN, aim))).length, met.length)
    assert.deepEqual(findMissed([figure(21, { atMost: 2, of: 'ratio' })]), ['a read: 2.10, aim ≤ 2×'])
  })

  it('stands in the table in the unit of what it bounds; a figure without one misses nothing', () => {
    const rows = renderFigures([figure(1, { atMost: 1500 }), figure(1, { atMost: 50, of: 'difference' }), figure(1)])
    assert.deepEqual(
      rows
        .split('\n')
        .slice(2)
        .map((row) => row.split(' | ').at(-1)),
      ['≤ 1,500 ms |', '≤ 50 ms more |', '– |'],
    )
    assert.deepEqual(findMissed([figure(1)]), [])
  })
})
