import { lazy, Suspense, useEffect } from 'react'
import type { Overlay } from './use-shortcuts.ts'

const loadPalette = () => import('./palette.tsx').then(({ Palette: component }) => ({ default: component }))
const Palette = lazy(loadPalette)
const KeysHelp = lazy(() => import('./keys-help.tsx').then(({ KeysHelp: component }) => ({ default: component })))

/** By then the view has what it needs, and nobody has pressed the keys yet: what is typed at once would be lost. */
const LOADED_AHEAD_MS = 1_500

interface OverlaysProps {
  readonly shown: Overlay | undefined
  readonly onClose: () => void
}

/** What lies over the view; loaded after it. */
export function Overlays({ shown, onClose }: OverlaysProps) {
  useEffect(() => {
    const timer = setTimeout(() => void loadPalette(), LOADED_AHEAD_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <Suspense fallback={null}>
      {shown === 'palette' && <Palette onClose={onClose} />}
      {shown === 'keys' && <KeysHelp onClose={onClose} />}
    </Suspense>
  )
}
