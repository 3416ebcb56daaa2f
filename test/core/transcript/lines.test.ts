import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { createLineSplitter } from '../../../core/transcript/lines.ts'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

/** The lines of `whole` when it comes in pieces of the given sizes. */
function split(whole: Uint8Array, sizes: readonly number[], maxLineBytes?: number) {
  const splitter = createLineSplitter(maxLineBytes)
  const lines = []
  let at = 0
  for (const size of [...sizes, whole.length]) {
    // One buffer for all pieces, as a reader that saves allocations has it.
    const piece = Uint8Array.from(whole.subarray(at, at + size))
    lines.push(...splitter.push(piece))
    piece.fill(0)
    at += size
  }
  return [...lines, ...splitter.end()]
}

describe('lines from bytes', () => {
  it('are the same for any chunking of the same bytes, valid UTF-8 or not', () => {
    const content = fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      fc
        .array(fc.constantFrom('ä', '€', '😀', '\r', '\n', 'x', '\u0000'), { maxLength: 100 })
        .map((all) => bytes(all.join(''))),
    )
    fc.assert(
      fc.property(content, fc.array(fc.integer({ min: 1, max: 20 })), (whole, sizes) => {
        assert.deepEqual(split(whole, sizes), split(whole, []))
      }),
    )
  })

  it('hold the text between line endings, of either kind, and what follows the last one', () => {
    assert.deepEqual(
      split(bytes('a\r\nb\n\nlast'), []).map(({ text }) => text),
      ['a', 'b', '', 'last'],
    )
  })

  it('show what is not UTF-8 as U+FFFD and lose nothing else', () => {
    const [line] = split(Uint8Array.from([0x61, 0xff, 0x62, 0x0a]), [])
    assert.deepEqual(line, { text: 'a\uFFFDb', isCut: false })
  })

  it('of 10 MB come whole', () => {
    const [line] = split(bytes(`${'x'.repeat(10_000_000)}\n`), [65_536, 65_536])
    assert.deepEqual([line?.text.length, line?.isCut], [10_000_000, false])
  })

  it('longer than the limit are cut, and the next line is not', () => {
    assert.deepEqual(split(bytes('abcdefgh\nij\n'), [3, 3], 4), [
      { text: 'abcd', isCut: true },
      { text: 'ij', isCut: false },
    ])
  })
})
