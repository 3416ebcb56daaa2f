import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { filled, patchOf } from '../../../web/model/patch.ts'

type Fields = Readonly<Record<string, unknown>>

/** RFC 7396 §2. */
function merge(target: unknown, patch: unknown): unknown {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch
  const before: Fields = typeof target === 'object' && target !== null && !Array.isArray(target) ? { ...target } : {}
  const after: Record<string, unknown> = { ...before }
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete after[name]
    else after[name] = merge(before[name], value)
  }
  return after
}

describe('what a form changes in a record', () => {
  it('names changed fields, and clears those that are gone', () => {
    const before = { name: 'a', git: { secret_name: 's', other: 1 }, models: ['x'], image: 'i' }
    const after = { name: 'a', git: { other: 1 }, models: ['x', 'y'] }
    assert.deepEqual(patchOf(before, after), { git: { secret_name: null }, models: ['x', 'y'], image: null })
  })

  it('sends what is no number as a text, because JSON has null for it, and null would clear the field', () => {
    assert.deepEqual(patchOf({ a: 1 }, { a: Number('x'), b: Number('1e999') }), { a: 'NaN', b: 'Infinity' })
  })

  it('is empty for the same record, and merges into the new one', () => {
    const leaf = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.array(fc.string()))
    const name = fc.constantFrom('a', 'b', 'c')
    const record = fc.dictionary(
      name,
      fc.oneof(leaf, fc.dictionary(name, leaf, { minKeys: 1, noNullPrototype: true })),
      {
        noNullPrototype: true,
      },
    )
    fc.assert(
      fc.property(record, record, (before, after) => {
        assert.deepEqual(patchOf(before, before), {})
        assert.deepEqual(merge(before, patchOf(before, after)), after)
      }),
    )
  })

  it('leaves out what was left open', () => {
    assert.deepEqual(filled({ a: '', b: [], c: undefined, d: 0, e: false }), { d: 0, e: false })
  })
})
