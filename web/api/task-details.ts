/** What the page of a task reads beside the list of tasks. */
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Execution, Task } from '../../core/rest/client/client.ts'
import type { Attempt } from '../model/attempts.ts'
import { attemptsOf } from '../model/attempts.ts'
import type { Manifest } from '../model/manifest.ts'
import { parseManifest } from '../model/manifest.ts'
import { api } from './client.ts'
import { readAsSeen } from './decisions.ts'
import { queryClient, useRecord, useRecords } from './queries.ts'

/** The most that one answer holds. */
const PAGE = 1_000

export interface TaskState {
  /** Undefined: it is still being read, could not be read, or does not exist. */
  readonly task: Task | undefined
  readonly isPending: boolean
  readonly error: Error | undefined
  readonly retry: () => void
}

/** One task, kept current. */
export function useTask(id: string): TaskState {
  const { data, isPending, error, refetch } = useRecord('tasks', id)
  const isUnread = data === undefined
  return {
    task: data ?? undefined,
    isPending,
    error: isUnread ? (error ?? undefined) : undefined,
    retry: () => void refetch(),
  }
}

const NO_EXECUTIONS: readonly Execution[] = []

export interface AttemptsState {
  /** Newest first. */
  readonly attempts: readonly Attempt[]
  readonly isPending: boolean
  readonly error: Error | undefined
  readonly retry: () => void
}

/** The attempts of a task; live messages about its executions have them read again. */
export function useAttempts({ id: taskId, decisions }: Pick<Task, 'id' | 'decisions'>): AttemptsState {
  const { data, isPending, error, refetch } = useQuery({
    queryKey: ['task-executions', taskId],
    queryFn: ({ signal }) => api.listTaskExecutions({ params: { id: taskId }, query: { limit: PAGE } }, { signal }),
  })
  const attempts = useMemo(() => attemptsOf(data ?? NO_EXECUTIONS, decisions), [data, decisions])
  return {
    attempts,
    isPending,
    error: data === undefined ? (error ?? undefined) : undefined,
    retry: () => void refetch(),
  }
}

export interface RelatedTasks {
  /** In the order of the task's own list; what was deleted is left out. */
  readonly dependsOn: readonly Task[]
  readonly subtasks: readonly Task[]
  readonly parent: Task | undefined
  /** Those that wait for this one. */
  readonly dependents: readonly Task[]
}

const NO_TASKS: readonly Task[] = []

/** The tasks that a task hangs together with. */
export function useRelatedTasks(task: Task): RelatedTasks {
  const { data = NO_TASKS } = useRecords('tasks')
  return useMemo(() => {
    const oldestFirst = data.toSorted((a, b) => Date.parse(a.created_at) - Date.parse(b.created_at))
    return {
      dependsOn: task.depends_on.flatMap((id) => data.find((other) => other.id === id) ?? []),
      subtasks: oldestFirst.filter(({ parent_task_id }) => parent_task_id === task.id),
      parent: data.find(({ id }) => id === task.parent_task_id),
      dependents: oldestFirst.filter(({ depends_on }) => depends_on.includes(task.id)),
    }
  }, [data, task])
}

export interface ManifestState {
  readonly manifest: Manifest | undefined
  readonly isReading: boolean
  readonly error: Error | undefined
  readonly readAgain: () => void
}

/** A pod tells of itself by no message. */
const POD_READ_MS = 10_000

/** The resource behind a task, with its Kubernetes events and its pod as they were when it was read. */
export function useTaskManifest(task: Task): ManifestState {
  const { data, isFetching, error, refetch } = useQuery({
    // Events come with changes of the task; those that come without one are read again by hand.
    queryKey: ['task-manifest', task.id, task.state, task.updated_at],
    queryFn: async ({ signal }) => parseManifest(await api.getTaskManifest({ params: { id: task.id } }, { signal })),
    staleTime: 0,
    refetchInterval: task.state === 'RUNNING' ? POD_READ_MS : false,
    placeholderData: (previous, query) => (query?.queryKey[1] === task.id ? previous : undefined),
  })
  return { manifest: data, isReading: isFetching, error: error ?? undefined, readAgain: () => void refetch() }
}

/** Deletes a task, with its executions, as the person saw it. @throws ChangedMeanwhile @throws ApiFailure */
export async function deleteTask(seen: Task): Promise<string> {
  const params = { id: seen.id }
  const ifMatch = await readAsSeen('tasks', seen, (options) => api.getTask({ params }, options))
  await api.deleteTask({ params, ifMatch })
  await queryClient.invalidateQueries({ queryKey: ['tasks'] })
  return 'deleted'
}
