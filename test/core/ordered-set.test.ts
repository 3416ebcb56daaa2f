import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { createOrderedSet } from '../../core/ordered-set.ts'

const moves = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('add' as const), key: fc.nat(60), mark: fc.nat() }),
    fc.record({ kind: fc.constant('delete' as const), key: fc.nat(60) }),
  ),
  { maxLength: 200 },
)

interface Item {
  readonly key: number
  readonly mark: number
}

const byKey = (a: Pick<Item, 'key'>, b: Pick<Item, 'key'>): number => a.key - b.key

describe('an ordered set', () => {
  it('answers as a sorted list of the same items would, after any moves', () => {
    fc.assert(
      fc.property(moves, fc.integer({ min: -2, max: 64 }), fc.integer({ min: -2, max: 64 }), (made, start, end) => {
        const set = createOrderedSet<Item>(byKey)
        const items = new Map<number, Item>()
        for (const move of made) {
          if (move.kind === 'add') {
            set.add({ key: move.key, mark: move.mark })
            items.set(move.key, { key: move.key, mark: move.mark })
          } else {
            set.delete({ key: move.key, mark: 0 })
            items.delete(move.key)
          }
          const sorted = [...items.values()].sort(byKey)
          assert.equal(set.size, sorted.length)
          assert.deepEqual(set.slice(0, Infinity), sorted)
        }
        const sorted = [...items.values()].sort(byKey)
        for (let i = -1; i <= sorted.length; i++) assert.deepEqual(set.at(i), i < 0 ? undefined : sorted[i])
        for (let key = 0; key <= 60; key++) {
          const before = sorted.filter((item) => item.key < key)
          assert.equal(set.countBefore({ key, mark: 0 }), before.length)
        }
        assert.deepEqual(set.slice(start, end), sorted.slice(Math.max(0, start), Math.max(0, end)))
      }),
    )
  })

  const orders: Record<string, (n: number) => number> = {
    'in order': (n) => n,
    'against the order': (n) => -n,
    'from both ends': (n) => (n % 2 === 0 ? n : -n),
    'in turns of the middle': (n) => (n * 2_654_435_761) % 1_000_003,
  }
  for (const [how, keyOf] of Object.entries(orders)) {
    it(`compares no more often than the logarithm of its size says, filled ${how} and emptied from the front`, () => {
      let compared = 0
      const set = createOrderedSet<number>((a, b) => {
        compared += 1
        return a - b
      })
      const size = 20_000
      // Of a tree as unbalanced as DELTA allows: each level keeps at most three quarters.
      const limit = Math.ceil(Math.log(size) / Math.log(4 / 3)) + 2
      const most = (run: () => void): number => {
        compared = 0
        run()
        return compared
      }
      for (let n = 0; n < size; n++) assert.ok(most(() => set.add(keyOf(n))) <= limit)
      for (let n = 0; n < size; n += 97) assert.ok(most(() => set.countBefore(keyOf(n))) <= limit)
      while (set.size > 0) {
        const first = set.at(0)
        assert.ok(first !== undefined && most(() => set.delete(first)) <= limit)
      }
    })
  }
})
