import { Outlet } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useWaitingCount } from '../api/attentions.ts'
import { connectPage, disconnectPage } from '../api/page-connection.ts'
import { askWhoAgain, useSession } from '../api/session.ts'
import { Toasts } from '../components/toast.tsx'
import { AwayBanner } from './away-banner.tsx'
import { Clock } from './clock.tsx'
import { Dock } from './dock.tsx'
import { FirstRunGate } from './first-run-gate.tsx'
import { LeaveQuestion } from './leave-question.tsx'
import { Overlays } from './overlays.tsx'
import { Panel } from './panel.tsx'
import css from './shell.module.css'
import { Sidebar } from './sidebar.tsx'
import { SignIn } from './sign-in.tsx'
import { useTitleCount } from './title-count.ts'
import { useNotificationClicks } from './use-notifications.ts'
import type { Overlay } from './use-shortcuts.ts'
import { useShortcuts } from './use-shortcuts.ts'

/** What surrounds every view; in place of all when the server asks who this is. */
export function Shell() {
  const { phase, endsAt } = useSession()
  const isSignedOut = phase === 'signed-out'
  useNotificationClicks()
  // As somebody, and no longer than that: a sign-in begins with a connection of its own.
  useEffect(() => (isSignedOut ? disconnectPage() : connectPage()), [isSignedOut])
  useEffect(() => askAfter(endsAt), [endsAt])
  if (isSignedOut) return <SignIn />
  return <SignedIn />
}

/** Longer ones overflow in browsers. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1

/** The server says nothing when a session ends: a connection that is open stays open. */
function askAfter(endsAt: string | undefined): (() => void) | undefined {
  if (endsAt === undefined) return undefined
  const leftMs = Math.max(0, Date.parse(endsAt) - Date.now()) + 1000
  const timer = setTimeout(askWhoAgain, Math.min(leftMs, MAX_TIMEOUT_MS))
  return () => clearTimeout(timer)
}

function SignedIn() {
  const [overlay, setOverlay] = useState<Overlay>()
  useShortcuts(setOverlay)
  return (
    <div className={css['app']}>
      <a className={css['skip']} href="#main">
        Skip to the view
      </a>
      <Sidebar />
      <Clock>
        <main id="main" className={css['main']} tabIndex={-1}>
          <AwayBanner />
          <FirstRunGate>
            <Outlet />
          </FirstRunGate>
        </main>
        <Panel />
      </Clock>
      <Dock />
      <Toasts />
      <TitleCount />
      <LeaveQuestion />
      <Overlays shown={overlay} onClose={() => setOverlay(undefined)} />
    </div>
  )
}

/** Rendered alone when the number changes: the shell holds every view. */
function TitleCount() {
  useTitleCount(useWaitingCount())
  return null
}
