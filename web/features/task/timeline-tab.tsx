import { Link } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import type { Task } from '../../../core/rest/client/client.ts'
import type { AttemptsState } from '../../api/task-details.ts'
import { Button } from '../../components/button.tsx'
import { TimeAgo } from '../../components/time-ago.tsx'
import { EmptyState } from '../../components/view-states.tsx'
import { showUnseen } from '../../model/hostile-text.ts'
import type { TimelineEntry, TimelineKind } from '../../model/timeline.ts'
import { TIMELINE_KINDS, timelineOf } from '../../model/timeline.ts'
import css from './task.module.css'

const LABELS: Readonly<Record<TimelineKind, string>> = {
  decision: 'Decisions',
  execution: 'Attempts',
  state: 'State',
}

/** What has happened, newest first, with who decided and why. */
export function TimelineTab({ task, state }: { readonly task: Task; readonly state: AttemptsState }) {
  const [kind, setKind] = useState<TimelineKind>()
  const entries = useMemo(
    () =>
      timelineOf(
        task,
        state.attempts.map(({ execution }) => execution),
      ),
    [task, state.attempts],
  )
  const shown = entries.filter((entry) => kind === undefined || entry.kind === kind)
  return (
    <div className={css['wide']}>
      <div className={css['filters']} role="group" aria-label="Show">
        <Button isSmall look="quiet" aria-pressed={kind === undefined} onClick={() => setKind(undefined)}>
          All
        </Button>
        {TIMELINE_KINDS.map((each) => (
          <Button key={each} isSmall look="quiet" aria-pressed={kind === each} onClick={() => setKind(each)}>
            {LABELS[each]}
          </Button>
        ))}
      </div>
      {shown.length === 0 && <EmptyState title="Nothing of this kind yet" />}
      <ol className={css['timeline']}>
        {shown.map((entry) => (
          <Entry key={entry.id} entry={entry} />
        ))}
      </ol>
    </div>
  )
}

function Entry({ entry: { at, by, text, comment, tone, executionId, kind } }: { readonly entry: TimelineEntry }) {
  const words = showUnseen(kind === 'decision' ? `${by ?? 'Somebody'} ${text}` : text)
  return (
    <li data-tone={tone}>
      <p>
        {executionId === undefined ? (
          words
        ) : (
          <Link to="/executions/$executionId" params={{ executionId }}>
            {words}
          </Link>
        )}
        <TimeAgo at={at} />
      </p>
      {comment !== undefined && <p className={css['quote']}>{showUnseen(comment)}</p>}
    </li>
  )
}
