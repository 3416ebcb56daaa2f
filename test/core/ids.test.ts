import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { readableId, slugOf } from '../../core/ids.ts'

const RANDOMNESS = new Uint8Array([0, 1, 2, 3, 4])

describe('an id that is made of a name', () => {
  it('is a DNS-1123 label that begins with a letter and leaves room for derived names, whatever the name', () => {
    const bytes = fc.uint8Array({ minLength: 5, maxLength: 5 })
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), bytes, (name, randomness) => {
        for (const id of [slugOf(name, 'story'), readableId(name, 'story', randomness)]) {
          assert.match(id, /^[a-z]([a-z0-9-]*[a-z0-9])?$/)
          assert.ok(`${id}-t01-s01`.length <= 50, id)
        }
      }),
    )
  })

  it('ends in no number behind a -, which only executions of a task do', () => {
    const bytes = fc.uint8Array({ minLength: 5, maxLength: 5, min: 19, max: 26 })
    fc.assert(fc.property(bytes, (randomness) => assert.doesNotMatch(readableId('Shop', 'story', randomness), /-\d+$/)))
  })

  for (const [name, slug] of [
    ['Add a CHANGELOG entry', 'add-a-changelog-entry'],
    ['Größe ändern', 'gro-e-andern'],
    ['3 fixes', 'task-3-fixes'],
    ['你好', 'task'],
    ['Show delivery costs before the checkout begins', 'show-delivery-costs-before-the'],
  ] as const)
    it(`is made of the words of ${JSON.stringify(name)}, and of five letters where it must be new`, () => {
      assert.equal(slugOf(name, 'task'), slug)
      assert.equal(readableId(name, 'task', RANDOMNESS), `${slug}-bcdfg`)
    })
})
