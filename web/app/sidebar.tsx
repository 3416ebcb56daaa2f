import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useConnection } from '../api/connection.ts'
import { versionOptions } from '../api/queries.ts'
import { useSession } from '../api/session.ts'
import { ICON, VIEW_ICONS } from '../components/icons.tsx'
import css from './shell.module.css'
import { toggleOverlay } from './use-shortcuts.ts'
import { versionColor } from '../model/version-color.ts'
import { VIEWS } from './views.ts'

const PHASE_WORDS = { starting: 'Connecting…', live: 'Live', away: 'Not connected' } as const

/** The views, how many things wait for a person, and what this page is connected to. */
export function Sidebar({ waiting }: { readonly waiting: number }) {
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
      <nav aria-label="Views" className={css['views']}>
        {VIEWS.map(({ id, path, label, part }, index) => {
          const Icon = VIEW_ICONS[id]
          const beginsPart = index > 0 && VIEWS[index - 1]?.part !== part
          return (
            <div key={id}>
              {beginsPart && <hr className={css['part']} />}
              <Link to={path} className={css['nav']} activeOptions={{ exact: path === '/' }}>
                <Icon size={ICON} aria-hidden />
                {label}
                {id === 'inbox' && waiting > 0 && <span className={css['number']}>{waiting}</span>}
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
  const { phase } = useConnection()
  const { data: version } = useQuery(versionOptions)
  const commit = version?.commit ?? ''
  return (
    <div className={css['foot']}>
      <span role="status">
        <b className={css['dot']} data-phase={phase} />
        {PHASE_WORDS[phase]}
      </span>
      {version !== undefined && (
        <span title={commit === '' ? 'The build does not know its commit' : `${commit}, built ${version.built_at}`}>
          <b className={css['chip']} style={{ background: versionColor(commit) }} />
          <span className={css['version']}>
            {[version.version, commit.slice(0, 7)].filter((part) => part !== '').join(' · ')}
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
