/** Waits until fewer than `limit` are in; the function it gives leaves again, and lets in the one that waits longest. */
export function createSemaphore(limit: number): () => Promise<() => void> {
  let inside = 0
  const waiting: (() => void)[] = []
  const leave = (): void => {
    inside -= 1
    waiting.shift()?.()
  }
  return async () => {
    while (inside >= limit) await new Promise<void>((resolve) => waiting.push(resolve))
    inside += 1
    return leave
  }
}
