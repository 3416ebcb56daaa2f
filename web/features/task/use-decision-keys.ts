/** Keys of a task: a accepts, r asks for changes, 1 to 9 choose an option of its question, as in the inbox. */
import { type RefObject, useEffect } from 'react'
import { pressLater } from '../../components/press-later.ts'

export function useDecisionKeys(frame: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTaken(event.target)) return
      const panel = document.querySelector('[data-panel]')
      // What lies over a task has the keys.
      if (panel !== null && frame.current !== null && !panel.contains(frame.current)) return
      // Beside the panel something else may have the focus, and then the key means that.
      if (panel !== null && !panel.contains(toNode(event.target)) && event.target !== document.body) return
      const button = frame.current?.querySelector<HTMLButtonElement>(`button[data-key="${CSS.escape(event.key)}"]`)
      if (button !== null && button !== undefined) pressLater(event, button)
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [frame])
}

function toNode(target: EventTarget | null): Node | null {
  return target instanceof Node ? target : null
}

/** A field that takes the key itself, or a question, a menu or a dialog over the page. */
function isTaken(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    target.closest('input, textarea, select, [role=dialog], [role=alertdialog], [role=menu]') !== null
  )
}
