import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { type Bucket, BUCKET_TOKENS, isFull, REFILL_MS, takeToken } from '../../../core/rest/token-bucket.ts'

/** Takes tokens at these instants; tells which were allowed, and what the refusals said. */
function takeAll(instants: readonly number[]): { allowed: boolean[]; bucket: Bucket | undefined; waits: number[] } {
  let bucket: Bucket | undefined
  const [allowed, waits]: [boolean[], number[]] = [[], []]
  for (const now of instants) {
    const result = takeToken(bucket, now)
    allowed.push(result.isAllowed)
    if (result.isAllowed) bucket = result.bucket
    else waits.push(result.retryAfterSeconds)
  }
  return { allowed, bucket, waits }
}

const instants = fc
  .array(fc.integer({ min: 0, max: 3 * REFILL_MS }), { maxLength: 60 })
  .map((gaps) => gaps.reduce<number[]>((sums, gap) => [...sums, (sums.at(-1) ?? 1_000_000) + gap], []))

describe('a token bucket', () => {
  it('lets five requests pass at once, and one more every 12 s', () => {
    assert.deepEqual(takeAll([0, 0, 0, 0, 0, 0]).allowed, [true, true, true, true, true, false])
    assert.deepEqual(takeAll([0, 0, 0, 0, 0, 11_999, 12_000, 12_001]).allowed.slice(5), [false, true, false])
  })

  it('says after how many seconds a token is back', () => {
    assert.deepEqual(takeAll([0, 0, 0, 0, 0, 0, 500, 11_999]).waits, [12, 12, 1])
  })

  it('never lets more pass in any span of time than it holds and gets back in it', () => {
    fc.assert(
      fc.property(instants, (times) => {
        const { allowed } = takeAll(times)
        const passed = times.filter((_, index) => allowed[index])
        for (const [first, start] of passed.entries()) {
          for (const [last, end] of passed.entries()) {
            if (last < first) continue
            assert.ok(last - first + 1 <= BUCKET_TOKENS + Math.floor((end - start) / REFILL_MS))
          }
        }
      }),
    )
  })

  it('allows a request after the seconds that a refusal names, and not a second earlier', () => {
    fc.assert(
      fc.property(instants, (times) => {
        const { bucket } = takeAll(times)
        const now = times.at(-1) ?? 0
        const result = takeToken(bucket, now)
        if (result.isAllowed) return
        assert.ok(takeToken(bucket, now + result.retryAfterSeconds * 1000).isAllowed)
        assert.ok(!takeToken(bucket, now + result.retryAfterSeconds * 1000 - 1000).isAllowed)
      }),
    )
  })

  it('is as good as none once it is full', () => {
    const { bucket } = takeAll([0, 0])
    assert.ok(bucket !== undefined && !isFull(bucket, 23_999) && isFull(bucket, 24_000))
  })
})
