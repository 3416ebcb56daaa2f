import { type ReactNode, useId, useMemo } from 'react'
import type { Story, Task, StoryGraph as Graph } from '../../../core/rest/client/client.ts'
import { useServerTime } from '../../api/server-clock.ts'
import { useSession } from '../../api/session.ts'
import { useStoryGraph } from '../../api/story-details.ts'
import { Button } from '../../components/button.tsx'
import { Graph as TaskGraph } from '../../components/graph/graph.tsx'
import { Markdown } from '../../components/markdown.tsx'
import { ReadPart } from '../../components/read-part.tsx'
import { ReviewNotes } from '../../components/review-notes.tsx'
import { TimelineList } from '../../components/timeline.tsx'
import { usePanel } from '../../components/use-panel.ts'
import { EditSpec } from './edit-fields.tsx'
import { EditableSection } from './editable-section.tsx'
import { graphItems } from './graph-items.ts'
import { StoryCriteria } from './story-criteria.tsx'
import { StoryPlace } from './story-place.tsx'
import css from './story.module.css'
import { useTimeline } from './use-timeline.ts'

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
          <LatestEvents story={story} tasks={tasks} onTimeline={onTimeline} />
        ))}
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

const SHOWN = 6
const TASKS_READ = 12

interface LatestEventsProps extends Pick<StoryOverviewProps, 'story' | 'onTimeline'> {
  readonly tasks: readonly Task[]
}

/** What happened last. */
function LatestEvents({ story, tasks, onTimeline }: LatestEventsProps) {
  return (
    <ReadPart what="The list of events" reading={useTimeline(story, tasks, TASKS_READ)} rows={SHOWN}>
      {({ entries }) => (
        <>
          <TimelineList isBrief entries={entries.slice(0, SHOWN)} />
          <Button isSmall look="quiet" onClick={onTimeline}>
            All of the timeline
          </Button>
        </>
      )}
    </ReadPart>
  )
}

/** The story's tasks as a graph; a click opens one in the panel. */
function StoryGraph({ story, tasks }: { readonly story: Story; readonly tasks: readonly Task[] }) {
  const graph = useStoryGraph(story, tasks)
  if (tasks.length === 0)
    return <p className={css['none']}>The story has no tasks. Each task that is added waits for the one before it.</p>
  return (
    <ReadPart what="What the tasks wait for" reading={graph} rows={3}>
      {(read) => <Drawn graph={read} tasks={tasks} />}
    </ReadPart>
  )
}

function Drawn({ graph, tasks }: { readonly graph: Graph; readonly tasks: readonly Task[] }) {
  const nowMs = useServerTime()
  const { open } = usePanel()
  const items = useMemo(() => graphItems(graph, tasks, nowMs), [graph, tasks, nowMs])
  return (
    <TaskGraph
      items={items}
      links={graph.edges}
      label={`Graph of ${tasks.length} tasks: arrow keys move along what waits for what, Enter opens`}
      onOpen={(id) => open({ kind: 'task', id })}
    />
  )
}
