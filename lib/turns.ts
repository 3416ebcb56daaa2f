/** Does `work` once everything asked for before under the same key has ended, however it ended. */
export type InTurn = <T>(key: string, work: () => Promise<T>) => Promise<T>

/** Lets work on one thing wait for its turn; nothing is kept of a key whose work has ended. */
export function createTurns(): InTurn {
  const last = new Map<string, Promise<unknown>>()
  return async (key, work) => {
    const before = last.get(key)
    const mine = (async () => {
      await before?.catch(() => undefined)
      return work()
    })()
    last.set(key, mine)
    try {
      return await mine
    } finally {
      if (last.get(key) === mine) last.delete(key)
    }
  }
}
