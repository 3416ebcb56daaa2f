import assert from 'node:assert/strict'
import { findNameProblem } from '../../core/bidi-controls.ts'

describe('a name that people read', () => {
  for (const [what, text] of [
    ['blanks that are none of ASCII', '\u00a0\u2003'],
    ['characters that show nothing', '\u200b\u200d'],
    ['a separator of lines', 'a\u2028b'],
    ['half a character', 'a\ud83d'],
  ] as const)
    it(`is not made of ${what}`, () => {
      assert.notEqual(findNameProblem(text), undefined)
    })

  it('may hold letters of any script and whole emoji', () => {
    for (const text of ['Größe 漢字', 'עברית', '👩‍💻 ship', 'a\u00a0b']) assert.equal(findNameProblem(text), undefined)
  })
})
