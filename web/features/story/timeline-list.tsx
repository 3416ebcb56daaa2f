import { Link } from '@tanstack/react-router'
import { SMALL_ICON, STATE_ICONS } from '../../components/icons.tsx'
import { OpenLink } from '../../components/open-link.tsx'
import { TimeAgo } from '../../components/time-ago.tsx'
import { showUnseen } from '../../model/hostile-text.ts'
import css from './story.module.css'
import type { TimelineEntry } from './timeline.ts'

/** Entries of the timeline. */
export function TimelineList({ entries }: { readonly entries: readonly TimelineEntry[] }) {
  return (
    <ol className={css['timeline']}>
      {entries.map((entry) => (
        <Entry key={entry.id} entry={entry} />
      ))}
    </ol>
  )
}

function Entry({ entry }: { readonly entry: TimelineEntry }) {
  const { at, tone, icon, title, detail, taskId, executionId, proposal } = entry
  const Icon = STATE_ICONS[icon]
  const words = showUnseen(title)
  return (
    <li>
      <span className={css['sign']} data-tone={tone}>
        <Icon size={SMALL_ICON} aria-hidden />
      </span>
      <div>
        <p>{taskId === undefined ? words : <OpenLink what={{ kind: 'task', id: taskId }}>{words}</OpenLink>}</p>
        {detail !== '' && <p className={css['said']}>{showUnseen(detail)}</p>}
        <p className={css['when']}>
          <TimeAgo at={at} />
          {executionId !== undefined && (
            <>
              {' · '}
              <Link to="/executions/$executionId" params={{ executionId }}>
                execution
              </Link>
            </>
          )}
          {proposal !== undefined && (
            <>
              {' · '}
              <Link to="/epics" search={{ propose: proposal.title, about: proposal.description }}>
                Make it an epic…
              </Link>
            </>
          )}
        </p>
      </div>
    </li>
  )
}
