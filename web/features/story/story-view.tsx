import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Story, Task } from '../../../core/rest/client/client.ts'
import { useStory, useStoryTasks } from '../../api/story-details.ts'
import { useUnsavedNow } from '../../api/unsaved.ts'
import { ReadPart } from '../../components/read-part.tsx'
import { Tabs } from '../../components/tabs.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../components/view-states.tsx'
import { StoryHeader } from './story-header.tsx'
import { StoryManifest } from './story-manifest.tsx'
import { StoryOverview } from './story-overview.tsx'
import { StoryTasks } from './story-tasks.tsx'
import { StoryTimeline } from './story-timeline.tsx'
import css from './story.module.css'
import type { StoryTab } from './search.ts'

interface PlaceProps {
  /** Whether it is the page; else it stands beside another view. */
  readonly isPage?: boolean
  readonly tab: StoryTab
  readonly onTab: (tab: StoryTab) => void
}

/** All about one story: the body of its page and of the side panel. */
export function StoryView({ storyId, ...place }: PlaceProps & { readonly storyId: string }) {
  const { story, isPending, error, retry } = useStory(storyId)
  if (error !== undefined) return <ErrorState title="The story could not be read" error={error} onRetry={retry} />
  if (isPending) return <Skeleton rows={6} label="The story is being read" />
  if (story === undefined)
    return (
      <EmptyState title="There is no such story" action={<Link to="/stories">To the stories</Link>}>
        No story has the id <code>{storyId}</code>: it has been deleted, or the address is wrong.
      </EmptyState>
    )
  return <Loaded story={story} {...place} />
}

const NO_TASKS: readonly Task[] = []

function Loaded({ story, isPage = false, tab, onTab }: PlaceProps & { readonly story: Story }) {
  const tasks = useStoryTasks(story.id)
  const isEdited = useUnsavedNow().length > 0
  const withTasks = (render: (tasks: readonly Task[]) => ReactNode): ReactNode => (
    <ReadPart what="The tasks of the story" reading={tasks} rows={4}>
      {render}
    </ReadPart>
  )
  const list = withTasks((read) => <StoryTasks tasks={read} />)
  const timeline = withTasks((read) => <StoryTimeline story={story} tasks={read} />)
  return (
    <div className={css['story']} data-page={isPage || undefined}>
      <StoryHeader story={story} tasks={tasks.data ?? NO_TASKS} isPage={isPage} />
      <Tabs
        label="Parts of the story"
        value={tab}
        onChange={onTab}
        tabs={[
          {
            id: 'overview',
            label: 'Overview',
            content: <StoryOverview story={story} withTasks={withTasks} onTimeline={() => onTab('timeline')} />,
            isKept: isEdited,
          },
          {
            id: 'tasks',
            label: 'Tasks',
            count: tasks.data?.length,
            content: list,
          },
          {
            id: 'timeline',
            label: 'Timeline',
            content: timeline,
          },
          { id: 'yaml', label: 'YAML', content: <StoryManifest story={story} /> },
        ]}
      />
    </div>
  )
}
