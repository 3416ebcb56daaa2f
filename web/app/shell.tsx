import { Outlet } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useAttentions } from '../api/attentions.ts'
import { startConnection } from '../api/connection.ts'
import { queryClient, store } from '../api/queries.ts'
import { askWhoAgain, useSession } from '../api/session.ts'
import { Toasts } from '../components/toast.tsx'
import { AwayBanner } from './away-banner.tsx'
import { Clock } from './clock.tsx'
import { Dock } from './dock.tsx'
import { FirstRunGate } from './first-run-gate.tsx'
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
  const { phase } = useSession()
  useNotificationClicks()
  if (phase === 'signed-out') return <SignIn />
  return <SignedIn />
}

const connect = () =>
  startConnection({
    onMessages: store.apply,
    onGap: () => void queryClient.invalidateQueries(),
    onAway: askWhoAgain,
  })

/** Connects as somebody, and no longer than that: a sign-in begins with a connection of its own. */
function SignedIn() {
  const { items } = useAttentions()
  const [overlay, setOverlay] = useState<Overlay>()
  useEffect(connect, [])
  useTitleCount(items.length)
  useShortcuts(setOverlay)
  return (
    <div className={css['app']}>
      <a className={css['skip']} href="#main">
        Skip to the view
      </a>
      <Sidebar waiting={items.length} />
      <Clock>
        <main id="main" className={css['main']} tabIndex={-1}>
          <AwayBanner />
          <FirstRunGate>
            <Outlet />
          </FirstRunGate>
        </main>
        <Panel />
      </Clock>
      <Dock waiting={items.length} />
      <Toasts />
      <Overlays shown={overlay} onClose={() => setOverlay(undefined)} />
    </div>
  )
}
