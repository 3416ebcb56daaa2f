import { startTransition, useEffect, useState } from 'react'

/**
 * How many of `total` parts of a large view to draw: a few at first, so that it can be used at once, and the rest bit
 * by bit while nothing else is to be done.
 */
export function useGrowingCount(total: number, step: number): number {
  const [count, setCount] = useState(step)
  useEffect(() => {
    if (count >= total) return undefined
    const timer = setTimeout(() => startTransition(() => setCount(count + step)))
    return () => clearTimeout(timer)
  }, [count, total, step])
  return count
}
