import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { outputTail, plainOutput } from '../../../core/execution/check-output.ts'
import { keepOutput } from '../../../runner/checks/output.ts'

/** What is kept of these chunks, in parts of so many bytes. */
async function keep(chunks: readonly Buffer[], partBytes: number): Promise<string> {
  const kept: Buffer[] = []
  const file = { appendFile: async (bytes: string | Uint8Array) => void kept.push(Buffer.from(bytes)) }
  assert.equal(await keepOutput(streamOf(chunks), file, partBytes), true)
  return Buffer.concat(kept).toString('latin1')
}

async function* streamOf(chunks: readonly Buffer[]): AsyncGenerator<Buffer> {
  yield* chunks
}

describe('the output of a check', () => {
  const bytes = fc.array(fc.stringMatching(/^[a-z]{0,30}$/), { maxLength: 12 })

  it('is kept whole up to two parts, and beyond that its beginning and its end', () =>
    fc.assert(
      fc.asyncProperty(bytes, fc.integer({ min: 1, max: 40 }), async (texts, part) => {
        const all = texts.join('')
        const kept = await keep(
          texts.map((text) => Buffer.from(text)),
          part,
        )
        if (all.length <= 2 * part) assert.equal(kept, all)
        else {
          const missing = all.length - 2 * part
          assert.equal(
            kept,
            `${all.slice(0, part)}\n[slipway: ${missing} B of output are left out here]\n${all.slice(-part)}`,
          )
        }
      }),
    ))

  it('is read to its end where the disk has no room, and that is said', async () => {
    let read = 0
    async function* source(): AsyncGenerator<Buffer> {
      for (; read < 5; read += 1) yield Buffer.from('line\n')
    }
    const full = { appendFile: () => Promise.reject(Object.assign(new Error('full'), { code: 'ENOSPC' })) }
    assert.equal(await keepOutput(source(), full, 8), false)
    assert.equal(read, 5)
  })

  it('is shown without what steers a terminal', () => {
    const printed = '\u001b[1;31mred\u001b[0m\r\n\u001b]0;title\u0007 10%\r 20%\rdone\n\u0000a\tb\u009b\n'
    assert.equal(plainOutput(printed), 'red\ndone\na\tb\n')
  })

  it('ends in at most 60 lines and 8192 characters, none of which is a control character', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary', maxLength: 400 }), { maxLength: 90 }), (lines) => {
        const tail = outputTail(lines.join('\n'))
        assert.ok(tail.length <= 8192)
        assert.ok(tail.split('\n').length <= 60)
        // oxlint-disable-next-line no-control-regex
        assert.doesNotMatch(tail, /[\x00-\x08\x0b-\x1f\x7f-\x9f]/)
      }),
    )
  })
})
