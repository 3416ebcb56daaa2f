/** Waits until fewer than `limit` are in; the function it gives leaves again, and hands the place to who waits longest. */
export function createSemaphore(limit: number): () => Promise<() => void> {
  let free = limit
  const waiting: (() => void)[] = []
  const leave = (): void => {
    const next = waiting.shift()
    if (next === undefined) free += 1
    else next()
  }
  return async () => {
    if (free > 0) free -= 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    return leave
  }
}
