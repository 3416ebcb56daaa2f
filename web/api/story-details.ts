/** What the page of a story reads beside the lists, and what people change of a story. */
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Answer, Execution, Input, Story, StoryEvent, StoryGraph, Task } from '../../core/rest/client/client.ts'
import type { StoryStatus } from '../../core/crd/types.ts'
import { api } from './client.ts'
import { readAsSeen } from './decisions.ts'
import { queryClient, store, useRecords } from './queries.ts'

const NO_TASKS: readonly Task[] = []
/** The most that one answer holds. */
const PAGE = 1_000

export interface StoryState {
  /** Undefined: it is still being read, could not be read, or does not exist. */
  readonly story: Story | undefined
  readonly isPending: boolean
  readonly error: Error | undefined
  readonly retry: () => void
}

/** One story, kept current. */
export function useStory(id: string): StoryState {
  const { data, isPending, error, refetch } = useRecords('stories')
  const story = useMemo(() => data?.find((candidate) => candidate.id === id), [data, id])
  return { story, isPending, error: data === undefined ? (error ?? undefined) : undefined, retry: () => void refetch() }
}

/** The tasks of a story, oldest first. */
export function useStoryTasks(id: string): readonly Task[] {
  const { data = NO_TASKS } = useRecords('tasks')
  return useMemo(
    () =>
      data
        .filter(({ story_id }) => story_id === id)
        .sort((a, b) => compareTexts(a.created_at + a.id, b.created_at + b.id)),
    [data, id],
  )
}

function compareTexts(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1
}

const NO_GRAPH: StoryGraph = { nodes: [], edges: [] }

/** How the story's tasks hang together; read again when that has changed. */
export function useStoryGraph(story: Story, tasks: readonly Task[]): StoryGraph {
  const shape = tasks.map(({ id, name, depends_on, parent_task_id }) => [id, name, depends_on, parent_task_id])
  const { data = NO_GRAPH } = useQuery({
    queryKey: ['story-graph', story.id, JSON.stringify([shape, story.status, story.validation?.type])],
    queryFn: ({ signal }) => api.getStoryGraph({ params: { id: story.id } }, { signal }),
    placeholderData: keepPreviousData,
  })
  return data
}

const NO_EVENTS: readonly StoryEvent[] = []

/** The story's events, newest first; a live message of a new one has them read again. */
export function useStoryEvents(id: string): readonly StoryEvent[] {
  const { data = NO_EVENTS } = useQuery({
    queryKey: ['story-events', id],
    queryFn: ({ signal }) => api.listStoryEvents({ params: { id }, query: { limit: PAGE } }, { signal }),
  })
  return data
}

/** All executions of the story's tasks; those of a task are read again when it has come further. */
export function useStoryExecutions(tasks: readonly Task[]): readonly Execution[] {
  return useQueries({
    queries: tasks
      .filter(({ attempts, execution_id }) => attempts > 0 || execution_id !== undefined)
      .map(({ id, state, attempts, execution_id }) => ({
        queryKey: ['task-executions-at', id, state, attempts, execution_id],
        queryFn: ({ signal }: { signal: AbortSignal }) =>
          api.listExecutions({ query: { task_id: id, limit: PAGE } }, { signal }),
        placeholderData: keepPreviousData,
      })),
    combine: combineLists,
  })
}

function combineLists(lists: readonly { readonly data: readonly Execution[] | undefined }[]): readonly Execution[] {
  return lists.flatMap(({ data }) => data ?? [])
}

export type Deployment = Awaited<Answer<'getStoryDeploymentStatus'>>

/** Whether the running build contains the story's work; undefined until that is known. */
export function useStoryDeployment(story: Story): Deployment | undefined {
  const { data } = useQuery({
    queryKey: ['story-deployment', story.id, story.tasks.done, story.status],
    queryFn: ({ signal }) => api.getStoryDeploymentStatus({ params: { id: story.id } }, { signal }),
    placeholderData: keepPreviousData,
  })
  return data
}

/** Fields of a story that people change on its page. */
export type StoryPatch = Pick<
  Input<'updateStory'>['body'],
  'name' | 'spec' | 'acceptance_criteria' | 'epic_id' | 'priority'
>

const PATCHED = ['name', 'spec', 'acceptance_criteria', 'epic_id', 'priority'] as const

/**
 * Changes fields of a story as the person saw them, and nothing else of it.
 *
 * @throws ChangedMeanwhile if somebody else has changed one of them
 * @throws ApiFailure the server's refusal
 */
export async function editStory(seen: Story, patch: StoryPatch): Promise<string> {
  const fields = PATCHED.filter((field) => patch[field] !== undefined)
  const target = await storyAsSeen(seen, fields)
  try {
    await api.updateStory({ ...target, body: patch })
  } finally {
    // After a refusal too: somebody was faster, and the page shows what they wrote.
    await rereadStory(seen.id)
  }
  return 'saved'
}

/** Moves a story to another status. @throws ChangedMeanwhile @throws ApiFailure */
export async function moveStory(seen: Story, status: StoryStatus): Promise<string> {
  await api.moveStory({ ...(await storyAsSeen(seen, ['status'])), body: { status } })
  await rereadStory(seen.id)
  return `moved to ${status}`
}

/** Queues the tasks of a story that wait for being run; gives the server's words. @throws ApiFailure */
export async function runStory(seen: Story): Promise<string> {
  const { message } = await api.runStory(await storyAsSeen(seen, ['status']))
  await rereadStory(seen.id)
  return message
}

/** Deletes a story; its tasks stay. @throws ChangedMeanwhile @throws ApiFailure */
export async function deleteStory(seen: Story): Promise<string> {
  await api.deleteStory(await storyAsSeen(seen, ['name', 'status']))
  await queryClient.invalidateQueries({ queryKey: ['stories'] })
  return 'deleted'
}

/** Adds a task at the end of the story's chain. @throws ApiFailure */
export async function addStoryTask(id: string, body: Input<'createStoryTask'>['body']): Promise<Task> {
  const task = await api.createStoryTask({ params: { id }, body })
  await store.readOne('tasks', () => api.getTask({ params: { id: task.id } }))
  await rereadStory(id)
  return task
}

/** Records a person's own verdict on a criterion. @throws ApiFailure */
export async function recordVerdict(id: string, criterion: string, verdict: 'pass' | 'fail'): Promise<string> {
  await api.createStoryEvent({ params: { id }, body: { kind: 'eval_verdict', payload: { criterion, verdict } } })
  await rereadStory(id)
  return verdict === 'pass' ? 'recorded that it holds' : 'recorded that it does not hold'
}

/** The story as the control plane stores it, as YAML. */
export function useStoryManifest(id: string): { readonly data: string | undefined; readonly error: Error | null } {
  return useQuery({
    queryKey: ['story-manifest', id],
    queryFn: ({ signal }) => api.getStoryManifest({ params: { id } }, { signal }),
    staleTime: 0,
  })
}

/** The story as the target of a decision about these fields of it. */
async function storyAsSeen(seen: Story, fields: readonly (keyof Story)[]) {
  const params = { id: seen.id }
  return { params, ifMatch: await readAsSeen('stories', seen, (options) => api.getStory({ params }, options), fields) }
}

async function rereadStory(id: string): Promise<void> {
  await store.readOne('stories', () => api.getStory({ params: { id } }))
}
