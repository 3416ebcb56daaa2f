import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { type Elapsed, openElapsed } from '../../lib/elapsed.ts'
import { systemClock } from '../../lib/clock.ts'
import { manualClock } from '../helpers/clock.ts'
import { recordingLogger } from '../helpers/log.ts'
import { runs } from '../helpers/runs.ts'

const HOUR_MS = 3_600_000
/** What a clock may be set by unnoticed. */
const TOLERANCE_MS = 5_000

describe('the time since an instant', () => {
  let folder: string
  let file: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'elapsed-'))
    file = join(folder, 'clock.json')
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  const open = (clock = manualClock(), bootId: string | undefined = 'boot'): Elapsed =>
    openElapsed({ file, clock, bootId, logger: recordingLogger().logger })

  it('is what the clock says as long as nobody sets it', async () => {
    const clock = manualClock()
    const at = clock.now()
    const elapsed = open(clock)
    await clock.advance(HOUR_MS)
    assert.equal(elapsed.since(at), HOUR_MS)
  })

  for (const [what, byMs] of [
    ['forward', 24 * HOUR_MS],
    ['back', -24 * HOUR_MS],
  ] as const) {
    it(`leaves out that the clock was set ${what} a day while no process ran`, async () => {
      const clock = manualClock()
      const at = clock.now()
      open(clock).since(at)
      clock.set(byMs)
      await clock.advance(HOUR_MS)
      assert.equal(open(clock).since(at), HOUR_MS)
    })
  }

  it('goes by the wall clock after another boot', async () => {
    const clock = manualClock()
    const at = clock.now()
    open(clock).since(at)
    clock.set(24 * HOUR_MS)
    assert.equal(open(clock, 'next boot').since(at), 24 * HOUR_MS)
  })

  it('does not need the file: a damaged one counts as none, one that cannot be written is told', () => {
    writeFileSync(file, '{"bootId":"boot","offsetsMs":[1')
    const at = systemClock.now()
    assert.ok(open().since(at) >= 0)
    assert.match(readFileSync(file, 'utf8'), /"bootId":"boot"/)
    const { logger, lines } = recordingLogger()
    const lost = openElapsed({ file: join(folder, 'missing', 'clock.json'), clock: systemClock, logger })
    assert.ok(lost.since(at) < HOUR_MS)
    assert.deepEqual(
      lines.map(({ level }) => level),
      [40],
    )
  })

  it('is never more than the time that passed, however often the clock is set and the process restarted', async () => {
    const steps = fc.oneof(
      fc.record({ kind: fc.constant('advance' as const), ms: fc.integer({ min: 0, max: 48 * HOUR_MS }) }),
      fc.record({ kind: fc.constant('set' as const), ms: fc.integer({ min: -72 * HOUR_MS, max: 72 * HOUR_MS }) }),
      fc.record({ kind: fc.constant('restart' as const), ms: fc.constant(0) }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(steps, { maxLength: 20 }), async (all) => {
        rmSync(file, { force: true })
        const clock = manualClock()
        let elapsed = open(clock)
        const taken: { readonly at: Date; readonly atMs: number }[] = []
        for (const { kind, ms } of all) {
          taken.push({ at: clock.now(), atMs: clock.elapsedMs() })
          elapsed.since(clock.now())
          if (kind === 'advance') await clock.advance(ms)
          else if (kind === 'set') clock.set(ms)
          else elapsed = open(clock)
          for (const { at, atMs } of taken) {
            const passedMs = clock.elapsedMs() - atMs
            assert.ok(elapsed.since(at) <= passedMs + TOLERANCE_MS, `${elapsed.since(at)} > ${passedMs}`)
          }
        }
      }),
      { numRuns: runs(200) },
    )
  })
})
