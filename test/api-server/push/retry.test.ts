import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { type Attempt, interpretAnswer } from '../../../api-server/push/retry.ts'

const now = new Date('2026-01-01T00:00:00Z')
const first: Attempt = { attempts: 1, firstTriedAt: now, now, random: 0 }

describe('the answer of a push service', () => {
  for (const [status, kind] of [
    [200, 'sent'],
    [201, 'sent'],
    [202, 'sent'],
    [301, 'refused'],
    [400, 'refused'],
    [403, 'refused'],
    [404, 'gone'],
    [410, 'gone'],
    [413, 'refused'],
    [429, 'retry'],
    [500, 'retry'],
    [503, 'retry'],
  ] as const) {
    it(`${status} means ${kind}`, () => assert.equal(interpretAnswer({ kind: 'status', status }, first).kind, kind))
  }

  it('that does not come is waited for again; an address out of bounds is not', () => {
    assert.equal(interpretAnswer({ kind: 'unreachable' }, first).kind, 'retry')
    assert.equal(interpretAnswer({ kind: 'forbidden' }, first).kind, 'refused')
  })

  for (const [retryAfter, afterMs] of [
    ['120', 120_000],
    ['Thu, 01 Jan 2026 00:02:00 GMT', 120_000],
    ['soon', 1000],
    ['0', 1000],
  ] as const) {
    it(`429 with Retry-After: ${retryAfter} is tried again after ${afterMs} ms at the earliest`, () => {
      assert.deepEqual(interpretAnswer({ kind: 'status', status: 429, retryAfter }, first), { kind: 'retry', afterMs })
    })
  }

  it('that asks to come again in more than half an hour is given up', () => {
    assert.deepEqual(interpretAnswer({ kind: 'status', status: 429, retryAfter: '1801' }, first), { kind: 'gaveUp' })
  })

  it('is tried six times and for half an hour at most, whatever the luck', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 0.999, noNaN: true }), { minLength: 6, maxLength: 6 }), (lucks) => {
        let at = now
        const kinds = lucks.map((random, i) => {
          const verdict = interpretAnswer(
            { kind: 'unreachable' },
            { attempts: i + 1, firstTriedAt: now, now: at, random },
          )
          if (verdict.kind === 'retry') at = new Date(at.getTime() + verdict.afterMs)
          return verdict.kind
        })
        assert.deepEqual(kinds, ['retry', 'retry', 'retry', 'retry', 'retry', 'gaveUp'])
        assert.ok(at.getTime() - now.getTime() <= 30 * 60_000)
      }),
    )
  })
})
