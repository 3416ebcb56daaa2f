import { Link } from '@tanstack/react-router'
import { Ellipsis, Plus } from 'lucide-react'
import { useSession } from '../api/session.ts'
import { ICON, VIEW_ICONS } from '../components/icons.tsx'
import css from './shell.module.css'
import { toggleOverlay } from './use-shortcuts.ts'
import { DOCK_VIEWS } from './views.ts'

/** The sidebar's place on a phone; its last button shows the palette, which leads to the other views. */
export function Dock({ waiting }: { readonly waiting: number }) {
  const canCreate = useSession().may('decide')
  return (
    <nav className={css['dock']} aria-label="Views">
      {DOCK_VIEWS.map(({ id, path, label }) => {
        const Icon = VIEW_ICONS[id]
        return (
          <Link key={id} to={path} activeOptions={{ exact: path === '/' }}>
            <Icon size={ICON} aria-hidden />
            {label}
            {id === 'inbox' && waiting > 0 && <span className={css['number']}>{waiting}</span>}
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
    </nav>
  )
}
