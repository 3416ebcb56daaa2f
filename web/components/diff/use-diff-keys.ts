/** Keys of a diff: j and k by file, arrows by line, c for a comment, v for viewed. */
import { useEffect, useEffectEvent } from 'react'
import type { RefObject } from 'react'

export interface DiffKeys {
  toFile(step: 1 | -1): void
  toLine(step: 1 | -1): void
  /** Undefined where none may be written: the key is then another one's. */
  readonly comment: (() => void) | undefined
  toggleViewed(): void
}

/** @param list has the lines; the arrows are its own only while it has the focus */
export function useDiffKeys(list: RefObject<HTMLElement | null>, keys: DiffKeys): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
    if (!isForDiff(event.target, list.current)) return
    const isInList = event.target === list.current
    const action = {
      j: () => keys.toFile(1),
      k: () => keys.toFile(-1),
      c: keys.comment,
      v: () => keys.toggleViewed(),
      ArrowDown: isInList ? () => keys.toLine(1) : undefined,
      ArrowUp: isInList ? () => keys.toLine(-1) : undefined,
    }[event.key]
    if (action === undefined) return
    event.preventDefault()
    event.stopPropagation()
    action()
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent): void => onKeyDown(event)
    // Before the keys that hold everywhere: while a diff can be commented, `c` is a comment and no new task.
    addEventListener('keydown', listener, true)
    return () => removeEventListener('keydown', listener, true)
  }, [])
}

/** Not while something is typed, nor in a dialog that lies over the diff. */
function isForDiff(target: EventTarget | null, list: HTMLElement | null): boolean {
  if (!(target instanceof HTMLElement) || list === null) return false
  if (target.isContentEditable || /^(TEXTAREA|SELECT)$/.test(target.tagName)) return false
  if (target instanceof HTMLInputElement && target.type !== 'checkbox') return false
  const dialog = target.closest('[role="dialog"], [role="alertdialog"]')
  return dialog === null || dialog.contains(list)
}
