import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { SMALL_ICON, STATE_ICONS } from './icons.tsx'
import { OpenLink } from './open-link.tsx'
import { TimeAgo } from './time-ago.tsx'
import { showUnseen } from '../model/hostile-text.ts'
import type { TimelineEntry } from '../model/timeline.ts'
import { Button } from './button.tsx'
import css from './timeline.module.css'
import { EmptyState } from './view-states.tsx'

interface TimelineProps<K extends string> {
  readonly entries: readonly TimelineEntry<K>[]
  /** The kinds by which it is filtered, each with its word. */
  readonly kinds: Readonly<Record<K, string>>
  /** So many of them are drawn at most. */
  readonly most?: number
}

/** What happened, newest first, filtered by kind. */
export function Timeline<K extends string>({ entries, kinds, most }: TimelineProps<K>) {
  const [kind, setKind] = useState<string>()
  const shown = entries.filter((entry) => kind === undefined || entry.kind === kind)
  return (
    <>
      <div className={css['kinds']} role="group" aria-label="What is shown">
        <Button isSmall look="quiet" aria-pressed={kind === undefined} onClick={() => setKind(undefined)}>
          All {entries.length}
        </Button>
        {Object.entries<string>(kinds).map(([each, label]) => (
          <Button key={each} isSmall look="quiet" aria-pressed={kind === each} onClick={() => setKind(each)}>
            {label} {entries.filter((entry) => entry.kind === each).length}
          </Button>
        ))}
      </div>
      {shown.length === 0 && <EmptyState title="Nothing of this kind yet" />}
      <TimelineList entries={shown.slice(0, most)} />
    </>
  )
}

interface TimelineListProps {
  readonly entries: readonly TimelineEntry<string>[]
  /** Long texts are cut after a few lines. */
  readonly isBrief?: boolean
}

/** Entries of a timeline. */
export function TimelineList({ entries, isBrief }: TimelineListProps) {
  return (
    <ol className={css['timeline']} data-brief={isBrief}>
      {entries.map((entry) => (
        <Entry key={entry.id} entry={entry} />
      ))}
    </ol>
  )
}

function Entry({ entry }: { readonly entry: TimelineEntry<string> }) {
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
