import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { parse } from 'yaml'
import { escapeUnprintable, toYaml } from '../../../api-server/records/yaml.ts'

describe('YAML of a resource', () => {
  it('reads back as it was, whatever characters its texts hold', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (value) => {
        assert.deepEqual(parse(toYaml({ value })), { value })
      }),
    )
    assert.deepEqual(parse(toYaml({ 'a\u0086b': 'c' })), { 'a\u0086b': 'c' })
  })

  it('holds no character that YAML forbids, nor a line break that only some readers see', () => {
    for (const character of ['\u0000', '\u007f', '\u0085', '\u0086', '\u2028', '\ufeff', '\uffff'])
      assert.doesNotMatch(toYaml({ text: `a${character}b: c` }), new RegExp(character))
    assert.equal(toYaml({ text: 'a\u0086b' }), 'text: "a\\x86b"\n')
  })

  it('leaves what people read as it is', () => {
    assert.equal(toYaml({ text: 'grün · 緑 · 🟢', lines: 'a\nb\n' }), 'text: grün · 緑 · 🟢\nlines: |\n  a\n  b\n')
  })

  it('shows in a comment what it escaped', () => {
    assert.equal(escapeUnprintable('a\u0007b\u2028c'), 'a\\x07b\\u2028c')
  })
})
