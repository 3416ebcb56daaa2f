import type { ReactNode } from 'react'
import { useId } from 'react'
import type { Story, Task } from '../../../core/rest/client/client.ts'
import { useSession } from '../../api/session.ts'
import { Markdown } from '../../components/markdown.tsx'
import { Button } from '../../components/button.tsx'
import { ReviewNotes } from '../../components/review-notes.tsx'
import { EditSpec } from './edit-fields.tsx'
import { EditableSection } from './editable-section.tsx'
import { LatestEvents } from './latest-events.tsx'
import { StoryCriteria } from './story-criteria.tsx'
import { StoryGraph } from './story-graph.tsx'
import { StoryPlace } from './story-place.tsx'
import css from './story.module.css'

interface StoryOverviewProps {
  readonly story: Story
  /** Draws what needs the tasks, as soon as they are read. */
  readonly withTasks: (render: (tasks: readonly Task[]) => ReactNode) => ReactNode
  readonly onTimeline: () => void
}

/** The first tab: how the tasks hang together, the criteria, the specification; beside them the facts and what happened last. */
export function StoryOverview({ story, withTasks, onTimeline }: StoryOverviewProps) {
  const graphId = useId()
  return (
    <div className={css['two']}>
      <div className={css['main']}>
        <section aria-labelledby={graphId}>
          <h2 id={graphId} className={css['heading']}>
            Tasks and what they wait for
          </h2>
          {withTasks((tasks) => (
            <StoryGraph story={story} tasks={tasks} />
          ))}
        </section>
        <ReviewNotes of={story} />
        <StoryCriteria story={story} />
        <Spec story={story} />
      </div>
      <aside className={css['aside']} aria-label="About the story">
        <StoryPlace story={story} />
        <h2 className={css['heading']}>Latest</h2>
        {withTasks((tasks) => (
          <LatestEvents story={story} tasks={tasks} />
        ))}
        <Button isSmall look="quiet" onClick={onTimeline}>
          All of the timeline
        </Button>
      </aside>
    </div>
  )
}

function Spec({ story }: { readonly story: Story }) {
  const canEdit = useSession().may('decide')
  return (
    <EditableSection
      title="Specification"
      canEdit={canEdit}
      renderForm={(onEnd) => <EditSpec story={story} onEnd={onEnd} />}
    >
      {story.spec === undefined || story.spec.trim() === '' ? (
        <p className={css['none']}>Nothing is written here. What stands here is given to every task of the story.</p>
      ) : (
        <Markdown text={story.spec} />
      )}
    </EditableSection>
  )
}
