/** Listeners called in an event-loop turn of their own per slice, so that a thousand of them hold up nothing else. */
const SLICE = 100

/** Tells many listeners that there is news. */
export interface FanOut {
  /** The returned function ends it. */
  join(listener: () => void): () => void
  /**
   * Every listener is called at least once after this, soon. Calls that come before it is a listener's turn count as
   * one: the more there is to tell, the more of it goes out together.
   */
  notify(): void
}

/** Nobody listens yet. */
export function createFanOut(): FanOut {
  const listeners = new Set<() => void>()
  let round: Iterator<() => void> | undefined
  let isDueAgain = false

  const begin = (): void => {
    isDueAgain = false
    round = listeners.values()
    setImmediate(step)
  }
  const step = (): void => {
    for (let i = 0; i < SLICE; i++) {
      const next = round?.next()
      if (next?.done !== false) {
        round = undefined
        if (isDueAgain) begin()
        return
      }
      next.value()
    }
    setImmediate(step)
  }
  return {
    join(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    notify() {
      if (round === undefined) begin()
      else isDueAgain = true
    },
  }
}
