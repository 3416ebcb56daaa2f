/** Keys of a task: a accepts, r rejects, 1 to 9 choose an option of its question, as in the inbox. */
import type { RefObject } from 'react'
import { useEffect } from 'react'

export function useDecisionKeys(frame: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTaken(event.target)) return
      const panel = document.querySelector('[data-panel]')
      // What lies over a task has the keys.
      if (panel !== null && frame.current !== null && !panel.contains(frame.current)) return
      const button = frame.current?.querySelector<HTMLButtonElement>(`button[data-key="${CSS.escape(event.key)}"]`)
      if (button === null || button === undefined) return
      // By then it is known whether the key was the second of two, such as `g a`, and what it opens does not take it.
      setTimeout(() => {
        if (!event.defaultPrevented) button.click()
      })
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [frame])
}

/** A field that takes the key itself, or a dialog over the page. */
function isTaken(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('input, textarea, select, [role=dialog]') !== null
}
