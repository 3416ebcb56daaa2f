import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { findClaudeReset } from '../../../core/transcript/claude-exit.ts'
import { runs } from '../../helpers/runs.ts'

const MINUTE_MS = 60_000
const at = (text: string): number => Date.parse(text)
const SAID = at('2026-11-21T21:31:53Z')

describe('the end of a usage limit of claude, from its words', () => {
  const CASES = [
    ["You've hit your session limit · resets 10:19pm (UTC)", '2026-11-21T22:20:00Z'],
    ["You've hit your limit · resets 1am (UTC)", '2026-11-22T01:01:00Z'],
    ["You've hit your weekly limit · resets Nov 23, 4:52pm (UTC)", '2026-11-23T16:53:00Z'],
    ["You've hit your weekly limit · resets Jan 2, 12am (UTC)", '2027-01-02T00:01:00Z'],
    // Of this minute: the second is not told, so only its end is sure.
    ["You've hit your session limit · resets 9:31pm (UTC)", '2026-11-21T21:32:00Z'],
    ['Claude AI usage limit reached|1795303124', '2026-11-21T23:18:44Z'],
  ] as const
  for (const [text, expected] of CASES) {
    it(`told as “${text}” is ${expected}`, () => assert.equal(findClaudeReset(text, SAID), at(expected)))
  }

  for (const text of [
    "You've hit your session limit",
    'resets 13pm (UTC)',
    'resets 0am (UTC)',
    'resets 9:60pm (UTC)',
    'resets Foo 3, 1am (UTC)',
    'resets Feb 30, 1am (UTC)',
    'resets 10:19pm (Asia/Kathmandu)',
    'limit reached|soon',
  ]) {
    it(`is not known from “${text}”`, () => assert.equal(findClaudeReset(text, SAID), undefined))
  }

  it('is never before it, and at most a minute after it, at any time of any day', () => {
    const said = fc.integer({ min: at('2020-01-01T00:00:00Z'), max: at('2090-01-01T00:00:00Z') })
    const ahead = fc.oneof(
      fc.integer({ min: 0, max: 86_000_000 }),
      fc.integer({ min: 86_400_000, max: 30 * 86_400_000 }),
    )
    fc.assert(
      fc.property(said, ahead, (now, wait) => {
        const reset = now + wait
        const found = findClaudeReset(inWords(reset, wait >= 86_400_000), now) ?? 0
        assert.ok(found > reset && found <= reset + MINUTE_MS, `${found - reset}`)
      }),
      { numRuns: runs(2000) },
    )
  })
})

/** As claude puts it, in UTC. */
function inWords(reset: number, withDay: boolean): string {
  const part = (options: Intl.DateTimeFormatOptions): string =>
    new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', ...options }).format(reset)
  const time = part({ hour: 'numeric', minute: '2-digit', hour12: true }).replace(/\s/g, '').toLowerCase()
  return `You've hit your limit · resets ${withDay ? `${part({ month: 'short', day: 'numeric' })}, ` : ''}${time} (UTC)`
}
