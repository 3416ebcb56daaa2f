import { useEffect } from 'react'
import { focusOfRow } from '../../components/focus-of-row.ts'
import { isField } from '../../components/is-field.ts'
import { pressLater } from '../../components/press-later.ts'

const ROW = '[data-row]'

/**
 * Keys of the inbox: to the next and the previous row, and the buttons of the row that has the focus. In a diff that is
 * open in a row its own keys hold.
 */
export function useInboxKeys(): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || isField(event.target)) return
      const rows = [...document.querySelectorAll<HTMLElement>(ROW)]
      const current = event.target instanceof Element ? event.target.closest<HTMLElement>(ROW) : null
      const step = { j: 1, k: -1 }[event.key]
      if (step !== undefined) {
        const index = current === null ? (step === 1 ? 0 : rows.length - 1) : rows.indexOf(current) + step
        const row = rows[index]
        if (row !== undefined) focusOfRow(row).focus()
        return
      }
      // A key that is held down decides once.
      if (event.repeat) return
      const button = current?.querySelector<HTMLButtonElement>(`button[data-key="${CSS.escape(event.key)}"]`)
      if (button !== null && button !== undefined) pressLater(event, button)
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [])
}
