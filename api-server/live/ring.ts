/** The last messages, numbered, so that a client that was cut off can have what it missed. */
export interface Ring<T> {
  /** Keeps `item` and forgets the oldest beyond the capacity. */
  push(item: T): void
  /** Id of the next item. */
  nextId(): string
  /** What came after `id`, oldest first; undefined when that cannot be told any more. */
  since(id: string): readonly T[] | undefined
}

/** @param epoch tells the ids of this run of the server from those of others; no dash */
export function createRing<T>(capacity: number, epoch: string): Ring<T> {
  const items: T[] = []
  let pushed = 0
  return {
    push(item) {
      items.push(item)
      pushed += 1
      if (items.length > capacity) items.shift()
    },
    nextId: () => `${epoch}-${pushed + 1}`,
    since(id) {
      const [of, number] = id.split('-')
      const seen = Number(number)
      const oldest = pushed - items.length
      const isKnown = of === epoch && Number.isInteger(seen) && seen >= oldest && seen <= pushed
      return isKnown ? items.slice(seen - oldest) : undefined
    },
  }
}
