/** The last items, numbered from 1, so that a client that lags or was cut off can have what it missed. */
export interface History<T> {
  /** Keeps `item`, and forgets the oldest beyond the limits; the newest is always kept. */
  push(item: T): void
  /** Number of the newest item; 0 before the first. */
  head(): number
  /** The item with that number; undefined when it is forgotten, or not there yet. */
  at(number: number): T | undefined
  /** Whether everything behind that number is still kept, so that nothing is missed by going on from there. */
  isKeptFrom(number: number): boolean
  /** What a client names to go on behind that number. */
  idOf(number: number): string
  /** The number in an id; undefined for one of another run of the server, and for what is no id. */
  numberOf(id: string): number | undefined
}

/** How much to keep, by whichever is reached first. */
export interface HistoryLimits {
  readonly items: number
  readonly bytes: number
}

/** @param epoch tells the ids of this run of the server from those of others; letters and digits */
export function createHistory<T extends { readonly bytes: Uint8Array }>(
  limits: HistoryLimits,
  epoch: string,
): History<T> {
  const items: T[] = []
  let head = 0
  let sizeBytes = 0
  const oldest = (): number => head - items.length + 1
  return {
    push(item) {
      items.push(item)
      head += 1
      sizeBytes += item.bytes.length
      while (items.length > 1 && (items.length > limits.items || sizeBytes > limits.bytes))
        sizeBytes -= items.shift()?.bytes.length ?? 0
    },
    head: () => head,
    at: (number) => items[number - oldest()],
    isKeptFrom: (number) => number >= oldest() - 1 && number <= head,
    idOf: (number) => `${epoch}-${number}`,
    numberOf(id) {
      const [, of, number] = /^([^-]+)-(\d{1,15})$/.exec(id) ?? []
      return of === epoch ? Number(number) : undefined
    },
  }
}
