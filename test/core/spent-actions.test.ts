import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { isSpent, MAX_SPENT_ACTIONS, spendAction } from '../../core/spent-actions.ts'
import type { SpentAction } from '../../core/crd/types.ts'
import { crdField } from '../../core/crd-field.ts'

const pair: fc.Arbitrary<SpentAction> = fc.record({
  action: fc.constantFrom('run', 'accept', 'cancel'),
  id: fc.integer({ min: 0, max: 60 }).map(String),
})
const key = ({ action, id }: SpentAction): string => `${action} ${id}`

describe('the memory of actions by annotation', () => {
  it('knows the last 50 that differ, and no other', () => {
    fc.assert(
      fc.property(fc.array(pair, { maxLength: 200 }), pair, (asked, other) => {
        let spentActions: readonly SpentAction[] | undefined
        let expected: string[] = []
        for (const one of asked) {
          spentActions = spendAction(spentActions, one)
          expected = [...expected.filter((known) => known !== key(one)), key(one)].slice(-MAX_SPENT_ACTIONS)
          assert.equal(isSpent({ spentActions }, one), true)
        }
        assert.deepEqual(spentActions?.map(key) ?? [], expected)
        assert.equal(isSpent(spentActions === undefined ? {} : { spentActions }, other), expected.includes(key(other)))
      }),
    )
  })

  it('is the same when an action is remembered once more, as after a crash', () => {
    fc.assert(
      fc.property(fc.array(pair, { maxLength: 80 }), pair, (asked, last) => {
        const before = asked.reduce<readonly SpentAction[]>((memory, one) => spendAction(memory, one), [])
        const once = spendAction(before, last)
        assert.deepEqual(spendAction(once, last), once)
      }),
    )
  })

  it('holds as many as the schema takes', () => {
    for (const kind of ['Task', 'Story', 'Agent'] as const)
      assert.equal(crdField(kind, 'status.spentActions').maxItems, MAX_SPENT_ACTIONS)
  })

  it('knows the one that an earlier version remembered', () => {
    const lastAction = { action: 'run', id: 'x', at: '2026-01-01T00:00:00Z' }
    assert.equal(isSpent({ lastAction }, { action: 'run', id: 'x' }), true)
    assert.equal(isSpent({ lastAction: { action: 'run', at: lastAction.at } }, { action: 'run', id: 'x' }), false)
  })
})
