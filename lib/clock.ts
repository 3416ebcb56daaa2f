/** Time as an argument: what waits or stamps takes a Clock, so that tests move it instead of sleeping. */
export interface Clock {
  now(): Date
  /** Calls back once after `ms`; the returned function cancels. The timer does not keep the process alive. */
  schedule(ms: number, callback: () => void): () => void
}

export const systemClock: Clock = {
  now: () => new Date(),
  schedule(ms, callback) {
    const timer = setTimeout(callback, ms)
    timer.unref()
    return () => clearTimeout(timer)
  },
}

/** Resolves after `ms`, or as soon as `signal` aborts; never rejects. */
export function delay(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) {
      resolve()
      return
    }
    const done = (): void => {
      cancel()
      signal?.removeEventListener('abort', done)
      resolve()
    }
    const cancel = clock.schedule(ms, done)
    signal?.addEventListener('abort', done)
  })
}
