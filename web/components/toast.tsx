/** Short messages about what was done or refused; read out by screen readers, and gone after a while. */
import { type ReactNode, useSyncExternalStore } from 'react'
import { showUnseen } from '../model/hostile-text.ts'
import { whenVisible } from './when-visible.ts'
import css from './toast.module.css'

interface Toast {
  readonly id: number
  readonly text: string
  readonly tone: 'note' | 'refusal'
}

const SHOWN_MS = 6_000
let toasts: readonly Toast[] = []
let lastId = 0
const listeners = new Set<() => void>()

function setToasts(next: readonly Toast[]): void {
  toasts = next
  for (const listener of listeners) listener()
}

function show(text: string, tone: Toast['tone']): void {
  const toast = { id: (lastId += 1), text, tone }
  setToasts([...toasts.filter((shown) => shown.text !== text), toast].slice(-3))
  const count = (): void => void setTimeout(() => setToasts(toasts.filter(({ id }) => id !== toast.id)), SHOWN_MS)
  if (tone === 'refusal') whenVisible(count)
  else count()
}

/** Says what was done. */
export function notify(text: string): void {
  show(text, 'note')
}

/** Says why something was not done. */
export function refuse(text: string): void {
  show(text, 'refusal')
}

/** Says what became of decisions, after the name of what they are about, if it has one. @param then what follows one that was taken */
export function telling<A>(name?: string, then?: (argument: A) => void) {
  return {
    onDone: (message: string, argument: A) => {
      notify(name === undefined ? message : `${name}: ${message}`)
      then?.(argument)
    },
    onRefused: refuse,
  }
}

/** Where the messages appear, over the view, which stays as it is; once, in the shell. @param children come last */
export function Toasts({ children }: { readonly children?: ReactNode }) {
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => toasts,
  )
  return (
    <div className={css['toasts']} role="status" aria-live="polite">
      {shown.map(({ id, text, tone }) => (
        <p key={id} data-tone={tone}>
          {showUnseen(text)}
        </p>
      ))}
      {children}
    </div>
  )
}
