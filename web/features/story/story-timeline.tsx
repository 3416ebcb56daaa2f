import { useState } from 'react'
import type { Story, Task } from '../../../core/rest/client/client.ts'
import { Button } from '../../components/button.tsx'
import { EmptyState } from '../../components/view-states.tsx'
import css from './story.module.css'
import { TimelineList } from './timeline-list.tsx'
import type { TimelineKind } from './timeline.ts'
import { TIMELINE_KINDS } from './timeline.ts'
import { useTimeline } from './use-timeline.ts'

const KINDS: readonly (readonly [TimelineKind, string])[] = [
  ['decision', TIMELINE_KINDS.decision],
  ['execution', TIMELINE_KINDS.execution],
  ['evaluation', TIMELINE_KINDS.evaluation],
  ['note', TIMELINE_KINDS.note],
]

/** All that happened with the story, filtered by kind. */
export function StoryTimeline({ story, tasks }: { readonly story: Story; readonly tasks: readonly Task[] }) {
  const entries = useTimeline(story, tasks)
  const [hidden, setHidden] = useState<readonly TimelineKind[]>([])
  const shown = entries.filter(({ kind }) => !hidden.includes(kind))
  const toggle = (kind: TimelineKind): void =>
    setHidden(hidden.includes(kind) ? hidden.filter((other) => other !== kind) : [...hidden, kind])
  return (
    <div className={css['main']}>
      <p className={css['kinds']} role="group" aria-label="What is shown">
        {KINDS.map(([kind, label]) => (
          <Button key={kind} isSmall aria-pressed={!hidden.includes(kind)} onClick={() => toggle(kind)}>
            {label} {entries.filter((entry) => entry.kind === kind).length}
          </Button>
        ))}
      </p>
      {shown.length === 0 ? (
        <EmptyState title="Nothing of these kinds has happened" />
      ) : (
        <TimelineList entries={shown} />
      )}
    </div>
  )
}
