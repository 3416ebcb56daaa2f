import { Link, useLocation } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { shortCommit } from '../../core/text.ts'
import { useVersion } from '../api/queries.ts'
import { useSession } from '../api/session.ts'
import { ICON, VIEW_ICONS } from '../components/icons.tsx'
import { PhaseMark } from './phase-mark.tsx'
import css from './shell.module.css'
import { toggleOverlay } from './use-shortcuts.ts'
import { versionColor } from '../model/version-color.ts'
import { isExact, VIEWS } from './views.ts'
import { WaitingCount } from './waiting-count.tsx'

/** The views, how many things wait for a person, and what this page is connected to. */
export function Sidebar() {
  const pathname = useLocation({ select: (location) => location.pathname })
  const canCreate = useSession().may('decide')
  return (
    <aside className={css['side']}>
      <div className={css['brand']}>
        <img src="/favicon.svg" width={18} height={18} alt="" />
        Slipway
      </div>
      {canCreate && (
        <Link to="/tasks/new" className={css['new']}>
          <Plus size={ICON} aria-hidden />
          New task
          <kbd aria-hidden>c</kbd>
        </Link>
      )}
      <nav aria-label="Views">
        {VIEWS.map(({ id, path, label, part }, index) => {
          const Icon = VIEW_ICONS[id]
          const beginsPart = index > 0 && VIEWS[index - 1]?.part !== part
          return (
            <div key={id}>
              {beginsPart && <hr className={css['part']} />}
              <Link to={path} className={css['nav']} activeOptions={{ exact: isExact(path, pathname) }}>
                <Icon size={ICON} aria-hidden />
                {label}
                {id === 'inbox' && <WaitingCount />}
              </Link>
            </div>
          )
        })}
      </nav>
      <Foot />
    </aside>
  )
}

function Foot() {
  const { data: version } = useVersion()
  const commit = version?.commit ?? ''
  return (
    <div className={css['foot']}>
      <PhaseMark />
      {version === undefined ? (
        <span />
      ) : (
        <span title={commit === '' ? 'The build does not know its commit' : `${commit}, built ${version.built_at}`}>
          <b className={css['chip']} style={{ background: versionColor(commit) }} />
          <span className={css['version']}>
            {[version.version, shortCommit(commit)].filter((part) => part !== '').join(' · ')}
          </span>
        </span>
      )}
      <button className={css['keys']} onClick={() => toggleOverlay('palette')}>
        <kbd>Ctrl K</kbd> go to
      </button>
      <button className={css['keys']} onClick={() => toggleOverlay('keys')}>
        <kbd>?</kbd> keys
      </button>
    </div>
  )
}
