import assert from 'node:assert/strict'
import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { type FollowedFile, followFile } from '../../../api-server/streams/follow-file.ts'
import { parseRange } from '../../../api-server/http/range.ts'
import { runs } from '../../helpers/runs.ts'

describe('following a growing file', () => {
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'slipway-follow-'))
  })
  after(() => rm(folder, { recursive: true, force: true }))

  const readAll = async (file: FollowedFile, isFinal: boolean): Promise<string[]> => {
    const lines: string[] = []
    for (let isAtEnd = false; !isAtEnd;) {
      const chunk = await file.next(isFinal)
      lines.push(...chunk.lines.map(({ line }) => line))
      isAtEnd = chunk.isAtEnd
    }
    return lines
  }

  it('gives the same lines however the same bytes are written', async () => {
    const pieces = fc.array(fc.stringMatching(/^[aé\n]{0,6}$/), { maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(pieces, async (texts) => {
        await writeFile(join(folder, 'log'), '')
        const file = followFile(folder, 'log', 0, 1024)
        const lines: string[] = []
        for (const text of texts) {
          await appendFile(join(folder, 'log'), text)
          lines.push(...(await readAll(file, false)))
        }
        lines.push(...(await readAll(file, true)))
        await file.close()
        const expected = texts.join('').split('\n')
        if (expected.at(-1) === '') expected.pop()
        assert.deepEqual(lines, expected)
      }),
      { numRuns: runs(30) },
    )
  })
})

describe('a byte range', () => {
  it('never leaves the file', () => {
    const bound = fc.option(fc.nat({ max: 30 }), { nil: '' })
    fc.assert(
      fc.property(bound, bound, fc.nat({ max: 20 }), (first, last, size) => {
        const range = parseRange(`bytes=${first}-${last}`, size)
        if (range === undefined || range === 'unsatisfiable') return
        assert.ok(range.start >= 0 && range.start <= range.end && range.end < size)
      }),
    )
  })
})
