/** The time that a call may take. */
import type { Clock } from '../lib/clock.ts'
import { type Asked, RequestTimedOut } from './unanswered.ts'

/** The end of a call, by its time or by whom it is for. */
export interface Limit {
  readonly signal: AbortSignal
  /** Ends the time limit alone. */
  lift(): void
  /** Ends the tie to the signals that were given. */
  unlink(): void
}

/** The signals of others and the time limit as one. By hand: AbortSignal.any leaks on long-lived signals in Node 20. */
export function startLimit(
  clock: Clock,
  asked: Asked,
  limitMs: number,
  ...signals: readonly (AbortSignal | undefined)[]
): Limit {
  const { signal, abort, unlink } = followSignals(signals)
  const lift = clock.schedule(limitMs, () => abort(new RequestTimedOut(asked, limitMs)))
  return { signal, lift, unlink }
}

/** Aborts with the first of `signals`, and for its reason. */
export function followSignals(signals: readonly (AbortSignal | undefined)[]) {
  const controller = new AbortController()
  const followed = signals.flatMap((signal) => {
    if (signal === undefined) return []
    const follow = (): void => controller.abort(signal.reason)
    if (signal.aborted) follow()
    else signal.addEventListener('abort', follow, { once: true })
    return [() => signal.removeEventListener('abort', follow)]
  })
  return {
    signal: controller.signal,
    abort: (reason?: unknown) => controller.abort(reason),
    unlink: () => followed.forEach((end) => end()),
  }
}
