import type { Installation } from '../core/agent/availability.ts'
import type { TrackRecords } from '../core/agent/track-record.ts'
import { agentOf } from '../core/agent/waiting.ts'
import type { Agent, Epic, Execution, Project, Story, StoryEvent, Task } from '../core/crd/types.ts'
import { ENVIRONMENTS_PATH } from '../core/execution/layout.ts'
import { agentOfSlot, LABELS } from '../core/names.ts'
import { storyBranch } from '../core/story/branch.ts'
import { stateOf } from '../core/task/decide.ts'
import { isTerminal, isWork, taskOfExecution } from '../core/execution/state.ts'
import { isUnderEvaluation } from '../core/story/status.ts'
import type { Job, Lease, Pod } from '../kube/builtin.ts'
import type { IndexFunction } from '../kube/cache.ts'
import type { EventRecorder } from '../kube/events.ts'
import type { Informer } from '../kube/informer.ts'
import { holderOf } from '../kube/lease.ts'
import type { Scheduling } from '../kube/scheduling.ts'
import type { KubeClient, KubeObject } from '../kube/types.ts'
import type { Clock } from '../lib/clock.ts'
import type { GitCredentials } from '../lib/config-schema.ts'
import type { GitUser } from '../lib/git-session.ts'
import type { Logger } from '../lib/log.ts'
import type { Inboxes } from './inbox.ts'
import type { JobSettings } from './execution/job-input.ts'
import type { OnVolume, VolumeGate } from './volume-work.ts'

/** A cache, and how to tell it what this process has just written. */
export type View<T extends KubeObject> = Pick<
  Informer<T>,
  'get' | 'list' | 'byIndex' | 'observe' | 'observeDeleted' | 'onChange' | 'resource'
>

/** The kinds of which the operator keeps a cache. */
export interface Cached {
  readonly tasks: Task
  readonly executions: Execution
  readonly agents: Agent
  readonly projects: Project
  readonly stories: Story
  readonly storyEvents: StoryEvent
  readonly epics: Epic
  readonly jobs: Job
  readonly pods: Pod
  /** Slots, and what agents have beside them. */
  readonly leases: Lease
}

/** Everything that decisions are made from. */
export type Views = { readonly [K in keyof Cached]: View<Cached[K]> }

/** What the parts of the operator are given. */
export interface OperatorContext {
  readonly client: KubeClient
  readonly views: Views
  /** Who holds slots and who waits, of the context's namespace; follows the views. */
  readonly scheduling: Scheduling
  readonly events: Pick<EventRecorder, 'record'>
  readonly settings: JobSettings
  readonly volume: VolumeGate
  /** All file work of a reconcile on the data volume goes through it. */
  readonly onVolume: OnVolume
  readonly inboxes: Inboxes
  readonly installation: Installation
  /** Whether the API server proves who annotates now, so that `slipway.dev/by` is believed. */
  readonly admissionPolicies: boolean
  /** Whether the configuration says that it does; absent: no. */
  readonly needsPolicies?: boolean | undefined
  /** Whether an accept needs somebody else than the author; absent: it does not. */
  readonly fourEyes?: boolean | undefined
  /** How agents did on projects, of the context's namespace; absent: nobody keeps it. */
  readonly trackRecords?: Pick<TrackRecords, 'of'> | undefined
  /** Whose own git is used where nothing else is given; embedded only. */
  readonly gitUser?: GitUser | undefined
  /** Secrets of git hosts, for repositories whose project names none. */
  readonly gitCredentials?: readonly GitCredentials[] | undefined
  /** What the API server let nobody remove of actions that were carried out: by uid, the annotations then. */
  readonly uncleared: Map<string, string>
  readonly clock: Clock
  readonly logger: Logger
}

/** A namespace that is served, and all that its decisions are made from. */
export interface ServedNamespace {
  readonly namespace: string
  readonly context: OperatorContext
}

/** Value of an index that is kept per namespace. */
export function indexKey(namespace: string | undefined, value: string): string {
  return `${namespace ?? ''}/${value}`
}

type Indexes<T> = Readonly<Record<string, IndexFunction<T>>>

/** Index names of tasks. `queued` holds QUEUED tasks by the agent they wait for, "" for those to be classified. */
export const TASK_INDEXES = {
  parent: (task: Task) => at(task, task.spec.parentTaskId),
  dependsOn: (task: Task) => (task.spec.dependsOn ?? []).map((name) => indexKey(task.metadata.namespace, name)),
  queued: (task: Task) => (stateOf(task) === 'QUEUED' ? at(task, agentOf(task) ?? '') : []),
  ofAgent: (task: Task) => at(task, task.status?.agent?.type),
  /** Those that are tried again by themselves, by their agent. */
  retrying: (task: Task) => (task.status?.resumeAfter === undefined ? [] : at(task, task.status.agent?.type)),
  ofStory: (task: Task) => at(task, task.spec.storyId),
} as const satisfies Indexes<Task>

export const STORY_INDEXES = {
  /** Those whose evaluation may go on when an agent or a project changes. */
  evaluated: (story: Story) => (isUnderEvaluation(story) ? at(story, '') : []),
  ofEpic: (story: Story) => at(story, story.spec.epicId),
  ofBranch: (story: Story) => at(story, storyBranch(story.metadata.name, story.spec.branchName)),
} as const satisfies Indexes<Story>

export const STORY_EVENT_INDEXES = {
  ofStory: (event: StoryEvent) => at(event, event.spec.storyId),
} as const satisfies Indexes<StoryEvent>

export const EXECUTION_INDEXES = {
  /** Those that do its work. */
  ofTask: (execution: Execution) => (isWork(execution) ? at(execution, execution.spec.taskRef?.name) : []),
  /** Those that have not ended. */
  openOfAgent: (execution: Execution) => (isTerminal(execution) ? [] : at(execution, execution.spec.agent)),
  /** Those that wait for an environment to be prepared. */
  awaiting: (execution: Execution) =>
    isTerminal(execution) || execution.status?.environment?.waitingSince === undefined ? [] : at(execution, ''),
  /** Those that have not ended, by the environment that they have: their next Job may mount it. */
  openWith: (execution: Execution) =>
    isTerminal(execution) ? [] : at(execution, execution.status?.environment?.execution),
  /** Evaluations by the story. */
  evaluationsOf: (execution: Execution) =>
    execution.spec.purpose === 'Evaluate' ? at(execution, execution.spec.storyRef?.name) : [],
} as const satisfies Indexes<Execution>

/** The folders of the volume that a Job or Pod mounts, or a part of: `sandboxes/<name>`, `executions/<name>`. */
function foldersOf({ spec }: Job | Pod): string[] {
  const { initContainers = [], containers } = 'template' in spec ? spec.template.spec : spec
  const paths = [...initContainers, ...containers].flatMap(({ volumeMounts = [] }) =>
    volumeMounts.map(({ subPath = '' }) => subPath),
  )
  return [...new Set(paths.map(folderOf))]
}

/** An environment lies among those of its project. */
function folderOf(path: string): string {
  const parts = path.split('/')
  return parts.slice(0, parts[0] === ENVIRONMENTS_PATH ? 3 : 2).join('/')
}

/** Jobs and Pods by the execution and by the task that they belong to. */
export const WORKLOAD_INDEXES = {
  ofTask: (object: KubeObject) => at(object, object.metadata.labels?.[LABELS.task]),
  ofExecution: (object: KubeObject) => at(object, object.metadata.labels?.[LABELS.execution]),
  ofFolder: foldersOf,
} as const satisfies Indexes<Job | Pod>

/** Slots by agent, by the task whose execution holds them, and, with those beside them, by the execution. */
export const SLOT_INDEXES = {
  ofAgent: (lease: Lease) => at(lease, agentOfSlot(lease.metadata.name)),
  ofHolder: (lease: Lease) => at(lease, holderOf(lease)),
  ofTask: (lease: Lease) => {
    const holder = holderOf(lease)
    return holder === undefined ? [] : at(lease, taskOfExecution(holder))
  },
} as const satisfies Indexes<Lease>

function at(object: KubeObject, value: string | undefined): string[] {
  return value === undefined ? [] : [indexKey(object.metadata.namespace, value)]
}
