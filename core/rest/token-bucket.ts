/**
 * How often one client may use an operation that starts an agent (specification §9.7: 5 tokens, one back every 12 s).
 * Pure: the caller keeps the buckets and passes the time.
 */

/** Requests that a client may make at once. */
export const BUCKET_TOKENS = 5
/** Time after which one token is back. */
export const REFILL_MS = 12_000

/** A bucket that is full needs no record: absence stands for it. */
export interface Bucket {
  /** Milliseconds since the epoch; from then on the bucket is full again. */
  readonly fullAtMs: number
}

/** What a request comes to. */
export type TokenResult =
  | { readonly isAllowed: true; readonly bucket: Bucket }
  /** Whole seconds after which a request is allowed again, at least 1. */
  | { readonly isAllowed: false; readonly retryAfterSeconds: number }

/** Takes a token, if one is left. A refusal costs nothing, so that trying again never makes the wait longer. */
export function takeToken(bucket: Bucket | undefined, nowMs: number): TokenResult {
  const fullAtMs = Math.max(bucket?.fullAtMs ?? 0, nowMs) + REFILL_MS
  const waitMs = fullAtMs - nowMs - BUCKET_TOKENS * REFILL_MS
  if (waitMs > 0) return { isAllowed: false, retryAfterSeconds: Math.ceil(waitMs / 1000) }
  return { isAllowed: true, bucket: { fullAtMs } }
}

/** Whether a bucket is as good as absent. */
export function isFull({ fullAtMs }: Bucket, nowMs: number): boolean {
  return fullAtMs <= nowMs
}
