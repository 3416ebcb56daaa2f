/**
 * Keeps a scheduling snapshot in step with caches: each change of an object is applied as it comes, before whoever
 * joins the cache later hears of it. A task, story, project or agent that is being deleted is gone at once, as REST
 * shows it.
 */
import type { SchedulingChange, ScheduledJob, ScheduledPod } from '../core/agent/scheduling-objects.ts'
import { type SchedulingSnapshot, createSchedulingSnapshot } from '../core/agent/snapshot.ts'
import type { SchedulingEffects } from '../core/agent/task-queues.ts'
import type { Agent, Execution, ObjectMeta, Project, Story, Task } from '../core/crd/types.ts'
import { makeFindEnvironmentWait } from '../core/environment/choose.ts'
import { LABELS } from '../core/names.ts'
import { withoutAbsent } from '../core/omit.ts'
import { digestRecipe } from '../lib/environment-digest.ts'
import { findSharedBranch } from '../lib/shared-branch.ts'
import type { Job, Lease, Pod } from './builtin.ts'
import { subjectOf } from './cache.ts'
import type { Informer } from './informer.ts'
import { holderOf } from './lease.ts'
import type { KubeObject } from './types.ts'
import { hasPodEnded, isJobFinished, jobOf } from './workload.ts'

/** Caches of one namespace, as far as scheduling depends on them. */
export interface SchedulingCaches {
  readonly tasks: Source<Task>
  readonly stories: Source<Story>
  readonly projects: Source<Project>
  readonly agents: Source<Agent>
  readonly executions: Source<Execution>
  readonly leases: Source<Lease>
  readonly jobs: Source<Job>
  readonly pods: Source<Pod>
}

type Source<T extends KubeObject> = Pick<Informer<T>, 'onChange'>

/** A snapshot that follows its caches. */
export interface Scheduling extends SchedulingSnapshot {
  /** Calls `handler` for every change from now on with what it may have changed for others. The returned function ends it. */
  onEffects(handler: (effects: SchedulingEffects) => void): () => void
}

/**
 * When this returns, the snapshot holds what the caches hold.
 *
 * @param environmentImage image of the agents that name none (core/environment/choose.ts); undefined: there are no environments
 */
export function followScheduling(caches: SchedulingCaches, environmentImage?: string): Scheduling {
  const findEnvironmentWait =
    environmentImage === undefined ? undefined : makeFindEnvironmentWait(digestRecipe, environmentImage)
  const snapshot = createSchedulingSnapshot(findSharedBranch, findEnvironmentWait)
  const handlers = new Set<(effects: SchedulingEffects) => void>()
  const apply = (change: SchedulingChange): void => {
    const effects = snapshot.apply(change)
    if (effects.agents.size + effects.tasks.size > 0) for (const handler of handlers) handler(effects)
  }
  follow(caches.stories, (name, story) => apply({ kind: 'story', name, object: present(story) }))
  follow(caches.projects, (name, project) => apply({ kind: 'project', name, object: present(project) }))
  follow(caches.agents, (name, agent) => apply({ kind: 'agent', name, object: present(agent) }))
  follow(caches.tasks, (name, task) => apply({ kind: 'task', name, object: present(task) }))
  follow(caches.executions, (name, object) => apply({ kind: 'execution', name, object }))
  follow(caches.leases, (name, lease) => apply({ kind: 'lease', name, object: lease && { holder: holderOf(lease) } }))
  follow(caches.jobs, (name, job) => apply({ kind: 'job', name, object: job && toScheduledJob(job) }))
  follow(caches.pods, (name, pod) => apply({ kind: 'pod', name, object: pod && toScheduledPod(pod) }))
  return {
    ...snapshot,
    onEffects(handler) {
      handlers.add(handler)
      return () => void handlers.delete(handler)
    },
  }
}

/** Enters every object that is there, and each change from now on; undefined: it is gone. */
function follow<T extends KubeObject>(source: Source<T>, enter: (name: string, object: T | undefined) => void): void {
  source.onChange((change) => {
    enter(subjectOf(change).metadata.name, change.type === 'delete' ? undefined : change.object)
  })
}

/** What only says how things are to be is no longer said by an object that is being deleted; what runs, runs until it is gone. */
function present<T extends KubeObject>(object: T | undefined): T | undefined {
  return object?.metadata.deletionTimestamp === undefined ? object : undefined
}

/** A Job with nothing but what scheduling depends on, for caches that are kept for that alone. */
export function onlyScheduledJob({ metadata, status }: Job): Job {
  const conditions = status?.conditions
  return {
    metadata: onlyIdentity(metadata),
    spec: { template: { spec: { containers: [] } } },
    ...(conditions === undefined ? {} : { status: { conditions } }),
  }
}

/** A Pod with nothing but what scheduling depends on. */
export function onlyScheduledPod({ metadata, status }: Pod): Pod {
  const phase = status?.phase
  return {
    metadata: onlyIdentity(metadata),
    spec: { containers: [] },
    ...(phase === undefined ? {} : { status: { phase } }),
  }
}

function onlyIdentity({ name, namespace, uid, resourceVersion, labels, ...rest }: ObjectMeta): ObjectMeta {
  const { ownerReferences, deletionTimestamp } = rest
  const known = { namespace, uid, resourceVersion, labels, ownerReferences, deletionTimestamp }
  return { name, ...withoutAbsent(known) }
}

function toScheduledJob(job: Job): ScheduledJob {
  return { task: job.metadata.labels?.[LABELS.task], isFinished: isJobFinished(job) }
}

function toScheduledPod(pod: Pod): ScheduledPod {
  const { labels, deletionTimestamp } = pod.metadata
  return {
    task: labels?.[LABELS.task],
    execution: labels?.[LABELS.execution],
    job: jobOf(pod),
    hasEnded: hasPodEnded(pod),
    deletedAt: deletionTimestamp,
  }
}
