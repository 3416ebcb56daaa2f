/** What the page of a story reads beside the lists, and what people change of a story. */
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Answer, Execution, Input, Story, StoryEvent, StoryGraph, Task } from '../../core/rest/client/client.ts'
import type { StoryStatus } from '../../core/crd/types.ts'
import { type ReadQuery, type Reading, toReading } from '../model/reading.ts'
import { compareTexts } from '../../core/text.ts'
import { api } from './client.ts'
import { newId } from './new-id.ts'
import { queryClient, readWritten, useRecords } from './queries.ts'
import { writeStory } from './stories.ts'

/** The most that one answer holds. */
const PAGE = 1_000

export interface StoryState extends Omit<Reading<Story>, 'data'> {
  /** Undefined: it is still being read, could not be read, or does not exist. */
  readonly story: Story | undefined
  readonly isPending: boolean
}

/** One story, kept current. */
export function useStory(id: string): StoryState {
  const list = useRecords('stories')
  const { data, ...reading } = toReading(list)
  const story = useMemo(() => data?.find((candidate) => candidate.id === id), [data, id])
  return { story, isPending: list.isPending, ...reading }
}

/** The tasks of a story, oldest first. */
export function useStoryTasks(id: string): Reading<readonly Task[]> {
  const list = useRecords('tasks')
  const tasks = useMemo(
    () =>
      list.data
        ?.filter(({ story_id }) => story_id === id)
        .sort((a, b) => compareTexts(a.created_at + a.id, b.created_at + b.id)),
    [list.data, id],
  )
  return { ...toReading(list), data: tasks }
}

/** How the story's tasks hang together; read again when that has changed. */
export function useStoryGraph(story: Story, tasks: readonly Task[]): Reading<StoryGraph> {
  const shape = useMemo(
    () =>
      JSON.stringify(tasks.map(({ id, name, depends_on, parent_task_id }) => [id, name, depends_on, parent_task_id])),
    [tasks],
  )
  return toReading(
    useQuery({
      queryKey: ['story-graph', story.id, shape, story.status, story.validation?.type],
      queryFn: ({ signal }) => api.getStoryGraph({ params: { id: story.id } }, { signal }),
      placeholderData: keepPreviousData,
    }),
  )
}

/** The story's events, newest first; a live message of a new one has them read again. */
export function useStoryEvents(id: string): Reading<readonly StoryEvent[]> {
  return toReading(
    useQuery({
      queryKey: ['story-events', id],
      queryFn: ({ signal }) => api.listStoryEvents({ params: { id }, query: { limit: PAGE } }, { signal }),
    }),
  )
}

export interface ExecutionsOfTasks {
  readonly executions: readonly Execution[]
  /** For how many tasks, from the first on, all of them have been read. */
  readonly tasksRead: number
  readonly error: Error | undefined
  readonly retry: () => void
}

/** The executions of these tasks; those of a task are read again when it has come further. */
export function useExecutionsOf(tasks: readonly Task[]): ExecutionsOfTasks {
  return useQueries({
    queries: tasks.map(({ id, state, attempts, execution_id }) => ({
      queryKey: ['task-executions-at', id, state, attempts, execution_id],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        api.listExecutions({ query: { task_id: id, limit: PAGE } }, { signal }),
      placeholderData: keepPreviousData,
    })),
    combine: combineLists,
  })
}

function combineLists(lists: readonly ReadQuery<readonly Execution[]>[]): ExecutionsOfTasks {
  const failed = lists.filter(({ data, error }) => data === undefined && error !== null)
  const firstUnread = lists.findIndex(({ data }) => data === undefined)
  const read = firstUnread === -1 ? lists : lists.slice(0, firstUnread)
  return {
    executions: read.flatMap(({ data = [] }) => data),
    tasksRead: read.length,
    error: failed[0]?.error ?? undefined,
    retry: () => {
      for (const { refetch } of failed) refetch()
    },
  }
}

type Deployment = Awaited<Answer<'getStoryDeploymentStatus'>>

/** Whether the running build contains the story's work. */
export function useStoryDeployment(story: Story): Reading<Deployment> {
  return toReading(
    useQuery({
      queryKey: ['story-deployment', story.id, story.tasks.done, story.status],
      queryFn: ({ signal }) => api.getStoryDeploymentStatus({ params: { id: story.id } }, { signal }),
      placeholderData: keepPreviousData,
    }),
  )
}

/** Moves a story to another status. @throws ChangedMeanwhile @throws ApiFailure */
export async function moveStory(seen: Story, status: StoryStatus): Promise<string> {
  await writeStory(seen, ['status'], (target) => api.moveStory({ ...target, body: { status } }))
  await readWritten('stories', seen.id)
  return `moved to ${status}`
}

/** Deletes a story; its tasks stay. @throws ChangedMeanwhile @throws ApiFailure */
export async function deleteStory(seen: Story): Promise<string> {
  await writeStory(seen, ['name', 'status'], (target) => api.deleteStory(target))
  await queryClient.invalidateQueries({ queryKey: ['stories'] })
  return 'deleted'
}

/** Adds a task at the end of the story's chain. @throws ApiFailure */
export async function addStoryTask(id: string, body: Input<'createStoryTask'>['body']): Promise<Task> {
  const task = await api.createStoryTask({ params: { id }, body: { id: newId('task', body.name), ...body } })
  await readWritten('tasks', task.id)
  await readWritten('stories', id)
  return task
}

/** Records a person's own verdict on a criterion. @throws ApiFailure */
export async function recordVerdict(id: string, criterion: string, verdict: 'pass' | 'fail'): Promise<string> {
  await api.createStoryEvent({ params: { id }, body: { kind: 'eval_verdict', payload: { criterion, verdict } } })
  await readWritten('stories', id)
  return verdict === 'pass' ? 'recorded that it holds' : 'recorded that it does not hold'
}
