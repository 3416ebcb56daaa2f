import { Link, useLocation } from '@tanstack/react-router'
import { Ellipsis, Plus } from 'lucide-react'
import { useSession } from '../api/session.ts'
import { ICON, VIEW_ICONS } from '../components/icons.tsx'
import { PhaseMark } from './phase-mark.tsx'
import css from './shell.module.css'
import { toggleOverlay } from './use-shortcuts.ts'
import { DOCK_VIEWS, isExact } from './views.ts'
import { WaitingCount } from './waiting-count.tsx'

/** The sidebar's place on a phone; its last button shows the palette, which leads to the other views. */
export function Dock() {
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
