import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { isSame } from '../../../core/json.ts'
import { editSpec, mergeEdit, mergePatch, toMergePatch } from '../../../core/rest/edit.ts'
import { branchUrls } from '../../../core/rest/branch-urls.ts'

describe('what an edit makes of a stored spec', () => {
  // Specs hold no null.
  const object = fc.object({ values: [fc.string(), fc.integer(), fc.boolean()] })

  it('is that spec when nothing is edited, whatever REST shows of it', () => {
    fc.assert(fc.property(object, object, (stored, shown) => assert.deepEqual(editSpec(stored, shown, shown), stored)))
  })

  it('is what the edit says where REST shows all of it', () => {
    fc.assert(fc.property(object, object, (stored, after) => assert.ok(isSame(editSpec(stored, stored, after), after))))
  })

  it('keeps words that REST shows otherwise, and what it does not show, also inside of what is edited', () => {
    const stored = { timeout: '60m', git: { caBundle: 'PEM', secretName: 'a' }, title: 't' }
    const before = { timeout: '1h', git: { secretName: 'a' }, title: 't' }
    const edit = (after: object) => editSpec<object>(stored, before, after)
    assert.deepEqual(edit({ ...before, git: { secretName: 'b' } }), {
      ...stored,
      git: { caBundle: 'PEM', secretName: 'b' },
    })
    assert.deepEqual(edit({ timeout: '1h', title: 't' }), { ...stored, git: { caBundle: 'PEM' } })
    assert.deepEqual(edit({ git: before.git, title: 'u' }), { git: stored.git, title: 'u' })
  })
})

describe('the patch from one object to another', () => {
  const object = fc.object({ values: [fc.string(), fc.integer(), fc.boolean()] })

  it('makes the one of the other, and is empty where they are the same', () => {
    fc.assert(
      fc.property(object, object, (before, after) => {
        assert.ok(isSame(mergePatch(before, toMergePatch(before, after)), after))
        assert.deepEqual(toMergePatch(after, after), {})
      }),
    )
  })

  it('says no more than what changed: null for what is gone, and lists whole', () => {
    const before = { a: 1, b: { c: 1, d: [1, 2] }, e: 'x' }
    assert.deepEqual(toMergePatch(before, { a: 1, b: { c: 2, d: [1] } }), { b: { c: 2, d: [1] }, e: null })
    assert.deepEqual(toMergePatch(before, { ...before, b: { c: 1 } }), { b: { d: null } })
  })
})

describe('merging a PUT', () => {
  const writable = new Set(['name', 'agent'])

  it('changes nothing when it repeats the record, whatever the record is', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (record) => {
        assert.equal(mergeEdit(record, {}, record, writable), undefined)
      }),
    )
  })

  it('is the same when done twice', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (target, patch) => {
        const once = mergePatch(target, patch)
        assert.deepEqual(mergePatch(once, patch), once)
      }),
    )
  })

  it('takes null and absent for the same, and minds the order of lists only', () => {
    assert.ok(isSame({ a: 1, b: null }, { a: 1 }))
    assert.ok(isSame({ a: 1, b: 2 }, { b: 2, a: 1 }))
    assert.ok(!isSame([1, 2], [2, 1]))
    assert.ok(!isSame([], {}))
  })

  it('does not write back the agent that a record shows because it was classified', () => {
    const record = { name: 'n', agent: { type: 'gemini', instructions: 'old' } }
    const stored = { name: 'n', agent: { instructions: 'old' } }
    const patch = { agent: { type: 'gemini', instructions: 'new' } }
    assert.deepEqual(mergeEdit(record, stored, patch, writable), { name: 'n', agent: { instructions: 'new' } })
  })
})

describe('links to a branch', () => {
  const urls = [
    'https://github.com/o/r.git',
    'https://user:secret@github.com/o/r',
    'git@github.com:o/r.git',
    'ssh://git@github.com:22/o/r.git',
  ]
  for (const url of urls) {
    it(`are the same for ${url.replace('secret', '…')}, without its credentials`, () => {
      assert.deepEqual(branchUrls(url, 'slipway/a#b', 'main'), {
        branch_url: 'https://github.com/o/r/tree/slipway/a%23b',
        compare_url: 'https://github.com/o/r/compare/main...slipway/a%23b',
      })
    })
  }

  it('are not made for unknown hosts, nor without a branch', () => {
    assert.deepEqual(branchUrls('https://git.example/o/r', 'b', 'main'), {})
    assert.deepEqual(branchUrls('https://constructor/o/r', 'b', 'main'), {})
    assert.deepEqual(branchUrls('https://github.com/o/r', undefined, 'main'), {})
  })
})
