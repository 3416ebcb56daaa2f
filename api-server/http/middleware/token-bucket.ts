import { isIPv6 } from 'node:net'
import type { Middleware } from 'koa'
import { apiError } from '../../../core/errors.ts'
import { type Bucket, isFull, takeToken } from '../../../core/rest/token-bucket.ts'
import type { Clock } from '../../../lib/clock.ts'
import type { ClientAddress } from '../client-address.ts'
import type { RequestState } from './state.ts'

/** Clients that are remembered; about a megabyte. */
export const MAX_BUCKETS = 10_000

/**
 * Refuses a client that uses bucketed operations too often, with 429 and `Retry-After`; all operations share its
 * bucket. Beyond {@link MAX_BUCKETS} the one that was used longest ago is forgotten: a flood of addresses costs that
 * client's memory of itself, never ours.
 */
export function tokenBucket(clientAddress: ClientAddress, clock: Clock): Middleware<RequestState> {
  // In the order of last use, which is also the order in which buckets of equal use are full again.
  const buckets = new Map<string, Bucket>()
  const forget = (nowMs: number): void => {
    for (const [client, bucket] of buckets) {
      if (buckets.size <= MAX_BUCKETS && !isFull(bucket, nowMs)) return
      buckets.delete(client)
    }
  }
  return (ctx, next) => {
    const nowMs = clock.now().getTime()
    const client = clientOf(clientAddress(ctx.req))
    const result = takeToken(buckets.get(client), nowMs)
    if (!result.isAllowed) throw apiError('too_many_requests', result.retryAfterSeconds)
    buckets.delete(client)
    buckets.set(client, result.bucket)
    forget(nowMs)
    return next()
  }
}

/** One subscriber has a whole /64 of IPv6 addresses (RFC 6177), so that is one client. */
function clientOf(address: string): string {
  if (!isIPv6(address)) return address
  const [head = '', tail = ''] = address.split('::')
  const groups = head.split(':').filter((group) => group !== '')
  const last = tail.split(':').filter((group) => group !== '')
  const zeros = address.includes('::') ? 8 - groups.length - last.length : 0
  const all = [...groups, ...Array.from({ length: zeros }, () => '0'), ...last]
  return all.slice(0, 4).join(':').toLowerCase()
}
