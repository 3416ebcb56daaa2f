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
  PersistentVolumeClaim,
  Pod,
  Secret,
  ServiceAccount,
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

export const TASKS = ours<Task>('Task', 'tasks')
export const EXECUTIONS = ours<Execution>('Execution', 'executions')
export const STORIES = ours<Story>('Story', 'stories')
export const STORY_EVENTS = ours<StoryEvent>('StoryEvent', 'storyevents')
export const EPICS = ours<Epic>('Epic', 'epics')
export const PROJECTS = ours<Project>('Project', 'projects')
export const AGENTS = ours<Agent>('Agent', 'agents')

export const PODS = resource<Pod>('Pod', 'pods')
export const EVENTS = resource<Event>('Event', 'events')
export const SECRETS = resource<Secret>('Secret', 'secrets')
export const CONFIG_MAPS = resource<ConfigMap>('ConfigMap', 'configmaps')
export const PVCS = resource<PersistentVolumeClaim>('PersistentVolumeClaim', 'persistentvolumeclaims')
export const SERVICE_ACCOUNTS = resource<ServiceAccount>('ServiceAccount', 'serviceaccounts')
export const NODES = resource<Node>('Node', 'nodes', { namespaced: false })
export const NAMESPACES = resource<Namespace>('Namespace', 'namespaces', { namespaced: false })
export const JOBS = resource<Job>('Job', 'jobs', { group: 'batch' })
export const LEASES = resource<Lease>('Lease', 'leases', { group: 'coordination.k8s.io' })
export const CRDS = resource<CustomResourceDefinition>('CustomResourceDefinition', 'customresourcedefinitions', {
  group: 'apiextensions.k8s.io',
  namespaced: false,
})

/** `apiVersion` of a resource's objects: `v1`, `batch/v1`. */
export function apiVersionOf(resource: Resource<KubeObject>): string {
  return resource.group === '' ? resource.version : `${resource.group}/${resource.version}`
}
