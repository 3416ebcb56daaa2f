import { Outlet, Link, useLocation } from '@tanstack/react-router'
import { Ellipsis, Plus } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { useWaitingCount } from '../api/attentions.ts'
import { connectPage, disconnectPage } from '../api/page-connection.ts'
import { useServerTime } from '../api/server-clock.ts'
import { askWhoAgain, useSession } from '../api/session.ts'
import { ICON, VIEW_ICONS } from '../components/icons.tsx'
import { NowContext } from '../components/time-ago.tsx'
import { Toasts } from '../components/toast.tsx'
import { AwayBanner } from './away-banner.tsx'
import { FirstRunGate } from './first-run-gate.tsx'
import { LeaveQuestion } from './leave-question.tsx'
import { Overlays } from './overlays.tsx'
import { Panel } from './panel.tsx'
import { PhaseMark } from './phase-mark.tsx'
import css from './shell.module.css'
import { Sidebar } from './sidebar.tsx'
import { SignIn } from './sign-in.tsx'
import { UndoToasts } from './undo-toasts.tsx'
import { useKeptFocus } from './use-kept-focus.ts'
import { useLeaving, useSessionEnd } from './use-leaving.ts'
import { useNotificationClicks } from './use-notifications.ts'
import { type Overlay, useShortcuts, toggleOverlay } from './use-shortcuts.ts'
import { DOCK_VIEWS, isExact } from './views.ts'
import { WaitingCount } from './waiting-count.tsx'

/** What surrounds every view; in place of all when the server asks who this is. */
export function Shell() {
  const { phase, name, endsAt, isOver } = useSession()
  const isSignedOut = phase === 'signed-out'
  useNotificationClicks()
  useLeaving()
  useSessionEnd(phase === 'signed-in' && !isOver ? name : undefined)
  // As somebody, and no longer than that: a sign-in begins with a connection of its own.
  const isConnected = !isSignedOut && !isOver
  useEffect(() => (isConnected ? connectPage() : disconnectPage()), [isConnected])
  useEffect(() => askAfter(endsAt), [endsAt])
  if (isSignedOut)
    return (
      <>
        <SignIn />
        <Toasts />
      </>
    )
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
  useKeptFocus()
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
      <Toasts>
        <UndoToasts />
      </Toasts>
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

/** Gives the server's time to what shows ages; only those are rendered again when it moves. */
function Clock({ children }: { readonly children: ReactNode }) {
  return <NowContext value={useServerTime()}>{children}</NowContext>
}

/** Shows in title and icon of the tab how many things wait for a person. */
function useTitleCount(waiting: number): void {
  useEffect(() => {
    document.title = waiting === 0 ? 'Slipway' : `(${waiting}) Slipway`
    const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]')
    if (icon !== null) icon.href = waiting === 0 ? '/favicon.svg' : drawIcon(waiting)
  }, [waiting])
}

/** The icon with the number on it, as an address that carries it. */
function drawIcon(waiting: number): string {
  const text = waiting > 99 ? '99' : String(waiting)
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect x="1" y="1" width="30" height="30" rx="8" fill="#3b5bdb"/><text x="16" y="23" text-anchor="middle" font-family="system-ui,sans-serif" font-weight="700" font-size="${text.length > 1 ? 17 : 21}" fill="#fff">${text}</text></svg>`
  return `data:image/svg+xml,${encodeURIComponent(svg)}`
}

/** The sidebar's place on a phone; its last button shows the palette, which leads to the other views. */
function Dock() {
  const pathname = useLocation({ select: (location) => location.pathname })
  const canCreate = useSession().may('decide')
  return (
    <nav className={css['dock']} aria-label="Views">
      {DOCK_VIEWS.map(({ id, path, label }) => {
        const Icon = VIEW_ICONS[id]
        return (
          <Link key={id} to={path} activeOptions={{ exact: isExact(path, pathname) }}>
            <Icon size={ICON} aria-hidden />
            {label}
            {id === 'inbox' && <WaitingCount />}
          </Link>
        )
      })}
      {canCreate && (
        <Link to="/tasks/new">
          <Plus size={ICON} aria-hidden />
          New
        </Link>
      )}
      <button type="button" onClick={() => toggleOverlay('palette')}>
        <Ellipsis size={ICON} aria-hidden />
        More
      </button>
      <PhaseMark isSmall />
    </nav>
  )
}
