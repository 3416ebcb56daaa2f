/** Short messages about what was done or refused; read out by screen readers, and gone after a while. */
import { type ReactNode, useSyncExternalStore } from 'react'
import { showUnseen } from '../model/hostile-text.ts'
import { createWatched } from '../model/watched.ts'
import { whenVisible } from './when-visible.ts'
import css from './toast.module.css'

interface Toast {
  readonly id: number
  readonly text: string
  readonly tone: 'note' | 'refusal'
}

const SHOWN_MS = 6_000
const toasts = createWatched<readonly Toast[]>([])
let lastId = 0

function show(text: string, tone: Toast['tone']): void {
  const toast = { id: (lastId += 1), text, tone }
  toasts.set([...toasts.read().filter((shown) => shown.text !== text), toast].slice(-3))
  const remove = (): void => toasts.set(toasts.read().filter(({ id }) => id !== toast.id))
  const count = (): void => void setTimeout(remove, SHOWN_MS)
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
  const shown = useSyncExternalStore(toasts.subscribe, toasts.read)
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
