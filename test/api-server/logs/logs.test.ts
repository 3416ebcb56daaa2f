import assert from 'node:assert/strict'
import { appendFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import type { Logs } from '../../../api-server/logs/logs.ts'
import { createLogs } from '../../../api-server/logs/logs.ts'
import { agentOutputPath, EXECUTION_FILES, executionPath } from '../../../core/execution/layout.ts'
import { MAX_LOG_LINE_BYTES } from '../../../core/rest/records/log.ts'
import { systemClock } from '../../../lib/clock.ts'

/** The lines as `split` gives them, each with its number. */
function splitByHand(text: string): { number: number; text: string }[] {
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines.map((line, i) => ({ number: i + 1, text: line.replace(/\r$/, '') }))
}

describe('the log of an execution by lines', () => {
  let volumeRoot: string
  let path: string
  let logs: Logs
  before(async () => {
    volumeRoot = await mkdtemp(join(tmpdir(), 'slipway-logs-'))
    await mkdir(join(volumeRoot, agentOutputPath('a-1')), { recursive: true })
    path = join(volumeRoot, executionPath('a-1'), EXECUTION_FILES.stdout)
  })
  beforeEach(async () => {
    await rm(path, { force: true })
    logs = createLogs({ volumeRoot, clock: systemClock })
  })
  after(() => rm(volumeRoot, { recursive: true, force: true }))

  const log = { execution: 'a-1', stream: 'stdout' } as const
  const window = (from: number | undefined, count: number) => logs.readWindow({ ...log, from, count })
  const search = (wanted: string) => logs.search(log, wanted, () => false)

  /** Blocks of the index are crossed by some of them, and a line of some is longer than a block. */
  const line = fc.oneof(
    { weight: 8, arbitrary: fc.stringMatching(/^[aé€\r ]{0,9}$/) },
    { weight: 1, arbitrary: fc.constantFrom(30_000, 66_000, 140_000).map((length) => 'é'.repeat(length / 2)) },
  )
  const pieces = fc.array(fc.tuple(line, fc.constantFrom('\n', '\n', '\r\n', '')), { maxLength: 30 })

  it('is in each window what splitting the file by hand gives, while it grows', async () => {
    const bound = fc.integer({ min: 1, max: 40 })
    await fc.assert(
      fc.asyncProperty(fc.array(pieces, { maxLength: 3 }), bound, bound, async (writes, from, count) => {
        await rm(path, { force: true })
        logs = createLogs({ volumeRoot, clock: systemClock })
        let whole = ''
        for (const written of writes) {
          const text = written.flat().join('')
          whole += text
          await appendFile(path, text)
          const expected = splitByHand(whole)
          const { lines, total_lines } = await window(from, count)
          assert.equal(total_lines, expected.length)
          const wanted = expected.slice(from - 1, from - 1 + count)
          assert.deepEqual(
            lines.map(({ number }) => number),
            wanted.map(({ number }) => number),
          )
          for (const [i, { text: shown, cut_bytes }] of lines.entries()) {
            const full = wanted[i]?.text ?? ''
            assert.ok(cut_bytes === undefined ? shown === full : full.startsWith(shown) && shown.length < full.length)
          }
          assert.deepEqual((await window(undefined, count)).lines.at(-1)?.number, expected.at(-1)?.number)
        }
      }),
      { numRuns: 60 },
    )
  })

  it('finds the lines that contain a text as looking at each does', async () => {
    const word = fc.array(fc.constantFrom('a', 'A', 'b', 'É', 'é', '.', '\u001b[31m', '\u001b'), { maxLength: 8 })
    const letters = fc.array(
      word.map((parts) => parts.join('')),
      { maxLength: 40 },
    )
    await fc.assert(
      fc.asyncProperty(letters, fc.constantFrom('a', 'AB', 'é', '.', 'b.a'), async (texts, wanted) => {
        await writeFile(path, texts.join('\n'))
        const { lines, count, is_complete } = await search(wanted)
        const plain = splitByHand(texts.join('\n')).map(({ number, text }) => ({
          number,
          text: text.replace(new RegExp(String.raw`\u001b\[[\d;]*m`, 'g'), ''),
        }))
        const expected = plain.filter(({ text }) => text.toLowerCase().includes(wanted.toLowerCase()))
        assert.deepEqual(
          lines,
          expected.map(({ number }) => number),
        )
        assert.equal(count, expected.length)
        assert.equal(is_complete, true)
      }),
      { numRuns: 100 },
    )
  })

  it('is cut in a line of any length, with what is left out, at a whole character', async () => {
    await writeFile(path, `${'€'.repeat(1_000_000)}\nshort\n`)
    const { lines } = await window(1, 10)
    const shown = Math.floor(MAX_LOG_LINE_BYTES / 3)
    assert.deepEqual(lines, [
      { number: 1, text: '€'.repeat(shown), cut_bytes: 3_000_000 - shown * 3 },
      { number: 2, text: 'short' },
    ])
    assert.deepEqual((await search('€€')).lines, [1])
  })

  it('has no lines before the first output', async () => {
    assert.deepEqual(await window(undefined, 10), { stream: 'stdout', total_lines: 0, size_bytes: 0, lines: [] })
    assert.equal((await search('x')).count, 0)
  })

  it('begins anew for a file that was replaced by a shorter one', async () => {
    await writeFile(path, 'one\ntwo\nthree\n')
    assert.equal((await window(1, 1)).total_lines, 3)
    await writeFile(path, 'other\n')
    assert.deepEqual((await window(undefined, 5)).lines, [{ number: 1, text: 'other' }])
  })

  it('says when a search ended before the log did', async () => {
    await writeFile(path, 'x\n')
    assert.deepEqual(await logs.search(log, 'x', () => true), {
      stream: 'stdout',
      total_lines: 1,
      count: 0,
      lines: [],
      is_complete: false,
    })
  })

  it('shows the end of a million lines within a second, and searches them in two', async () => {
    const block = Array.from(
      { length: 10_000 },
      (_, i) => `${i} \u001b[32mok\u001b[0m ${'compiling module '.repeat(5)}`,
    )
    for (let i = 0; i < 100; i += 1) await appendFile(path, `${block.join('\n')}\n`)
    await appendFile(path, 'the Needle\n')
    const began = performance.now()
    const { total_lines, lines } = await window(undefined, 500)
    const opened = performance.now()
    assert.deepEqual([total_lines, lines.length], [1_000_001, 500])
    assert.deepEqual((await search('needle')).lines, [1_000_001])
    const searched = performance.now()
    assert.ok(opened - began < 1_000 && searched - opened < 2_000, `${opened - began}, ${searched - opened}`)
  })
})
