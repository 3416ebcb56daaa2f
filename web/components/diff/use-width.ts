import { type RefCallback, useCallback, useState } from 'react'

/** The width of an element in pixels, before it is first painted and whenever it changes; undefined in its first render. */
export function useWidth(): readonly [RefCallback<HTMLElement>, number | undefined] {
  const [width, setWidth] = useState<number>()
  const ref = useCallback((element: HTMLElement | null) => {
    if (element === null) return undefined
    const measure = (): void => setWidth(element.clientWidth)
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    measure()
    return () => observer.disconnect()
  }, [])
  return [ref, width]
}
