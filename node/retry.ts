import { type Clock, delay } from '../lib/clock.ts'

export interface RetryOptions {
  readonly clock: Clock
  readonly everyMs: number
  /** Told of each failure. */
  readonly onFailure: (error: unknown) => void
  /** Ends the tries; the pause between two of them is cut short. */
  readonly signal?: AbortSignal
}

/** Does `work` again and again until it succeeds, or `signal` aborts; never rejects. */
export async function retry(work: () => Promise<void>, options: RetryOptions): Promise<void> {
  for (let isDone = false; !isDone && options.signal?.aborted !== true;) isDone = await attempt(work, options)
}

async function attempt(work: () => Promise<void>, options: RetryOptions): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    options.onFailure(error)
    await delay(options.clock, options.everyMs, options.signal)
    return false
  }
}
