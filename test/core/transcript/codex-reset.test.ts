import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { findCodexReset } from '../../../core/transcript/codex-exit.ts'
import { runs } from '../../helpers/runs.ts'

const MINUTE_MS = 60_000
const at = (text: string): number => Date.parse(text)
const SAID = at('2026-11-21T21:31:53Z')

describe('the end of a usage limit of codex', () => {
  const CASES = [
    ['You’ve hit your usage limit. Try again at 9:33 PM.', '2026-11-21T21:34:00Z'],
    [
      'Upgrade to Pro (https://…), visit https://… to purchase more credits or try again at 10:55 PM.',
      '2026-11-21T22:56:00Z',
    ],
    ['or try again at Nov 24th, 2026 5:05 AM.', '2026-11-24T05:06:00Z'],
    ['or try again at Dec 31st, 2026 11:59 PM.', '2027-01-01T00:00:00Z'],
    ['or try again at Feb 29th, 2028 12:00 AM.', '2028-02-29T00:01:00Z'],
    // Of this minute: the second is not told, so only its end is sure.
    ['or try again at 9:31 PM.', '2026-11-21T21:32:00Z'],
    ['or try again at 12:05 AM.', '2026-11-21T00:06:00Z'],
  ] as const
  for (const [text, expected] of CASES) {
    it(`told as “${text}” is ${expected}`, () => assert.equal(findCodexReset(text, SAID), at(expected)))
  }

  for (const text of [
    'or try again later.',
    '',
    'try again at 13:05 PM',
    'try again at 0:05 AM',
    'try again at 9:60 AM',
    'try again at Feb 30th, 2026 5:05 AM',
    'try again at Foo 3rd, 2026 5:05 AM',
    'try again at noon',
  ]) {
    it(`is not known from “${text}”`, () => assert.equal(findCodexReset(text, SAID), undefined))
  }

  it('told just before midnight is not a day late when the program ends just after it', () => {
    const found = findCodexReset('try again at 11:59 PM', at('2026-11-22T00:00:05Z'))
    assert.equal(found, at('2026-11-22T00:00:00Z'))
  })

  it('is never before it, and at most a minute after it, at any time of any day', () => {
    const said = fc.integer({ min: at('2020-01-01T00:00:00Z'), max: at('2090-01-01T00:00:00Z') })
    const ahead = fc.oneof(fc.integer({ min: 0, max: 3 * 3_600_000 }), fc.integer({ min: 0, max: 40 * 86_400_000 }))
    const late = fc.integer({ min: 0, max: 30_000 })
    fc.assert(
      fc.property(said, ahead, late, (now, wait, until) => {
        const reset = now + wait
        const found = findCodexReset(`Visit x or try again at ${inWords(reset, now)}.`, now + until) ?? 0
        // A reset in the last two minutes of a day is taken for yesterday's shortly after midnight: tried early, and told again.
        const isEarly = new Date(now + until).toISOString().slice(11, 16) < '00:02' && found <= now + until
        assert.ok(isEarly || (found > reset && found <= reset + MINUTE_MS), `${found - reset}`)
      }),
      { numRuns: runs(2000) },
    )
  })
})

/** As codex puts it, in UTC. */
function inWords(reset: number, now: number): string {
  const part = (options: Intl.DateTimeFormatOptions): string =>
    new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', ...options }).format(reset)
  const time = part({ hour: 'numeric', minute: '2-digit', hour12: true }).replace(/\s/g, ' ')
  if (new Date(reset).toISOString().slice(0, 10) === new Date(now).toISOString().slice(0, 10)) return time
  const day = new Date(reset).getUTCDate()
  const suffix = day > 10 && day < 14 ? 'th' : (['th', 'st', 'nd', 'rd'][day % 10] ?? 'th')
  return `${part({ month: 'short' })} ${day}${suffix}, ${new Date(reset).getUTCFullYear()} ${time}`
}
