/** What setting an installation up asks of the server: projects, agents, first tasks, and whether they will work. */
import { useQuery } from '@tanstack/react-query'
import type { Agent, Answer, Input, Project, Task } from '../../core/rest/client/client.ts'
import { messageOf } from '../model/texts.ts'
import { api } from './client.ts'
import { writeAsSeen } from './decisions.ts'
import { createNamed, newId } from './new-id.ts'
import { queryClient, readRecord, readWritten } from './queries.ts'
import { serverNow } from './server-clock.ts'

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

/** What agents did in the 24 hours up to `atMs`: their events, and the executions in which they were at work. */
export function useAgentHistory() {
  return useQuery({
    queryKey: ['agent-history'],
    queryFn: async ({ signal }) => {
      const [{ events }, executions] = await Promise.all([
        api.getAgentsStatus({}, { signal }),
        api.listExecutions({ query: { since: '24h', limit: 1000 } }, { signal }),
      ])
      return { events, executions, atMs: serverNow() }
    },
    refetchInterval: HISTORY_EVERY_MS,
    staleTime: HISTORY_EVERY_MS,
  })
}

/** Registers a repository. @throws ApiFailure */
export async function createProject(body: ProjectCreate): Promise<Project> {
  const create = (id: string): Promise<Project> => api.createProject({ body: { ...body, id } })
  const created = await (body.id === undefined ? createNamed('project', body.name, create) : create(body.id))
  return (await readWritten('projects', created.id)) ?? created
}

/**
 * Registers a repository, once it was tried: one that cannot be read, or has no commit, could do no task. One that is
 * registered already stays so once: its project is the answer.
 *
 * @throws ApiFailure
 * @throws Error in the server's words
 */
export async function createTriedProject(body: ProjectCreate): Promise<Project> {
  const { usable, reason, project } = await api.tryRepository({ body: { remote_url: body.remote_url } })
  if (!usable) throw new Error(reason ?? 'the repository cannot be used')
  if (project !== undefined) return readRecord('projects', project)
  return createProject(body)
}

/**
 * Changes a project that is still as the person saw it.
 *
 * @throws ChangedMeanwhile
 * @throws ApiFailure
 */
export async function updateProject(seen: Project, body: ProjectEdit): Promise<Project> {
  const params = { id: seen.id }
  const written = await writeAsSeen('projects', seen, (ifMatch) => api.updateProject({ params, body, ifMatch }))
  void queryClient.invalidateQueries({ queryKey: ['manifest', 'project', seen.id] })
  return (await readWritten('projects', seen.id)) ?? written
}

/** The message of the WebSocket takes it off the lists. @throws ChangedMeanwhile @throws ApiFailure naming what refers to it */
export async function deleteProject(seen: Project): Promise<void> {
  const params = { id: seen.id }
  await writeAsSeen('projects', seen, (ifMatch) => api.deleteProject({ params, ifMatch }))
}

/** Has the environment of a project built anew. @throws ApiFailure */
export async function buildEnvironment({ id }: Project): Promise<void> {
  await api.buildEnvironment({ params: { id } })
  await readWritten('projects', id)
}

/** Removes one that nobody uses. @throws ApiFailure */
export async function deleteEnvironment({ id }: Project, execution: string): Promise<void> {
  await api.deleteEnvironment({ params: { id, execution } })
  await readWritten('projects', id)
}

/** @throws ApiFailure */
export async function createAgent(body: AgentCreate): Promise<Agent> {
  const created = await api.createAgent({ body })
  return (await readWritten('agents', created.id)) ?? created
}

/**
 * Changes an agent that is still as the person saw it; what it does now does not count.
 *
 * @throws ChangedMeanwhile
 * @throws ApiFailure
 */
export async function updateAgent(seen: Agent, body: AgentEdit): Promise<Agent> {
  const params = { id: seen.id }
  const written = await writeAsSeen('agents', seen, (ifMatch) => api.updateAgent({ params, body, ifMatch }))
  void queryClient.invalidateQueries({ queryKey: ['manifest', 'agent', seen.id] })
  return (await readWritten('agents', seen.id)) ?? written
}

/** @throws ChangedMeanwhile @throws ApiFailure naming what refers to it */
export async function deleteAgent(seen: Agent): Promise<void> {
  const params = { id: seen.id }
  await writeAsSeen('agents', seen, (ifMatch) => api.deleteAgent({ params, ifMatch }))
}

export interface CreatedTask {
  readonly task: Task
  /** Why it was created and could not be run. */
  readonly refusal: string | undefined
}

/**
 * Creates a task, and runs it where that is wanted at once. Whatever fails once it is created is told beside it, because
 * a person who is told of a failure alone creates it again.
 *
 * @throws ApiFailure of the create
 */
export async function createTask(body: TaskCreate, isRunAtOnce: boolean): Promise<CreatedTask> {
  const created = await api.createTask({ body: { id: newId('task', body.name), ...body } })
  const run = { params: { id: created.id } }
  const refusal = isRunAtOnce ? await api.runTask(run).then(() => undefined, messageOf) : undefined
  return { task: (await readWritten('tasks', created.id)) ?? created, refusal }
}

/** What stands against a task, without an agent's opinion unless one is wanted. @throws ApiFailure */
export function validateTask(body: object, isAgentAsked: boolean) {
  return api.validateTask({ body, query: isAgentAsked ? {} : { agent: 'none' } })
}

/** Lets an agent write a task out. @throws ApiFailure */
export function elaborateTask(prompt: string, project: string | undefined) {
  return api.elaborateTask({ body: { prompt, ...(project === undefined ? {} : { project }) } })
}
