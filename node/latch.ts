import type { Clock } from '../lib/clock.ts'

/** Something changed: a signal that is kept until it is waited for, however often it was given meanwhile. */
export interface Latch {
  set(): void
  /** Resolves at the next `set`, at once when there was one since the last wait, or at the instant. */
  wait(until?: Date): Promise<void>
}

export function createLatch(clock: Clock): Latch {
  let isSet = false
  let wake: (() => void) | undefined
  return {
    set() {
      isSet = true
      wake?.()
    },
    async wait(until) {
      if (!isSet) {
        await new Promise<void>((resolve) => {
          const cancel = until && clock.schedule(Math.max(0, until.getTime() - clock.now().getTime()), resolve)
          wake = () => {
            cancel?.()
            resolve()
          }
        })
      }
      wake = undefined
      isSet = false
    },
  }
}
