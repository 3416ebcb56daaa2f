import { useEffect, useState } from 'react'

/**
 * Gives the focus back, when this goes and the focus with it, to what had it before: else who uses keys alone, or
 * listens, would begin anew at the top of the page.
 */
export function useFocusBack(): void {
  const [before] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      if (document.activeElement !== document.body) return
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true })
    },
    [before],
  )
}
