import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { withoutPartialLines } from '../../../runner/agent/partial-lines.ts'

/** What is kept of `whole` when it comes in chunks of the given sizes, in one buffer that is used again. */
function keep(whole: Buffer, sizes: readonly number[]): string {
  const filter = withoutPartialLines((line) => line.startsWith('piece'))
  const kept: Buffer[] = []
  let at = 0
  for (const size of [...sizes, whole.length]) {
    const chunk = Buffer.from(whole.subarray(at, at + size))
    kept.push(Buffer.from(filter.push(chunk)))
    chunk.fill(0)
    at += size
  }
  return Buffer.concat([...kept, filter.end()]).toString('latin1')
}

describe('lines that are no pieces', () => {
  it('are kept byte for byte, and the pieces go, however the bytes are chunked', () => {
    const line = fc.constantFrom('piece', 'piece of it', 'whole', '', 'a piece', '\xff')
    fc.assert(
      fc.property(fc.array(line), fc.array(fc.integer({ min: 1, max: 9 })), (lines, sizes) => {
        const whole = Buffer.from(lines.join('\n'), 'latin1')
        const isLast = (at: number): boolean => at === lines.length - 1
        const wanted = lines.flatMap((text, at) =>
          text.startsWith('piece') ? [] : [`${text}${isLast(at) ? '' : '\n'}`],
        )
        assert.equal(keep(whole, sizes), wanted.join(''))
      }),
    )
  })

  it('need not end before they are kept, once they are longer than any piece', () => {
    const filter = withoutPartialLines(() => true)
    const long = Buffer.alloc(257 * 1024, 'x')
    assert.equal(filter.push(long).length, long.length)
    assert.equal(filter.push(Buffer.from('end\npiece\n')).toString(), 'end\n')
  })
})
