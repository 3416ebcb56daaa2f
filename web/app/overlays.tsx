import { CatchBoundary } from '@tanstack/react-router'
import { lazy, Suspense, useEffect } from 'react'
import { useSession } from '../api/session.ts'
import { NothingShown, sayNotLoaded } from './overlay-states.tsx'
import type { Overlay } from './use-shortcuts.ts'

const loadPalette = () => import('./palette.tsx').then(({ Palette: component }) => ({ default: component }))
const Palette = lazy(loadPalette)
const KeysHelp = lazy(() => import('./keys-help.tsx').then(({ KeysHelp: component }) => ({ default: component })))

/** By then the view has what it needs, and nobody has pressed the keys yet: what is typed at once would be lost. */
const LOADED_AHEAD_MS = 1_500

/** Until an overlay is there, no key reaches the view below: what is typed into the palette must not decide anything. */
function KeysHeld({ onClose }: { readonly onClose: () => void }) {
  useEffect(() => {
    const hold = (event: KeyboardEvent): void => {
      // The browser's own keys, and Tab, stay.
      if (event.ctrlKey || event.metaKey || event.altKey || event.key === 'Tab') return
      event.preventDefault()
      event.stopPropagation()
      if (event.key === 'Escape') onClose()
    }
    addEventListener('keydown', hold, { capture: true })
    return () => removeEventListener('keydown', hold, { capture: true })
  }, [onClose])
  return null
}

interface OverlaysProps {
  readonly shown: Overlay | undefined
  readonly onClose: () => void
}

/** What lies over the view; loaded after it. */
export function Overlays({ shown, onClose }: OverlaysProps) {
  const isSignedIn = useSession().phase === 'signed-in'
  useEffect(() => {
    // Who has to sign in first needs the files of that, however late it is known.
    if (!isSignedIn) return undefined
    // Where the server is away by then, it is loaded when it is asked for.
    const timer = setTimeout(() => void loadPalette().catch(() => undefined), LOADED_AHEAD_MS)
    return () => clearTimeout(timer)
  }, [isSignedIn])
  return (
    <CatchBoundary getResetKey={() => shown ?? ''} errorComponent={NothingShown} onCatch={sayNotLoaded}>
      <Suspense fallback={<KeysHeld onClose={onClose} />}>
        {shown === 'palette' && <Palette onClose={onClose} />}
        {shown === 'keys' && <KeysHelp onClose={onClose} />}
      </Suspense>
    </CatchBoundary>
  )
}
