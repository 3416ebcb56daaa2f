import { type RefCallback, useCallback, useState } from 'react'

/** The width of an element in pixels, before it is first painted and whenever it changes. */
export function useWidth(): readonly [RefCallback<HTMLElement>, number] {
  const [width, setWidth] = useState(() => innerWidth)
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
