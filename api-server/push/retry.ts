import { halfJitter } from '../../kube/backoff.ts'

/** How a push service answered one request (RFC 8030, section 5), or that it did not. */
export type PushAnswer =
  | { readonly kind: 'status'; readonly status: number; readonly retryAfter?: string | undefined }
  | { readonly kind: 'unreachable' }
  /** The endpoint's name leads to an address that nothing is sent to. */
  | { readonly kind: 'forbidden' }

/** What follows for the message. `gone`: for the subscription as well. */
export type NextStep =
  { readonly kind: 'sent' | 'gone' | 'refused' | 'gaveUp' } | { readonly kind: 'retry'; readonly afterMs: number }

export interface Attempt {
  /** Tries so far, this one included. */
  readonly attempts: number
  readonly firstTriedAt: Date
  readonly now: Date
  /** In [0, 1). */
  readonly random: number
}

const MAX_ATTEMPTS = 6
/** News is not worth sending later. */
const MAX_AGE_MS = 30 * 60_000
const BACKOFF = { baseMs: 2000, maxMs: 5 * 60_000 }
/** Timeouts, too early, too many: statuses below 500 that ask to come again. */
const COME_AGAIN: readonly number[] = [408, 425, 429]

/** What one answer means for the message. Pure. */
export function interpretAnswer(answer: PushAnswer, attempt: Attempt): NextStep {
  if (answer.kind === 'forbidden') return { kind: 'refused' }
  if (answer.kind === 'unreachable') return retry(attempt, undefined)
  const { status, retryAfter } = answer
  if (status >= 200 && status < 300) return { kind: 'sent' }
  // 404 is what a push service says of a subscription that expired, 410 of one that was removed (RFC 8030, 7.3).
  if (status === 404 || status === 410) return { kind: 'gone' }
  if (status >= 500 || COME_AGAIN.includes(status)) return retry(attempt, retryAfter)
  return { kind: 'refused' }
}

function retry({ attempts, firstTriedAt, now, random }: Attempt, retryAfter: string | undefined): NextStep {
  const afterMs = Math.max(halfJitter(BACKOFF, attempts, random), parseRetryAfter(retryAfter, now))
  const isTooLate = now.getTime() + afterMs - firstTriedAt.getTime() > MAX_AGE_MS
  return attempts >= MAX_ATTEMPTS || isTooLate ? { kind: 'gaveUp' } : { kind: 'retry', afterMs }
}

/** Milliseconds to wait, given as seconds or as a date (RFC 9110, section 10.2.3); 0 for what is neither. */
function parseRetryAfter(text: string | undefined, now: Date): number {
  if (text === undefined) return 0
  if (/^\d+$/.test(text)) return Number(text) * 1000
  const at = Date.parse(text)
  return Number.isNaN(at) ? 0 : Math.max(0, at - now.getTime())
}
