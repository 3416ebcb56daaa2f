import type { RefObject } from 'react'
import { useLayoutEffect, useState } from 'react'

/** Height of what is seen of an element, in pixels; 0 until it is known. */
export function useViewHeight(ref: RefObject<HTMLElement | null>): number {
  const [height, setHeight] = useState(0)
  useLayoutEffect(() => {
    const { current } = ref
    if (current === null) return undefined
    const measure = (): void => setHeight(current.clientHeight)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(current)
    return () => observer.disconnect()
  }, [ref])
  return height
}
