/** What setting an installation up asks of the server: projects, agents, first tasks, and whether they will work. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Agent, Answer, Input, Project, Task } from '../../core/rest/client/client.ts'
import { ApiFailure } from '../../core/rest/client/call.ts'
import type { FieldErrors } from '../model/field-errors.ts'
import { errorsOfMessage, NO_ERRORS } from '../model/field-errors.ts'
import { api } from './client.ts'
import { queryClient, store } from './queries.ts'

export type RepositoryTrial = Awaited<Answer<'tryRepository'>>
export type Programs = Awaited<Answer<'listPrograms'>>
export type Program = Programs['programs'][number]
export type ProjectCreate = Input<'createProject'>['body']
export type ProjectEdit = Input<'updateProject'>['body']
export type AgentCreate = Input<'createAgent'>['body']
export type AgentEdit = Input<'updateAgent'>['body']
export type TaskCreate = Input<'createTask'>['body']

export interface Trial {
  readonly isPending: boolean
  readonly result: RepositoryTrial | undefined
  /** The server's refusal of the URL as such. */
  readonly refusal: string | undefined
  readonly again: () => void
}

/** Tries a repository; an empty URL is not tried. What was found a minute ago is not asked for again. */
export function useRepositoryTrial(remoteUrl: string, secretName: string): Trial {
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['repository-trial', remoteUrl, secretName],
    queryFn: ({ signal }) =>
      api.tryRepository(
        { body: { remote_url: remoteUrl, ...(secretName === '' ? {} : { git: { secret_name: secretName } }) } },
        { signal },
      ),
    enabled: remoteUrl !== '',
    staleTime: 60_000,
    retry: false,
  })
  return {
    isPending: isFetching,
    result: isFetching ? undefined : data,
    refusal: isFetching ? undefined : error?.message.replace(/^remote_url: /, ''),
    again: () => void refetch(),
  }
}

/** Which programs and logins of agents were found; asked anew while somebody looks, because people install them then. */
export function usePrograms() {
  return useQuery({
    queryKey: ['programs'],
    queryFn: ({ signal }) => api.listPrograms({}, { signal }),
    refetchInterval: 20_000,
    staleTime: 10_000,
  })
}

const HISTORY_EVERY_MS = 30_000

/** What agents did in the last 24 hours: their events, and the executions in which they were at work. */
export function useAgentHistory() {
  return useQuery({
    queryKey: ['agent-history'],
    queryFn: async ({ signal }) => {
      const [{ events }, executions] = await Promise.all([
        api.getAgentsStatus({}, { signal }),
        api.listExecutions({ query: { since: '24h', limit: 1000 } }, { signal }),
      ])
      return { events, executions }
    },
    refetchInterval: HISTORY_EVERY_MS,
    staleTime: HISTORY_EVERY_MS,
  })
}

/** The resource of a project or an agent as YAML. */
export function useSetupManifest(kind: 'project' | 'agent', id: string) {
  return useQuery({
    queryKey: ['manifest', kind, id],
    queryFn: ({ signal }) =>
      kind === 'project'
        ? api.getProjectManifest({ params: { id } }, { signal })
        : api.getAgentManifest({ params: { id } }, { signal }),
    staleTime: 0,
  })
}

/** Registers a repository. @throws ApiFailure */
export async function createProject(body: ProjectCreate): Promise<Project> {
  const { id } = await api.createProject({ body })
  return store.readOne('projects', () => api.getProject({ params: { id } }))
}

/**
 * Registers a repository, once it was tried: one that cannot be read, or has no commit, could do no task.
 *
 * @throws ApiFailure
 * @throws Error in the server's words
 */
export async function createTriedProject(body: ProjectCreate): Promise<Project> {
  const { outcome, branches, reason } = await api.tryRepository({ body: { remote_url: body.remote_url } })
  const isUsable = outcome === 'unknown' || (outcome === 'reachable' && branches !== 0)
  if (!isUsable) throw new Error(reason ?? 'the repository cannot be used')
  return createProject(body)
}

/** @throws ApiFailure */
export async function updateProject(id: string, body: ProjectEdit): Promise<Project> {
  await api.updateProject({ params: { id }, body })
  void queryClient.invalidateQueries({ queryKey: ['manifest', 'project', id] })
  return store.readOne('projects', () => api.getProject({ params: { id } }))
}

/** The message of the WebSocket takes it off the lists. @throws ApiFailure naming what refers to it */
export async function deleteProject(id: string): Promise<void> {
  await api.deleteProject({ params: { id } })
}

/** @throws ApiFailure */
export async function createAgent(body: AgentCreate): Promise<Agent> {
  const { id } = await api.createAgent({ body })
  return store.readOne('agents', () => api.getAgent({ params: { id } }))
}

/** @throws ApiFailure */
export async function updateAgent(id: string, body: AgentEdit): Promise<Agent> {
  await api.updateAgent({ params: { id }, body })
  void queryClient.invalidateQueries({ queryKey: ['manifest', 'agent', id] })
  return store.readOne('agents', () => api.getAgent({ params: { id } }))
}

/** @throws ApiFailure naming what refers to it */
export async function deleteAgent(id: string): Promise<void> {
  await api.deleteAgent({ params: { id } })
}

export interface CreatedTask {
  readonly task: Task
  /** Why it was created and could not be run. */
  readonly refusal: string | undefined
}

/** Creates a task, and runs it where that is wanted at once. @throws ApiFailure of the create */
export async function createTask(body: TaskCreate, isRunAtOnce: boolean): Promise<CreatedTask> {
  const { id } = await api.createTask({ body })
  const refusal = isRunAtOnce ? await api.runTask({ params: { id } }).then(() => undefined, toRefusal) : undefined
  return { task: await store.readOne('tasks', () => api.getTask({ params: { id } })), refusal }
}

/** @throws whatever else went wrong */
function toRefusal(error: unknown): string {
  if (error instanceof ApiFailure) return error.message
  throw error
}

/** What stands against a task, without an agent's opinion unless one is wanted. @throws ApiFailure */
export function validateTask(body: object, isAgentAsked: boolean) {
  return api.validateTask({ body, query: isAgentAsked ? {} : { agent: 'none' } })
}

/** Lets an agent write a task out. @throws ApiFailure */
export function elaborateTask(prompt: string, project: string | undefined) {
  return api.elaborateTask({ body: { prompt, ...(project === undefined ? {} : { project }) } })
}

export interface Save<A> {
  readonly save: (argument: A) => void
  readonly isPending: boolean
  readonly errors: FieldErrors
  readonly setErrors: (errors: FieldErrors) => void
}

/** Saves a form, and puts the server's refusal to its fields. */
export function useSave<A, R>(
  write: (argument: A) => Promise<R>,
  { fields, onDone }: { readonly fields: readonly string[]; readonly onDone: (result: R) => void },
): Save<A> {
  const [errors, setErrors] = useState<FieldErrors>(NO_ERRORS)
  const { mutate, isPending } = useMutation({
    mutationFn: write,
    onMutate: () => setErrors(NO_ERRORS),
    onSuccess: onDone,
    onError: (error) => setErrors(toErrors(error, fields)),
  })
  return { save: (argument) => mutate(argument), isPending, errors, setErrors }
}

function toErrors(error: Error, fields: readonly string[]): FieldErrors {
  if (error instanceof ApiFailure) return errorsOfMessage(error.message, fields)
  const rest = error instanceof SyntaxError ? `What is to be JSON is none: ${error.message}` : error.message
  return { ...NO_ERRORS, rest }
}
