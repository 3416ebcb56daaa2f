import { Link } from '@tanstack/react-router'
import type { Story } from '../../../core/rest/client/client.ts'
import { useStory, useStoryTasks } from '../../api/story-details.ts'
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

function Loaded({ story, isPage = false, tab, onTab }: PlaceProps & { readonly story: Story }) {
  const tasks = useStoryTasks(story.id)
  const parts = { story, tasks }
  return (
    <div className={css['story']} data-page={isPage || undefined}>
      <StoryHeader {...parts} isPage={isPage} />
      <Tabs
        label="Parts of the story"
        value={tab}
        onChange={onTab}
        tabs={[
          {
            id: 'overview',
            label: 'Overview',
            content: <StoryOverview {...parts} onTimeline={() => onTab('timeline')} />,
          },
          { id: 'tasks', label: 'Tasks', count: tasks.length, content: <StoryTasks {...parts} /> },
          { id: 'timeline', label: 'Timeline', content: <StoryTimeline {...parts} /> },
          { id: 'yaml', label: 'YAML', content: <StoryManifest id={story.id} /> },
        ]}
      />
    </div>
  )
}
