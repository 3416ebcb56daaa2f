import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { comparisonOf, nextSort, selectRange, shapeOf, toggleRow, toLines } from '../../../web/model/table-rows.ts'

const same = (id: string): string => id
const order = ['a', 'b', 'c', 'd', 'e']

describe('the rows of a table', () => {
  it('stand under the heads of their groups, and a group without rows has no head', () => {
    const lines = toLines(
      [
        { id: '1', label: 'One', rows: ['b', 'a'] },
        { id: '2', label: 'Two', rows: [] },
      ],
      same,
    )
    assert.deepEqual(
      lines.map((line) => (line.kind === 'group' ? `${line.label} ${line.count}` : line.id)),
      ['One 2', 'b', 'a'],
    )
  })

  it('have another shape when a head stands elsewhere, and not when a row says something else', () => {
    const group = (label: string | undefined, rows: readonly string[]) => ({
      id: label ?? '',
      rows,
      ...(label === undefined ? {} : { label }),
    })
    const shape = shapeOf([group('One', ['a', 'b']), group('Two', ['c'])])
    assert.equal(shapeOf([group('One', ['a', 'd']), group('Three', ['e'])]), shape)
    assert.notEqual(shapeOf([group('One', ['a']), group('Two', ['b', 'c'])]), shape)
    assert.notEqual(shapeOf([group(undefined, ['a', 'b']), group('Two', ['c'])]), shape)
  })

  it('are ordered by a press on a column: up, down, and as they were', () => {
    const up = nextSort(undefined, 'name')
    const down = nextSort(up, 'name')
    assert.deepEqual([up?.isDescending, down?.isDescending, nextSort(down, 'name')], [false, true, undefined])
    const columns = [{ id: 'name', compare: (a: string, b: string) => (a < b ? -1 : 1) }, { id: 'other' }]
    assert.deepEqual(['b', 'c', 'a'].toSorted(comparisonOf(columns, down)), ['c', 'b', 'a'])
    assert.equal(comparisonOf(columns, nextSort(down, 'other')), undefined)
  })

  it('are selected one by one, and from one to another in either direction', () => {
    assert.deepEqual([...toggleRow(new Set(['a']), 'a')], [])
    assert.deepEqual([...selectRange(new Set(['e']), order, 'd', 'b')].sort(), ['b', 'c', 'd', 'e'])
    assert.deepEqual([...selectRange(new Set(), order, undefined, 'c')], ['c'])
    assert.deepEqual([...selectRange(new Set(['a']), order, 'a', 'gone')], ['a'])
  })

  it('keep a selection when a range is added, whatever the two ends', () => {
    const id = fc.constantFrom(...order, 'gone')
    fc.assert(
      fc.property(fc.uniqueArray(id), id, id, (selected, from, to) => {
        const next = selectRange(new Set(selected), order, from, to)
        assert.ok(selected.every((chosen) => next.has(chosen)))
        if (order.includes(to)) assert.ok(next.has(to))
      }),
    )
  })
})
