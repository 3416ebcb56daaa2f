/** Every kind that Slipway talks to, and where it lives. The phantom type makes `client.get(TASKS, …)` a Task. */
import { GROUP, VERSION } from '../core/names.ts'
import type { Agent, Epic, Execution, Project, Story, StoryEvent, Task } from '../core/crd/types.ts'
import type {
  ConfigMap,
  CustomResourceDefinition,
  Event,
  Job,
  Lease,
  Namespace,
  Node,
  Pod,
  Secret,
  Service,
  ServiceAccount,
  SubjectAccessReview,
  TokenReview,
} from './builtin.ts'
import type { KubeObject, Resource } from './types.ts'

/** What a descriptor needs to be told; the rest are the usual values. */
interface Location {
  readonly group?: string
  readonly version?: string
  readonly namespaced?: boolean
}

function resource<T extends KubeObject>(kind: string, plural: string, at: Location = {}): Resource<T> {
  return { group: at.group ?? '', version: at.version ?? 'v1', kind, plural, namespaced: at.namespaced ?? true }
}

function ours<T extends KubeObject>(kind: string, plural: string): Resource<T> {
  return resource(kind, plural, { group: GROUP, version: VERSION })
}

/** What a person wants done. */
export const TASKS = ours<Task>('Task', 'tasks')
/** One run of a task by an agent. */
export const EXECUTIONS = ours<Execution>('Execution', 'executions')
/** Tasks that share a branch. */
export const STORIES = ours<Story>('Story', 'stories')
/** What happened to a story; immutable. */
export const STORY_EVENTS = ours<StoryEvent>('StoryEvent', 'storyevents')
/** Stories that belong together. */
export const EPICS = ours<Epic>('Epic', 'epics')
/** Repositories that tasks and stories refer to. */
export const PROJECTS = ours<Project>('Project', 'projects')
/** Coding agents that run tasks, and their slots' number. */
export const AGENTS = ours<Agent>('Agent', 'agents')

/** core/v1; with subresources log, status and binding. */
export const PODS = resource<Pod>('Pod', 'pods')
/** core/v1, not events.k8s.io: `kubectl describe` reads these. */
export const EVENTS = resource<Event>('Event', 'events')
/** core/v1; values are base 64. */
export const SECRETS = resource<Secret>('Secret', 'secrets')
/** core/v1. */
export const CONFIG_MAPS = resource<ConfigMap>('ConfigMap', 'configmaps')
/** core/v1. */
export const SERVICE_ACCOUNTS = resource<ServiceAccount>('ServiceAccount', 'serviceaccounts')
/** core/v1. */
export const SERVICES = resource<Service>('Service', 'services')
/** core/v1, cluster-scoped. */
export const NODES = resource<Node>('Node', 'nodes', { namespaced: false })
/** core/v1, cluster-scoped. */
export const NAMESPACES = resource<Namespace>('Namespace', 'namespaces', { namespaced: false })
/** One or several per execution. */
export const JOBS = resource<Job>('Job', 'jobs', { group: 'batch' })
/** Slots of agents, leadership, and signs of life of nodes. */
export const LEASES = resource<Lease>('Lease', 'leases', { group: 'coordination.k8s.io' })
/** Cluster-scoped; ours are installed from crds/. */
export const CRDS = resource<CustomResourceDefinition>('CustomResourceDefinition', 'customresourcedefinitions', {
  group: 'apiextensions.k8s.io',
  namespaced: false,
})

/** Cluster-scoped; can only be created. */
export const TOKEN_REVIEWS = resource<TokenReview>('TokenReview', 'tokenreviews', {
  group: 'authentication.k8s.io',
  namespaced: false,
})
/** Can only be created; a role of the namespace is enough to ask. */
export const LOCAL_ACCESS_REVIEWS = resource<SubjectAccessReview>(
  'LocalSubjectAccessReview',
  'localsubjectaccessreviews',
  { group: 'authorization.k8s.io' },
)

/** `apiVersion` of a resource's objects: `v1`, `batch/v1`. */
export function apiVersionOf(resource: Resource<KubeObject>): string {
  return resource.group === '' ? resource.version : `${resource.group}/${resource.version}`
}

/** Every kind of ours, owners before what they own; agents own nothing and remember executions. */
export const OUR_RESOURCES: readonly Resource<KubeObject>[] = [
  PROJECTS,
  EPICS,
  STORIES,
  TASKS,
  EXECUTIONS,
  STORY_EVENTS,
  AGENTS,
]

/** Custom resources are refused without kind and apiVersion, and lists of built-in kinds come without them. */
export function withType<T extends KubeObject>(resource: Resource<T>, object: T): T {
  if (object.kind !== undefined && object.apiVersion !== undefined) return object
  return { ...object, apiVersion: apiVersionOf(resource), kind: resource.kind }
}
