import assert from 'node:assert/strict'
import { appendFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { type Logs, createLogs } from '../../../api-server/logs/logs.ts'
import { agentOutputPath, EXECUTION_FILES, executionPath } from '../../../core/execution/layout.ts'
import { isApiError } from '../../../core/errors.ts'
import { MAX_LOG_LINE_BYTES } from '../../../core/rest/records/log.ts'
import { systemClock } from '../../../lib/clock.ts'
import { runs } from '../../helpers/runs.ts'

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
  const here = new AbortController().signal
  const window = (from: number | undefined, count: number, signal = here) =>
    logs.readWindow({ ...log, from, count }, signal)
  const search = (wanted: string, signal = here, from?: number) => logs.search({ ...log, wanted, from }, signal)
  /** To the end of the log, as a page asks. */
  const searchOn = async (wanted: string) => {
    const found: number[] = []
    let count = 0
    for (let from: number | undefined; ;) {
      const answer = await search(wanted, here, from)
      found.push(...answer.lines)
      count += answer.count
      from = answer.next_line
      if (from === undefined) return { found, count, isComplete: answer.is_complete }
    }
  }

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
      { numRuns: runs(60) },
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
      { numRuns: runs(100) },
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

  describe('on a machine where no search has time', () => {
    const begin = (): void => {
      let seconds = 0
      const now = (): Date => new Date((seconds += 10) * 1_000)
      logs = createLogs({ volumeRoot, clock: { ...systemClock, now } })
    }
    beforeEach(begin)

    it('is found whole by searches that go on where the last one ended', async () => {
      const letters = fc.array(
        fc.oneof(
          { weight: 8, arbitrary: fc.stringMatching(/^[ab]{0,9}$/) },
          { weight: 1, arbitrary: fc.constantFrom(20_000, 50_000).map((length) => `${'a'.repeat(length)}b`) },
        ),
        { maxLength: 30 },
      )
      await fc.assert(
        fc.asyncProperty(letters, async (texts) => {
          begin()
          await writeFile(path, texts.join('\n'))
          const { found, count, isComplete } = await searchOn('b')
          const expected = splitByHand(texts.join('\n')).flatMap(({ number, text }) =>
            text.includes('b') ? number : [],
          )
          assert.deepEqual([found, count, isComplete], [expected, expected.length, true])
        }),
        { numRuns: runs(60) },
      )
    })

    it('says that it has not looked at a line of several blocks whole', async () => {
      await writeFile(path, `${'a'.repeat(500_000)}b\n`)
      assert.deepEqual(await search('b'), {
        stream: 'stdout',
        total_lines: 1,
        count: 0,
        lines: [],
        is_complete: false,
      })
    })
  })

  describe('that many ask for at once', () => {
    const MEBIBYTES = 48

    /** Bytes that this process has read from files. */
    const readBytes = async (): Promise<number> =>
      Number(/^rchar: (\d+)$/m.exec(await readFile('/proc/self/io', 'utf8'))?.[1])

    beforeEach(async () => {
      for (let i = 0; i < MEBIBYTES; i += 1) await appendFile(path, 'abcdefghijklmno\n'.repeat(65_536))
    })

    it('is indexed once for two clients', async () => {
      const before = await readBytes()
      const [one, two] = await Promise.all([window(1, 1), window(1, 1)])
      assert.deepEqual([one.total_lines, two.total_lines], [MEBIBYTES * 65_536, MEBIBYTES * 65_536])
      assert.ok((await readBytes()) - before < MEBIBYTES * 1.2 * 2 ** 20)
    })

    it('is read no further for a client that goes away, and for the next one from there', async () => {
      for (const ask of [(signal: AbortSignal) => window(1, 1, signal), (signal: AbortSignal) => search('x', signal)]) {
        logs = createLogs({ volumeRoot, clock: systemClock })
        const before = await readBytes()
        const away = new AbortController()
        const asked = assert.rejects(ask(away.signal), /gone/)
        setImmediate(() => away.abort(new Error('gone')))
        await asked
        assert.ok((await readBytes()) - before < (MEBIBYTES / 2) * 2 ** 20)
        assert.equal((await window(1, 1)).total_lines, MEBIBYTES * 65_536)
        assert.ok((await readBytes()) - before < MEBIBYTES * 1.2 * 2 ** 20)
      }
    })

    it('is searched so that other requests get their turn after each 64 KiB', async () => {
      await window(1, 1)
      let turns = 0
      const count = (): void => {
        turns += 1
        turn = setImmediate(count)
      }
      let turn = setImmediate(count)
      await search('needle')
      clearImmediate(turn)
      assert.ok(turns >= MEBIBYTES * 16, `${turns}`)
    })

    it('is searched for two, eight may wait, and one more is told when to come again', async () => {
      const outcomes = await Promise.allSettled(Array.from({ length: 11 }, () => search('needle')))
      assert.deepEqual(
        outcomes.map(({ status }) => status),
        [...Array.from({ length: 10 }, () => 'fulfilled'), 'rejected'],
      )
      const [refused] = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
      assert.ok(isApiError(refused, 'unavailable'))
      assert.equal(refused.message, '8 searches of logs are waiting already; search again in 3 s')
      assert.deepEqual([refused.status, refused.headers], [503, { 'Retry-After': '3' }])
    })

    it('keeps no place for a client that goes away while it waits', async () => {
      const away = new AbortController()
      const first = Array.from({ length: 9 }, () => search('needle'))
      const gone = assert.rejects(search('needle', away.signal), /gone/)
      away.abort(new Error('gone'))
      await gone
      assert.equal((await search('needle')).is_complete, true)
      await Promise.all(first)
    })
  })

  it('shows the end of a million lines, and finds a word in them', async () => {
    const block = Array.from(
      { length: 10_000 },
      (_, i) => `${i} \u001b[32mok\u001b[0m ${'compiling module '.repeat(5)}`,
    )
    for (let i = 0; i < 100; i += 1) await appendFile(path, `${block.join('\n')}\n`)
    await appendFile(path, 'the Needle\n')
    const { total_lines, lines } = await window(undefined, 500)
    assert.deepEqual([total_lines, lines.length], [1_000_001, 500])
    assert.deepEqual((await searchOn('needle')).found, [1_000_001])
  })
})
