import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { StreamCut, readLines } from '../../kube/watch.ts'

async function* chunksOf(bytes: Uint8Array, cuts: readonly number[]): AsyncGenerator<Uint8Array> {
  const ends = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b)
  let start = 0
  for (const end of [...ends, bytes.length]) {
    yield bytes.subarray(start, end)
    start = end
  }
}

async function collect(chunks: AsyncIterable<Uint8Array>): Promise<string[]> {
  const lines: string[] = []
  for await (const line of readLines(chunks)) lines.push(line)
  return lines
}

describe('readLines', () => {
  it('gives the same lines however the bytes are cut, in the middle of a character too', async () => {
    const line = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => !/[\n\r]/.test(text))
    await fc.assert(
      fc.asyncProperty(fc.array(line), fc.array(fc.nat()), async (lines, cuts) => {
        const bytes = Buffer.from(lines.map((text) => `${text}\n`).join(''))
        assert.deepEqual(await collect(chunksOf(bytes, cuts)), lines)
      }),
    )
  })

  it('gives a line of eight megabytes that came in small chunks', async () => {
    const long = 'ä'.repeat(4 * 1024 * 1024)
    const bytes = Buffer.from(`${long}\nend\n`)
    const cuts = Array.from({ length: 2000 }, (_, i) => i * 4099)
    const lines = await collect(chunksOf(bytes, cuts))
    assert.equal(lines[0] === long, true)
    assert.equal(lines[1], 'end')
  })

  it('rejects a stream that ends in the middle of a line, after the whole lines before it', async () => {
    const lines = readLines(chunksOf(Buffer.from('whole\nhal'), []))
    assert.deepEqual(await lines.next(), { done: false, value: 'whole' })
    await assert.rejects(lines.next(), StreamCut)
  })
})
