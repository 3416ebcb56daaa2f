import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { findDropNameProblem } from '../../core/drop-name.ts'

describe('the name of a drop file', () => {
  for (const name of ['report.pdf', 'a', '“Bericht” 2026.txt', '報告.csv', '~', 'a b', '-rf', 'x'.repeat(255)]) {
    it(`may be ${name.slice(0, 20)}`, () => {
      assert.equal(findDropNameProblem(name), undefined)
    })
  }

  const refused: readonly [string, RegExp][] = [
    ['', /empty/],
    ['.', /dot/],
    ['..', /dot/],
    ['.bashrc', /dot/],
    ['a/b', /segment/],
    ['../etc/passwd', /segment/],
    ['..\\boot.ini', /segment/],
    ['a\0b', /control/],
    ['a\nb', /control/],
    ['a\u0085b', /control/],
    ['caf\uFFFD', /UTF-8/],
    ['half \uD800', /UTF-8/],
    ['x'.repeat(256), /255 bytes/],
    ['é'.repeat(128), /255 bytes/],
  ]
  for (const [name, reason] of refused) {
    it(`is never ${JSON.stringify(name.slice(0, 20))}`, () => {
      assert.match(findDropNameProblem(name) ?? '', reason)
    })
  }

  it('when accepted, is one segment of a path whatever it is joined to', () => {
    const anyText = fc.oneof(
      fc.string(),
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.constantFrom('.', '/', '\\', 'a') }),
    )
    fc.assert(
      fc.property(anyText, (name) => {
        if (findDropNameProblem(name) !== undefined) return
        const path = new URL(`file:///drops/${encodeURIComponent(name)}`).pathname
        assert.equal(decodeURIComponent(path), `/drops/${name}`)
        assert.ok(Buffer.byteLength(name) <= 255)
      }),
    )
  })
})
