import type { Agent, Project, Task } from '../../core/crd/types.ts'
import { agentOf, wasFoundNoAgent } from '../../core/agent/waiting.ts'
import { isOtherEnvironment } from '../../core/environment/choose.ts'
import { taskOfExecution } from '../../core/execution/state.ts'
import { ANNOTATIONS, LABELS } from '../../core/names.ts'
import { stateOf } from '../../core/task/decide.ts'
import { type Change, subjectOf, versionsOf } from '../../kube/cache.ts'
import { type Controller, createController } from '../../kube/controller.ts'
import { keyOf } from '../../kube/keys.ts'
import { holderOf } from '../../kube/lease.ts'
import type { KubeObject, ObjectKey } from '../../kube/types.ts'
import { type OperatorContext, indexKey } from '../context.ts'
import type { Informers, Timing } from '../informers.ts'
import { stepAsideOnVolume } from '../step-aside.ts'
import { syncTask } from './sync.ts'

/** They wait for round trips more than they work; a key is looked at by one at a time. */
const WORKERS = 16

/**
 * Tasks with all that belongs to them. Whatever can end the waiting of a task enqueues it: a dependency or subtask, a
 * slot, an agent, a project; so that a free slot with work waiting is never idle.
 *
 * Only those tasks of a queue are enqueued that can start now: how many stand behind them costs nothing. Tasks that only
 * wait, and of which at most a condition is to be written, come after all others.
 */
export function createTaskController(
  context: OperatorContext,
  informers: Informers,
  timing: Timing,
  namespace: string,
): Controller {
  const { views, scheduling, clock } = context
  const controller = createController({
    ...timing,
    name: 'task',
    workers: WORKERS,
    primary: informers.tasks,
    reconcile: async (key, lost, stepAside) => {
      const withTask = stepAsideOnVolume(context, stepAside, lost, () => views.tasks.get(key))
      return { requeueAt: await syncTask(withTask, key, lost) }
    },
    isPatient: (key) => onlyWaits(context, key),
  })
  controller.watchChanges(informers.tasks, (change) => relatives(context, change))
  controller.watch(informers.executions, taskByLabel)
  controller.watch(informers.jobs, taskByLabel)
  controller.watch(informers.pods, taskByLabel)
  controller.watch(informers.leases, (lease) => {
    const holder = holderOf(lease)
    return holder === undefined ? [] : [{ namespace: lease.metadata.namespace, name: taskOfExecution(holder) }]
  })
  controller.watchChanges(informers.agents, (change) => waitersOf(context, change))
  controller.watchChanges(informers.projects, (change) => tasksOf(context, change))
  controller.follow((enqueue) =>
    scheduling.onEffects(({ agents, tasks }) => {
      const starting = [...agents].flatMap((agent) => scheduling.nextToStart(agent, clock.now()))
      for (const name of [...starting.map(({ task }) => task), ...tasks]) enqueue({ namespace, name })
    }),
  )
  return controller
}

/** Whether nothing is to be done for a task but to say why it waits. */
function onlyWaits({ views, scheduling, clock }: OperatorContext, key: ObjectKey): boolean {
  const task = views.tasks.get(key)
  if (task === undefined || stateOf(task) !== 'QUEUED') return false
  const { annotations, deletionTimestamp } = task.metadata
  if (deletionTimestamp !== undefined || annotations?.[ANNOTATIONS.action] !== undefined) return false
  if (views.leases.byIndex('ofTask', indexKey(key.namespace, key.name)).length > 0) return false
  const now = clock.now()
  // It may be given to an agent that is free. Where none was found, many may wait for one, and have been told so.
  const isUnassigned = agentOf(task) === undefined && !wasFoundNoAgent(task)
  return isUnassigned ? !scheduling.scheduleOf(task, now).isStartable : scheduling.slotOf(key.name, now) === undefined
}

/** Those whose waiting a task may end, or begin: its dependents and its parent. */
function relatives({ views }: OperatorContext, change: Change<Task>): ObjectKey[] {
  const versions = versionsOf(change)
  if (change.type === 'update' && !isOtherForOthers(change.previous, change.object)) return []
  return versions.flatMap(({ metadata: { namespace, name }, spec: { parentTaskId } }) => [
    ...views.tasks.byIndex('dependsOn', indexKey(namespace, name)).map(keyOf),
    ...(parentTaskId === undefined ? [] : [{ namespace, name: parentTaskId }]),
  ])
}

function isOtherForOthers(a: Task, b: Task): boolean {
  const seen = (task: Task): string =>
    JSON.stringify([stateOf(task), task.metadata.deletionTimestamp, task.spec.dependsOn, task.spec.parentTaskId])
  return seen(a) !== seen(b)
}

/**
 * Those who wait for an agent, once something has changed that they wait for; how its executions end, which is written
 * each time, is nothing of that. The first of its queue are told by the snapshot.
 */
function waitersOf({ views }: OperatorContext, change: Change<Agent>): ObjectKey[] {
  if (change.type === 'update' && !isOtherForWaiters(change.previous, change.object)) return []
  const { metadata } = subjectOf(change)
  const ofAgent = indexKey(metadata.namespace, metadata.name)
  return [
    ...views.tasks.byIndex('queued', ofAgent),
    ...views.tasks.byIndex('queued', indexKey(metadata.namespace, '')),
    // It may have been told to resume by itself again.
    ...views.tasks.byIndex('retrying', ofAgent),
  ].map(keyOf)
}

function isOtherForWaiters(a: Agent, b: Agent): boolean {
  const seen = ({ metadata, status }: Agent): string =>
    JSON.stringify([
      metadata.generation,
      metadata.deletionTimestamp,
      status?.drained,
      status?.rateLimitedUntil,
      status?.assumedLimit,
    ])
  return seen(a) !== seen(b)
}

/** A project comes, goes or moves to another repository: seldom enough to look at all tasks. */
function tasksOf({ views }: OperatorContext, change: Change<Project>): ObjectKey[] {
  const { metadata } = subjectOf(change)
  const { namespace, name } = metadata
  if (change.type === 'update' && change.previous.metadata.generation === change.object.metadata.generation) {
    return isOtherEnvironment(change.previous, change.object) ? awaiting(views, namespace) : []
  }
  return views.tasks
    .list(namespace)
    .filter(({ spec }) => spec.project === name)
    .map(keyOf)
}

/** Those whose executions wait for an environment: few, of whichever project. */
function awaiting({ executions }: OperatorContext['views'], namespace: string | undefined): ObjectKey[] {
  return executions
    .byIndex('awaiting', indexKey(namespace, ''))
    .flatMap(({ spec }) => (spec.taskRef === undefined ? [] : [{ namespace, name: spec.taskRef.name }]))
}

function taskByLabel({ metadata }: KubeObject): ObjectKey[] {
  const name = metadata.labels?.[LABELS.task]
  return name === undefined ? [] : [{ namespace: metadata.namespace, name }]
}
