import { nextToStart } from '../../core/agent/schedule.ts'
import { agentOf } from '../../core/agent/waiting.ts'
import type { Agent, Task } from '../../core/crd/types.ts'
import { taskOfExecution } from '../../core/execution/state.ts'
import { stateOf } from '../../core/task/decide.ts'
import { LABELS } from '../../core/names.ts'
import type { Controller } from '../../kube/controller.ts'
import { createController } from '../../kube/controller.ts'
import { holderOf } from '../../kube/lease.ts'
import { keyOf } from '../../kube/keys.ts'
import type { KubeObject, ObjectKey } from '../../kube/types.ts'
import { waitingForBranch } from '../branch.ts'
import type { OperatorContext } from '../context.ts'
import { indexKey } from '../context.ts'
import type { Informers, Timing } from '../informers.ts'
import { waitingContext } from '../loads.ts'
import { reportRefusal } from '../refusal.ts'
import { settleTask } from '../settle.ts'

/**
 * Tasks with all that belongs to them. Whatever can end the waiting of a task enqueues it: a dependency or subtask, a
 * slot, an agent, a project; so that a free slot with work waiting is never idle.
 */
export function createTaskController(context: OperatorContext, informers: Informers, timing: Timing): Controller {
  const controller = createController({
    ...timing,
    name: 'task',
    primary: informers.tasks,
    reconcile: async (key, lost) => ({ requeueAt: await settleTask(context, key, lost) }),
    onFailure: (key, error) => reportRefusal(context, context.views.tasks.get(key), error),
  })
  controller.watch(informers.tasks, (task) => relatives(context, task))
  controller.watch(informers.executions, taskByLabel)
  controller.watch(informers.jobs, taskByLabel)
  controller.watch(informers.pods, taskByLabel)
  controller.watch(informers.leases, (lease) => {
    const holder = holderOf(lease)
    const held = holder === undefined ? [] : [keyIn(lease, taskOfExecution(holder))]
    const agent = lease.metadata.labels?.[LABELS.agent]
    const waiting = holder === undefined ? waitingForBranch(context.views, keyOf(lease)) : []
    return [...held, ...waiting, ...(agent === undefined ? [] : nextInLine(context, lease, agent))]
  })
  controller.watch(informers.agents, (agent) => tasksOf(context, agent))
  controller.watch(informers.projects, ({ metadata }) =>
    context.views.tasks
      .list(metadata.namespace)
      .filter(({ spec }) => spec.project === metadata.name)
      .map(keyOf),
  )
  return controller
}

/** Those whose waiting the task can end: dependents, parent, subtasks, and who stands behind it in the line. */
function relatives(context: OperatorContext, task: Task): ObjectKey[] {
  const { tasks } = context.views
  const { namespace, name } = task.metadata
  const { parentTaskId } = task.spec
  const agent = hasLeftPlace(context, task) ? agentOf(task) : undefined
  return [
    ...tasks.byIndex('dependsOn', indexKey(namespace, name)).map(keyOf),
    ...(parentTaskId === undefined ? [] : [{ namespace, name: parentTaskId }]),
    ...(agent === undefined ? [] : nextInLine(context, task, agent)),
  ]
}

/** A task as it was while it stood in a line: whoever is behind it may have its turn now. */
function hasLeftPlace({ views }: OperatorContext, task: Task): boolean {
  return stateOf(task) === 'QUEUED' && views.tasks.get(keyOf(task)) !== task
}

/** The tasks that could start now with an agent, and those that could be given to it. */
function nextInLine(context: OperatorContext, near: KubeObject, agentName: string): ObjectKey[] {
  const { namespace } = near.metadata
  const waiting = waitingContext(context, namespace)
  const agent = waiting.findAgent(agentName)
  const next =
    agent === undefined ? [] : nextToStart(waiting.loadOf(agent)).map(({ task }) => ({ namespace, name: task }))
  return [...next, ...context.views.tasks.byIndex('queued', indexKey(namespace, '')).map(keyOf)]
}

function tasksOf({ views }: OperatorContext, { metadata }: Agent): ObjectKey[] {
  const { namespace, name } = metadata
  const waiting = [
    ...views.tasks.byIndex('queued', indexKey(namespace, name)),
    ...views.tasks.byIndex('queued', indexKey(namespace, '')),
    // It may have been told to resume by itself again.
    ...views.tasks
      .byIndex('ofAgent', indexKey(namespace, name))
      .filter(({ status }) => status?.resumeAfter !== undefined),
  ]
  return waiting.map(keyOf)
}

function taskByLabel({ metadata }: KubeObject): ObjectKey[] {
  const name = metadata.labels?.[LABELS.task]
  return name === undefined ? [] : [{ namespace: metadata.namespace, name }]
}

function keyIn({ metadata }: KubeObject, name: string): ObjectKey {
  return { namespace: metadata.namespace, name }
}
