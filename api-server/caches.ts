import type { Agent, Epic, Execution, Project, Story, StoryEvent, Task } from '../core/crd/types.ts'
import { agentsNamedBy } from '../core/task/agent-spec.ts'
import type { TaskIndex } from '../core/task/dependencies.ts'
import type { Backoff } from '../kube/backoff.ts'
import { fullJitter } from '../kube/backoff.ts'
import type { Lease } from '../kube/builtin.ts'
import type { Informer } from '../kube/informer.ts'
import { createInformer, withoutManagedFields } from '../kube/informer.ts'
import { AGENTS, EPICS, EXECUTIONS, LEASES, PROJECTS, STORIES, STORY_EVENTS, TASKS } from '../kube/resources.ts'
import type { KubeClient, KubeObject, Resource } from '../kube/types.ts'
import type { Clock } from '../lib/clock.ts'
import { delay } from '../lib/clock.ts'
import type { Logger } from '../lib/log.ts'

export interface CacheOptions {
  readonly client: KubeClient
  readonly namespace: string
  readonly clock: Clock
  readonly logger: Logger
  /** In [0, 1); spreads retries. */
  readonly random: () => number
}

/** The objects of one kind in the server's namespace, without those that are being deleted. */
export interface RecordCache<T extends KubeObject> {
  readonly informer: Informer<T>
  /** From memory. */
  find(name: string): T | undefined
  /** From memory; one that is not there yet is read live, so that what a caller wrote anywhere, it reads. */
  read(name: string): Promise<T | undefined>
  /** From the control plane; the cache learns from it. */
  readLive(name: string): Promise<T | undefined>
  /**
   * As readLive, for who has lost `races` in a row: after a wait that grows with them. A control plane may refuse a
   * write because of another one that it does not show yet: at once, one would read and lose the same again.
   */
  readAfterRaces(name: string, races: number): Promise<T | undefined>
  list(): readonly T[]
  /** Counts the changes, so that what was made from the cache can be told to be out of date. */
  revision(): number
}

export interface Caches {
  readonly tasks: RecordCache<Task>
  readonly executions: RecordCache<Execution>
  readonly projects: RecordCache<Project>
  readonly stories: RecordCache<Story>
  readonly storyEvents: RecordCache<StoryEvent>
  readonly epics: RecordCache<Epic>
  readonly agents: RecordCache<Agent>
  readonly leases: RecordCache<Lease>
  /** Relations between tasks, straight from the cache's indexes. */
  readonly taskIndex: TaskIndex
  executionsOf(task: string): readonly Execution[]
  tasksOfStory(story: string): readonly Task[]
  eventsOfStory(story: string): readonly StoryEvent[]
  storiesOfEpic(epic: string): readonly Story[]
  tasksOfProject(project: string): readonly Task[]
  storiesOfProject(project: string): readonly Story[]
  /** Tasks whose spec or status names the agent. */
  tasksOfAgent(agent: string): readonly Task[]
  /** Runs until `signal` aborts. */
  run(signal: AbortSignal): Promise<void>
  /** Resolves when every cache has its first list, or when stopped before. */
  readonly synced: Promise<unknown>
  hasSynced(): boolean
}

const RACE_BACKOFF: Backoff = { baseMs: 10, maxMs: 500 }

/** Names that the control plane could have; others are not worth a request. */
const NAME = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/

export function createCaches(options: CacheOptions): Caches {
  const { namespace } = options
  const tasks = createRecordCache(options, TASKS, {
    parent: ({ spec }: Task) => (spec.parentTaskId === undefined ? [] : [spec.parentTaskId]),
    dependency: ({ spec }: Task) => spec.dependsOn ?? [],
    state: ({ status }: Task) => [status?.state ?? 'PENDING'],
    story: ({ spec }: Task) => (spec.storyId === undefined ? [] : [spec.storyId]),
    project: ({ spec }: Task) => (spec.project === undefined ? [] : [spec.project]),
    agent: (task: Task) => agentsNamedBy(task),
  })
  const executions = createRecordCache(options, EXECUTIONS, {
    task: ({ spec }: Execution) => (spec.taskRef === undefined ? [] : [spec.taskRef.name]),
  })
  const stories = createRecordCache(options, STORIES, {
    epic: ({ spec }: Story) => (spec.epicId === undefined ? [] : [spec.epicId]),
    project: ({ spec }: Story) => (spec.projectId === undefined ? [] : [spec.projectId]),
  })
  const storyEvents = createRecordCache(options, STORY_EVENTS, {
    story: ({ spec }: StoryEvent) => [spec.storyId],
  })
  const caches = {
    tasks,
    executions,
    projects: createRecordCache(options, PROJECTS),
    stories,
    storyEvents,
    epics: createRecordCache(options, EPICS),
    agents: createRecordCache(options, AGENTS),
    leases: createRecordCache(options, LEASES),
  }
  const informers = Object.values(caches).map(({ informer }) => informer)
  return {
    ...caches,
    taskIndex: { find: tasks.find, subtasks: (name) => tasks.informer.byIndex('parent', name).filter(isPresent) },
    executionsOf: (task) => executions.informer.byIndex('task', task).filter(isPresent),
    tasksOfStory: (story) => tasks.informer.byIndex('story', story).filter(isPresent),
    eventsOfStory: (story) => storyEvents.informer.byIndex('story', story).filter(isPresent),
    storiesOfEpic: (epic) => stories.informer.byIndex('epic', epic).filter(isPresent),
    tasksOfProject: (project) => tasks.informer.byIndex('project', project).filter(isPresent),
    storiesOfProject: (project) => stories.informer.byIndex('project', project).filter(isPresent),
    tasksOfAgent: (agent) => tasks.informer.byIndex('agent', agent).filter(isPresent),
    run: async (signal) => void (await Promise.all(informers.map((informer) => informer.run(signal)))),
    synced: Promise.all(informers.map(({ synced }) => synced)),
    hasSynced: () => informers.every((informer) => informer.hasSynced()),
  }

  function createRecordCache<T extends KubeObject>(
    { client, clock, logger, random }: CacheOptions,
    resource: Resource<T>,
    indexes: Readonly<Record<string, (object: T) => readonly string[]>> = {},
  ): RecordCache<T> {
    const transform = withoutManagedFields<T>
    const informer = createInformer<T>({ client, resource, namespace, indexes, transform, clock, logger, random })
    let changes = 0
    informer.onChange(() => (changes += 1))
    const find = (name: string): T | undefined => present(informer.get({ namespace, name }))
    const readLive = async (name: string): Promise<T | undefined> => {
      const object = NAME.test(name) ? await client.find(resource, { namespace, name }) : undefined
      if (object !== undefined) informer.observe(object)
      return present(object)
    }
    return {
      informer,
      find,
      readLive,
      async readAfterRaces(name, races) {
        await delay(clock, fullJitter(RACE_BACKOFF, races, random()))
        return readLive(name)
      },
      read: async (name) => find(name) ?? (await readLive(name)),
      list: () => informer.list(namespace).filter(isPresent),
      revision: () => changes,
    }
  }
}

/** REST answers 404 for what is being deleted, at once, though finalizers may keep it a while (decisions, section 3). */
function isPresent(object: KubeObject): boolean {
  return object.metadata.deletionTimestamp === undefined
}

function present<T extends KubeObject>(object: T | undefined): T | undefined {
  return object !== undefined && isPresent(object) ? object : undefined
}
