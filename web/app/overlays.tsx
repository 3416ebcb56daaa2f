import { lazy, Suspense } from 'react'
import type { Overlay } from './use-shortcuts.ts'

const Palette = lazy(() => import('./palette.tsx').then(({ Palette: component }) => ({ default: component })))
const KeysHelp = lazy(() => import('./keys-help.tsx').then(({ KeysHelp: component }) => ({ default: component })))

interface OverlaysProps {
  readonly shown: Overlay | undefined
  readonly onClose: () => void
}

/** What lies over the view; loaded when it is first asked for. */
export function Overlays({ shown, onClose }: OverlaysProps) {
  return (
    <Suspense fallback={null}>
      {shown === 'palette' && <Palette onClose={onClose} />}
      {shown === 'keys' && <KeysHelp onClose={onClose} />}
    </Suspense>
  )
}
