import assert from 'node:assert/strict'
import { Type } from 'typebox'
import { compileCheck, MAX_PROBLEMS } from '../../lib/validate.ts'

describe('the validation boundary', () => {
  const Names = Type.Object({ names: Type.Array(Type.Union([Type.String(), Type.Null()]), { maxItems: 10 }) })

  it('tells a bounded number of problems of a value with wrong items without end', () => {
    const checked = compileCheck(Names)({ names: Array.from({ length: 20_000 }, () => 1) })
    assert.ok(!checked.ok)
    assert.equal(checked.problems[0]?.message, 'must NOT have more than 10 items')
    assert.ok(checked.problems.length > 100 && checked.problems.length <= MAX_PROBLEMS, `${checked.problems.length}`)
  })

  it('tells each field once where a union refuses it', () => {
    const checked = compileCheck(Names)({ names: [1, 2] })
    assert.ok(!checked.ok)
    assert.deepEqual(
      checked.problems.map(({ field }) => field),
      ['names[0]', 'names[1]'],
    )
  })
})
