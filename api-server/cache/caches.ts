import type { Agent, Epic, Execution, Project, Story, StoryEvent, Task } from '../../core/crd/types.ts'
import { apiError } from '../../core/errors.ts'
import { isWork, taskOfExecution } from '../../core/execution/state.ts'
import { LABELS } from '../../core/names.ts'
import { agentsNamedBy } from '../../core/task/agent-spec.ts'
import type { TaskSurroundings } from '../../core/task/decide.ts'
import type { TaskIndex } from '../../core/task/dependencies.ts'
import { readSurroundings } from '../../core/task/surroundings.ts'
import type { Job, Lease, Pod } from '../../kube/builtin.ts'
import {
  AGENTS,
  EPICS,
  EXECUTIONS,
  JOBS,
  LEASES,
  PODS,
  PROJECTS,
  STORIES,
  STORY_EVENTS,
  TASKS,
} from '../../kube/resources.ts'
import {
  type Scheduling,
  type SchedulingCaches,
  followScheduling,
  onlyScheduledJob,
  onlyScheduledPod,
} from '../../kube/scheduling.ts'
import type { SharedObjects } from '../../kube/shared-objects.ts'
import { isForbidden } from '../../kube/types.ts'
import type { Archive } from '../../lib/archive/archive.ts'
import { type ArchivedTask, DamagedRecord } from '../../lib/archive/record.ts'
import {
  type RecordCache,
  type RecordCacheOptions,
  createRecordCache,
  exists,
  isPresent,
  viewRecords,
} from './record-cache.ts'

export type CacheOptions = Omit<RecordCacheOptions, 'onRelisted'>

export interface Caches {
  readonly tasks: RecordCache<Task>
  readonly executions: RecordCache<Execution>
  readonly projects: RecordCache<Project>
  readonly stories: RecordCache<Story>
  /** Those included that are being approved, which nobody is shown. */
  readonly allStories: RecordCache<Story>
  readonly storyEvents: RecordCache<StoryEvent>
  readonly epics: RecordCache<Epic>
  readonly agents: RecordCache<Agent>
  /** The agents' slots. */
  readonly leases: RecordCache<Lease>
  /** The Jobs of executions, reduced to what says whether a pod of theirs can still run. */
  readonly jobs: RecordCache<Job>
  readonly pods: RecordCache<Pod>
  /** Relations between tasks, straight from the cache's indexes. */
  readonly taskIndex: TaskIndex
  /** What a decision about a task depends on; `agent` is the one that the decision names. */
  surroundingsOf(task: Task, agent?: Agent): TaskSurroundings
  /** Whether an accept needs somebody else than the author. */
  readonly fourEyes: boolean
  executionsOf(task: string): readonly Execution[]
  /** Those that name the project, such as its setups. */
  executionsOfProject(project: string): readonly Execution[]
  /** From the archive alone, whether or not the task is live. */
  archivedTask(name: string): Promise<ArchivedTask | undefined>
  tasksOfStory(story: string): readonly Task[]
  eventsOfStory(story: string): readonly StoryEvent[]
  storiesOfEpic(epic: string): readonly Story[]
  tasksOfProject(project: string): readonly Task[]
  /** Those included that are being approved. */
  storiesOfProject(project: string): readonly Story[]
  /** Tasks whose spec or status names the agent. */
  tasksOfAgent(agent: string): readonly Task[]
  /** Who holds slots and who waits, kept in step with the caches from now on; before others listen to them. */
  followScheduling(environmentImage?: string): Scheduling
  /** Runs until `signal` aborts. */
  run(signal: AbortSignal): Promise<void>
  /** Resolves when every cache has its first list, or when stopped before. */
  readonly synced: Promise<unknown>
  hasSynced(): boolean
  /** Why the caches are not filled yet, in words: a right to watch that is missing does not come by waiting. */
  fillingReason(): string
  /** Why a cache may lag behind without our knowing how far; undefined: all watches are well. */
  watchProblem(now: Date): unknown
  /** When the control plane was last heard of by the watch that has not heard of it for longest. */
  lastContact(): Date | undefined
  /** How often a cache was filled anew: changes in between were not all told. */
  relists(): number
}

export interface CachesOptions extends CacheOptions {
  readonly fourEyes?: boolean
  /** With the other caches of this process; absent: with none. */
  readonly shared?: SharedObjects | undefined
  /** What has left the control plane; absent: nothing has. */
  readonly archive?: Archive
}

const TASK_INDEXES = {
  parent: ({ spec }: Task) => (spec.parentTaskId === undefined ? [] : [spec.parentTaskId]),
  dependency: ({ spec }: Task) => spec.dependsOn ?? [],
  state: ({ status }: Task) => [status?.state ?? 'PENDING'],
  story: ({ spec }: Task) => (spec.storyId === undefined ? [] : [spec.storyId]),
  project: ({ spec }: Task) => (spec.project === undefined ? [] : [spec.project]),
  agent: (task: Task) => agentsNamedBy(task),
}

const EXECUTION_INDEXES = {
  task: (execution: Execution) => (isWork(execution) ? [execution.spec.taskRef?.name ?? ''] : []),
  project: ({ spec }: Execution) => (spec.projectRef === undefined ? [] : [spec.projectRef.name]),
}

export function createCaches({ fourEyes = false, archive, shared, ...options }: CachesOptions): Caches {
  let relists = 0
  const each = { ...options, onRelisted: () => (relists += 1) }
  const tasks = createRecordCache(each, TASKS, TASK_INDEXES, { share: shared?.tasks })
  const executions = createRecordCache(each, EXECUTIONS, EXECUTION_INDEXES, { share: shared?.executions })
  const stories = createRecordCache(each, STORIES, {
    epic: ({ spec }: Story) => (spec.epicId === undefined ? [] : [spec.epicId]),
    project: ({ spec }: Story) => (spec.projectId === undefined ? [] : [spec.projectId]),
  })
  const storyEvents = createRecordCache(each, STORY_EVENTS, {
    story: ({ spec }: StoryEvent) => [spec.storyId],
  })
  const inArchive = readArchive(archive, options.namespace)
  const caches = {
    tasks: {
      ...tasks,
      archived: inArchive.task,
      isRestoring: async (name: string) => {
        const task = tasks.informer.get({ namespace: options.namespace, name })
        return task !== undefined && task.status?.state === undefined && (await inArchive.task(name)) !== undefined
      },
    },
    executions: { ...executions, archived: inArchive.execution },
    projects: createRecordCache(each, PROJECTS),
    stories,
    storyEvents,
    epics: createRecordCache(each, EPICS),
    agents: createRecordCache(each, AGENTS),
    // Only slots: leaders and nodes renew theirs every few seconds, and each renewal would outdate lists that are kept.
    leases: createRecordCache(each, LEASES, {}, { labelSelector: LABELS.agent }),
    jobs: createRecordCache(each, JOBS, {}, { labelSelector: LABELS.execution, transform: onlyScheduledJob }),
    pods: createRecordCache(each, PODS, {}, { labelSelector: LABELS.execution, transform: onlyScheduledPod }),
  }
  const taskIndex: TaskIndex = {
    find: tasks.find,
    subtasks: (name) => tasks.informer.byIndex('parent', name).filter(isPresent),
  }
  const surroundings = { tasks: taskIndex, findStory: stories.find, findAgent: caches.agents.find, fourEyes }
  const informers = Object.values(caches).map(({ informer }) => informer)
  return {
    ...caches,
    allStories: viewRecords(options, stories.informer, exists),
    taskIndex,
    fourEyes,
    surroundingsOf: (task, agent) => readSurroundings(task, surroundings, agent),
    archivedTask: inArchive.record,
    executionsOfProject: (project) => executions.informer.byIndex('project', project).filter(isPresent),
    executionsOf: (task) => executions.informer.byIndex('task', task).filter(isPresent),
    tasksOfStory: (story) => tasks.informer.byIndex('story', story).filter(isPresent),
    eventsOfStory: (story) => storyEvents.informer.byIndex('story', story).filter(isPresent),
    storiesOfEpic: (epic) => stories.informer.byIndex('epic', epic).filter(isPresent),
    tasksOfProject: (project) => tasks.informer.byIndex('project', project).filter(isPresent),
    storiesOfProject: (project) => stories.informer.byIndex('project', project).filter(exists),
    tasksOfAgent: (agent) => tasks.informer.byIndex('agent', agent).filter(isPresent),
    followScheduling: (environmentImage) => followScheduling(informersOf(caches), environmentImage),
    run: async (signal) => void (await Promise.all(informers.map((informer) => informer.run(signal)))),
    synced: Promise.all(informers.map(({ synced }) => synced)),
    hasSynced: () => informers.every((informer) => informer.hasSynced()),
    fillingReason() {
      const refused = informers.map((informer) => informer.lastError()).find(isForbidden)
      if (refused === undefined) return 'the caches are still being filled'
      return `the control plane refuses this server: ${refused.message}`
    },
    watchProblem(now) {
      const ailing = informers.find((informer) => informer.lastError() !== undefined || informer.isStale(now))
      return ailing && (ailing.lastError() ?? new Error(`nothing was heard of ${ailing.resource.plural} for long`))
    },
    lastContact: () => informers.map((informer) => informer.lastContact()).reduce(earlier),
    relists: () => relists,
  }
}

function informersOf(caches: {
  readonly [K in keyof SchedulingCaches]: { readonly informer: SchedulingCaches[K] }
}): SchedulingCaches {
  const { tasks, stories, projects, agents, executions, leases, jobs, pods } = caches
  return {
    tasks: tasks.informer,
    stories: stories.informer,
    projects: projects.informer,
    agents: agents.informer,
    executions: executions.informer,
    leases: leases.informer,
    jobs: jobs.informer,
    pods: pods.informer,
  }
}

/** Undefined, never, is before everything. */
function earlier(a: Date | undefined, b: Date | undefined): Date | undefined {
  if (a === undefined || b === undefined) return undefined
  return a < b ? a : b
}

function readArchive(archive: Archive | undefined, namespace: string) {
  const record = async (task: string) => {
    try {
      return await archive?.find(namespace, task)
    } catch (error) {
      if (error instanceof DamagedRecord) throw apiError('archive_damaged', error.message).causedBy(error)
      throw error
    }
  }
  return {
    record,
    task: async (name: string) => (await record(name))?.task,
    execution: async (name: string) =>
      (await record(taskOfExecution(name)))?.executions.find(({ metadata }) => metadata.name === name),
  }
}
