import { Link, getRouteApi } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { Story, Task } from '../../../core/rest/client/client.ts'
import { useResource } from '../../api/kubernetes.ts'
import { useStory, useStoryTasks } from '../../api/story-details.ts'
import { useUnsavedNow } from '../../api/unsaved.ts'
import { Button } from '../../components/button.tsx'
import { CodeBlock } from '../../components/code-block.tsx'
import { KubernetesFacts } from '../../components/kubernetes-facts.tsx'
import { ReadPart, ReadAgainPart } from '../../components/read-part.tsx'
import { Tabs } from '../../components/tabs.tsx'
import { Timeline } from '../../components/timeline.tsx'
import { usePanelTab } from '../../components/use-panel.ts'
import { EmptyState, ErrorState, Skeleton } from '../../components/view-states.tsx'
import { type StoryTab, STORY_TABS } from './search.ts'
import { StoryDiff } from './story-diff.tsx'
import { StoryHeader } from './story-header.tsx'
import { StoryOverview } from './story-overview.tsx'
import { StoryTasks } from './story-tasks.tsx'
import css from './story.module.css'
import { TIMELINE_KINDS } from './timeline.ts'
import { useTimeline } from './use-timeline.ts'

interface PlaceProps {
  /** Whether it is the page; else it stands beside another view. */
  readonly isPage?: boolean
  readonly tab: StoryTab
  readonly onTab: (tab: StoryTab) => void
}

/** All about one story: the body of its page and of the side panel. */
export function StoryView({ storyId, ...place }: PlaceProps & { readonly storyId: string }) {
  const { story, isPending, error, retry } = useStory(storyId)
  if (story !== undefined) return <Loaded story={story} {...place} />
  return (
    <>
      {place.isPage === true && <h1 className="unseen">Story {storyId}</h1>}
      {error !== undefined ? (
        <ErrorState title="The story could not be read" error={error} onRetry={retry} />
      ) : isPending ? (
        <Skeleton rows={6} label="The story is being read" />
      ) : (
        <EmptyState title="There is no such story" action={<Link to="/stories">To the stories</Link>}>
          No story has the id <code>{storyId}</code>: it has been deleted, or the address is wrong.
        </EmptyState>
      )}
    </>
  )
}

const NO_TASKS: readonly Task[] = []

function Loaded({ story, isPage = false, tab, onTab }: PlaceProps & { readonly story: Story }) {
  const tasks = useStoryTasks(story.id)
  const isEdited = useUnsavedNow().length > 0
  const withTasks = (render: (tasks: readonly Task[]) => ReactNode): ReactNode => (
    <ReadPart what="The list of tasks" reading={tasks} rows={3}>
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
          { id: 'diff', label: 'Diff', content: <StoryDiff story={story} /> },
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

/** The resource as it is stored, the command that shows the same, and its events. */
function StoryManifest({ story }: { readonly story: Story }) {
  const resource = useResource({ kind: 'story', id: story.id, version: story })
  return (
    <div className={css['main']}>
      <ReadAgainPart what="The YAML" reading={resource} rows={3}>
        {({ manifest, kubernetes }) => (
          <>
            <CodeBlock label="Command" text={`kubectl get story ${story.id} -n ${kubernetes.namespace} -o yaml`} />
            <CodeBlock label="YAML of the story" text={manifest} />
            <KubernetesFacts kubernetes={kubernetes} noun="story" hasPod={false} />
          </>
        )}
      </ReadAgainPart>
    </div>
  )
}

/** So many tasks, and so many entries, at a time. */
const PAGE = { tasks: 50, entries: 200 }

/** All that happened with the story. */
function StoryTimeline({ story, tasks }: { readonly story: Story; readonly tasks: readonly Task[] }) {
  const [pages, setPages] = useState(1)
  const most = pages * PAGE.entries
  return (
    <ReadPart what="The timeline" reading={useTimeline(story, tasks, pages * PAGE.tasks)} rows={8}>
      {({ entries, isCut }) => (
        <div className={css['main']}>
          <Timeline entries={entries} kinds={TIMELINE_KINDS} most={most} />
          {(isCut || entries.length > most) && (
            <p>
              <Button isSmall onClick={() => setPages(pages + 1)}>
                Show what was earlier
              </Button>
            </p>
          )}
        </div>
      )}
    </ReadPart>
  )
}

const route = getRouteApi('/stories/$storyId')

/** The view at /stories/:id. */
export function StoryPage() {
  const { storyId } = route.useParams()
  const { tab = 'overview' } = route.useSearch()
  const navigate = route.useNavigate()
  return (
    <StoryView
      key={storyId}
      storyId={storyId}
      isPage
      tab={tab}
      onTab={(next) =>
        void navigate({
          search: ({ tab: _tab, ...rest }) => (next === 'overview' ? rest : { ...rest, tab: next }),
          replace: true,
          resetScroll: false,
        })
      }
    />
  )
}

/** A story in the side panel. */
export function StoryPanel({ storyId }: { readonly storyId: string }) {
  const [tab = 'overview', setTab] = usePanelTab(STORY_TABS)
  return <StoryView storyId={storyId} tab={tab} onTab={setTab} />
}
