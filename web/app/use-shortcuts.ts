/** Keys that work in every view. */
import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { decisions } from '../api/decisions.ts'
import { isField } from '../components/is-field.ts'
import { readKey } from './keys.ts'
import { VIEWS } from './views.ts'

/** What lies over the view: the command palette, or the list of keys. */
export type Overlay = 'palette' | 'keys'

type SetOverlay = (next: (shown: Overlay | undefined) => Overlay | undefined) => void

let setShown: SetOverlay = () => undefined

/** Shows an overlay, or hides it when it is shown. */
export function toggleOverlay(overlay: Overlay): void {
  setShown((shown) => (shown === overlay ? undefined : overlay))
}

export function useShortcuts(setOverlay: SetOverlay): void {
  const navigate = useNavigate()
  useEffect(() => {
    setShown = setOverlay
    let prefix: 'g' | undefined
    const onKeyDown = (event: KeyboardEvent): void => {
      const command = readKey(event, { prefix, isTyping: isField(event.target) })
      prefix = command?.kind === 'prefix' ? command.key : undefined
      if (command === undefined) return
      if (command.kind === 'undo' && !decisions.undo()) return
      event.preventDefault()
      if (command.kind === 'overlay') toggleOverlay(command.overlay)
      if (command.kind === 'search') document.querySelector<HTMLElement>('[data-search-field]')?.focus()
      if (command.kind === 'new-task') void navigate({ to: '/tasks/new' })
      const view = command.kind === 'view' ? VIEWS.find(({ key }) => key === command.key) : undefined
      if (view !== undefined) void navigate({ to: view.path })
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [navigate, setOverlay])
}
