import { LABELS } from '../core/names.ts'
import type { ControllerMetrics, ControllerOptions } from '../kube/controller.ts'
import { type Informer, type InformerOptions, createInformer, withoutManagedFields } from '../kube/informer.ts'
import type { OutageLog } from '../kube/outage.ts'
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
} from '../kube/resources.ts'
import type { SharedObjects } from '../kube/shared-objects.ts'
import type { KubeObject, Resource } from '../kube/types.ts'
import {
  type Cached,
  type OperatorContext,
  EXECUTION_INDEXES,
  SLOT_INDEXES,
  STORY_EVENT_INDEXES,
  STORY_INDEXES,
  TASK_INDEXES,
  WORKLOAD_INDEXES,
} from './context.ts'

/** What runs the controllers' clocks. */
export interface Timing extends Pick<OperatorContext, 'clock' | 'logger'> {
  readonly random: () => number
  readonly outages: OutageLog
  /** With the other caches of this process; absent: with none. */
  readonly shared?: SharedObjects | undefined
  /** Caches without which controllers do not begin: to one that lacks a story, its task has no branch to share. */
  readonly reads?: ControllerOptions<KubeObject>['reads']
  /** Hooks for the metrics of a controller; absent where nobody looks at them. */
  readonly observe?: ((controller: string) => ControllerMetrics) | undefined
}

/** The caches of one namespace. */
export type Informers = { readonly [K in keyof Cached]: Informer<Cached[K]> }

/** Watches a namespace; of Jobs, Pods and Leases only those that carry our labels. */
export function createInformers(client: OperatorContext['client'], namespace: string, timing: Timing): Informers {
  const watch = <T extends KubeObject>(resource: Resource<T>, how: Partial<InformerOptions<T>> = {}): Informer<T> =>
    createInformer({ ...timing, client, resource, namespace, transform: withoutManagedFields, ...how })
  const ofExecutions = { ...labelled(LABELS.execution), indexes: WORKLOAD_INDEXES }
  return {
    tasks: watch(TASKS, { indexes: TASK_INDEXES, share: timing.shared?.tasks }),
    executions: watch(EXECUTIONS, { indexes: EXECUTION_INDEXES, share: timing.shared?.executions }),
    agents: watch(AGENTS),
    projects: watch(PROJECTS),
    stories: watch(STORIES, { indexes: STORY_INDEXES }),
    storyEvents: watch(STORY_EVENTS, { indexes: STORY_EVENT_INDEXES }),
    epics: watch(EPICS),
    jobs: watch(JOBS, ofExecutions),
    pods: watch(PODS, ofExecutions),
    leases: watch(LEASES, { ...labelled(LABELS.agent), indexes: SLOT_INDEXES }),
  }
}

/** With the selector as a function too, so that a Job, a Pod or a slot that was just made is known at once. */
function labelled(label: string) {
  return {
    labelSelector: label,
    isSelected: ({ metadata }: KubeObject) => metadata.labels?.[label] !== undefined,
  }
}
