import type { RefObject } from 'react'
import { useEffect, useState } from 'react'

/** So far outside of what is seen, in pixels, something is drawn already. */
const MARGIN = '700px 0px'

/**
 * Whether an element is seen or about to be, so that the many parts of a large view are drawn when they are needed.
 * What has the focus, or is being dragged, stays drawn.
 *
 * @param atFirst before the browser has said it
 */
export function useNear(ref: RefObject<HTMLElement | null>, atFirst: boolean): boolean {
  const [isNear, setNear] = useState(atFirst)
  useEffect(() => {
    const element = ref.current
    if (element === null) return undefined
    const observer = new IntersectionObserver(
      (entries) => {
        const isSeen = entries.at(-1)?.isIntersecting === true
        setNear(isSeen || element.contains(document.activeElement) || element.querySelector('[data-dragged]') !== null)
      },
      { root: element.closest('[data-scroller]'), rootMargin: MARGIN },
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [ref])
  return isNear
}
