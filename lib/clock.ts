/** Time as an argument: what waits or stamps takes a Clock, so that tests move it instead of sleeping. */
export interface Clock {
  now(): Date
  /** Calls back once after `ms`; the returned function cancels. The timer does not keep the process alive. */
  schedule(ms: number, callback: () => void): () => void
  /**
   * Milliseconds of the kernel's own clock since the machine was booted, which nobody sets, and which rests while the
   * machine sleeps. Absent where time is made up: there `now` is never set.
   */
  uptimeMs?(): number
}

/** Milliseconds of a time that is never set. */
export function uptimeOf(clock: Clock): number {
  return clock.uptimeMs?.() ?? clock.now().getTime()
}

/** The longest time for setTimeout: a 32-bit signed integer, 24.8 days. */
const LONGEST_MS = 2 ** 31 - 1

export const systemClock: Clock = {
  now: () => new Date(),
  // CLOCK_MONOTONIC on Linux, which counts from the boot in every process.
  uptimeMs: () => Number(process.hrtime.bigint() / 1_000_000n),
  schedule(ms, callback) {
    let timer: NodeJS.Timeout
    // Beyond its longest delay setTimeout calls back at once, over and over for whoever then waits for the rest.
    const wait = (leftMs: number): void => {
      const stepMs = Math.min(leftMs, LONGEST_MS)
      timer = setTimeout(() => (leftMs > stepMs ? wait(leftMs - stepMs) : callback()), stepMs)
      timer.unref()
    }
    wait(ms)
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
