import type { Engine } from '../../embedded/storage/backend.ts'

/** An engine that forgets everything at the end of the process; as quick as a test wants it. */
export function openMemoryEngine(): Engine {
  const values = new Map<string, string>()
  let keys: string[] | undefined
  let revision = 0

  const sortedKeys = (): string[] => (keys ??= [...values.keys()].sort())
  const firstAtOrAfter = (key: string): number => {
    const sorted = sortedKeys()
    let low = 0
    let high = sorted.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((sorted[middle] ?? '') < key) low = middle + 1
      else high = middle
    }
    return low
  }

  return {
    get revision() {
      return revision
    },
    get: (key) => values.get(key),
    range: (start, end) =>
      sortedKeys()
        .slice(firstAtOrAfter(start), firstAtOrAfter(end))
        .map((key) => ({ key, value: values.get(key) ?? '' })),
    count: (start, end) => firstAtOrAfter(end) - firstAtOrAfter(start),
    async commit(newRevision, writes) {
      // As on a disk, nothing is acknowledged in the same turn in which it was asked for.
      await Promise.resolve()
      revision = newRevision
      for (const { key, value } of writes) {
        if (value === undefined || !values.has(key)) keys = undefined
        if (value === undefined) values.delete(key)
        else values.set(key, value)
      }
    },
    problem: () => Promise.resolve(undefined),
    close: () => Promise.resolve(),
  }
}
