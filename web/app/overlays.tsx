import { CatchBoundary } from '@tanstack/react-router'
import { lazy, Suspense, useEffect } from 'react'
import { refuse } from '../components/toast.tsx'
import type { Overlay } from './use-shortcuts.ts'

const loadPalette = () => import('./palette.tsx').then(({ Palette: component }) => ({ default: component }))
const Palette = lazy(loadPalette)
const KeysHelp = lazy(() => import('./keys-help.tsx').then(({ KeysHelp: component }) => ({ default: component })))

/** By then the view has what it needs, and nobody has pressed the keys yet: what is typed at once would be lost. */
const LOADED_AHEAD_MS = 1_500

function sayNotLoaded(): void {
  refuse('This part of the page could not be loaded: the server is away, or newer than the page. Load the page again.')
}

/** The view below stays as it is. */
function NothingShown() {
  return null
}

interface OverlaysProps {
  readonly shown: Overlay | undefined
  readonly onClose: () => void
}

/** What lies over the view; loaded after it. */
export function Overlays({ shown, onClose }: OverlaysProps) {
  useEffect(() => {
    // Where the server is away by then, it is loaded when it is asked for.
    const timer = setTimeout(() => void loadPalette().catch(() => undefined), LOADED_AHEAD_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <CatchBoundary getResetKey={() => shown ?? ''} errorComponent={NothingShown} onCatch={sayNotLoaded}>
      <Suspense fallback={null}>
        {shown === 'palette' && <Palette onClose={onClose} />}
        {shown === 'keys' && <KeysHelp onClose={onClose} />}
      </Suspense>
    </CatchBoundary>
  )
}
