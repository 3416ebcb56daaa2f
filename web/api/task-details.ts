/** What the page of a task reads beside the list of tasks. */
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useRef } from 'react'
import { ApiFailure } from '../../core/rest/client/call.ts'
import type { Execution, Input, Task } from '../../core/rest/client/client.ts'
import { type Attempt, attemptsOf } from '../model/attempts.ts'
import { type Reading, toReading } from '../model/reading.ts'
import { api } from './client.ts'
import { writeAsSeen } from './decisions.ts'
import { executionsOf } from './executions.ts'
import { queryClient, readRecord, readWritten, useRecord, useRecords } from './queries.ts'

export interface TaskState extends Omit<Reading<Task>, 'data'> {
  /** Undefined: it is still being read, could not be read, or does not exist. */
  readonly task: Task | undefined
  readonly isPending: boolean
}

/** One task, kept current; one that the list does not hold is looked for in the archive. */
export function useTask(id: string): TaskState {
  const listed = useRecord('tasks', id)
  const isUnlisted = listed.data === null
  const unlisted = useQuery({
    queryKey: ['unlisted-task', id],
    queryFn: ({ signal }) => readIfThere(id, signal),
    enabled: isUnlisted,
  })
  const query = isUnlisted ? unlisted : listed
  const { data, ...reading } = toReading(query)
  return { task: data ?? undefined, isPending: query.isPending, ...reading }
}

/** @throws ApiFailure but for a task that does not exist, which is null */
async function readIfThere(id: string, signal: AbortSignal): Promise<Task | null> {
  try {
    return await api.getTask({ params: { id } }, { signal })
  } catch (error) {
    if (error instanceof ApiFailure && error.status === 404) return null
    throw error
  }
}

/** Brings an archived task back; it is a record of the list once the operator has done so. @throws ApiFailure */
export async function restoreTask({ id }: Task): Promise<string> {
  const { message } = await api.restoreTask({ params: { id } })
  await readWritten('tasks', id)
  return message
}

/** Ends the hold of a task that somebody has checked out. */
export async function releaseTask({ id }: Task): Promise<string> {
  const { message } = await api.releaseTask({ params: { id } })
  await readWritten('tasks', id)
  return message
}

const NO_EXECUTIONS: readonly Execution[] = []

export interface AttemptsState {
  /** Newest first. */
  readonly attempts: readonly Attempt[]
  readonly isPending: boolean
  /** They could not be read as they are now; what was read before is kept. */
  readonly error: Error | undefined
  readonly retry: () => void
}

/** The attempts of a task, read again with each step of the task and each live message about its executions. */
export function useAttempts({ id: taskId, decisions, state, execution_id }: Task): AttemptsState {
  const { data, isPending, error, refetch } = useQuery(executionsOf(taskId))
  const step = `${state} ${execution_id ?? ''}`
  const lastStep = useRef(step)
  useEffect(() => {
    if (lastStep.current === step) return
    lastStep.current = step
    void refetch()
  }, [step, refetch])
  const attempts = useMemo(() => attemptsOf(data ?? NO_EXECUTIONS, decisions), [data, decisions])
  return { attempts, isPending, error: error ?? undefined, retry: () => void refetch() }
}

export interface RelatedTasks {
  /** In the order of the task's own list; what was deleted is left out. */
  readonly dependsOn: readonly Task[]
  readonly subtasks: readonly Task[]
  readonly parent: Task | undefined
  /** The accepted task that it goes on from. */
  readonly continues: Task | undefined
  /** Those that go on from this one. */
  readonly continuedBy: readonly Task[]
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
      continues: data.find(({ id }) => id === task.continues),
      continuedBy: oldestFirst.filter(({ continues }) => continues === task.id),
      dependents: oldestFirst.filter(({ depends_on }) => depends_on.includes(task.id)),
    }
  }, [data, task])
}

/** A task as the server has it now, and the entity tag by which an edit says what it is about. */
export interface ReadTask {
  readonly task: Task
  readonly etag: string | undefined
}

/** @throws ApiFailure */
export async function readTask(id: string): Promise<ReadTask> {
  let etag: string | undefined
  const onHeaders = (headers: Headers): void => void (etag = headers.get('ETag') ?? undefined)
  const task = await readRecord('tasks', id, { onHeaders })
  return { task, etag }
}

/** Changes fields of a task, unless it is another one than was read by now. @throws ApiFailure */
export async function updateTask({ task: { id }, etag }: ReadTask, body: Input<'updateTask'>['body']): Promise<Task> {
  const written = await api.updateTask({ params: { id }, ifMatch: etag, body })
  return (await readWritten('tasks', id)) ?? written
}

/** Deletes a task, with its executions, as the person saw it. @throws ChangedMeanwhile @throws ApiFailure */
export async function deleteTask(seen: Task): Promise<string> {
  const params = { id: seen.id }
  await writeAsSeen('tasks', seen, (ifMatch) => api.deleteTask({ params, ifMatch }))
  await queryClient.invalidateQueries({ queryKey: ['tasks'] })
  return 'deleted'
}
