import type { Candidate } from '../core/agent/classify.ts'
import { whyNotReady } from '../core/agent/readiness.ts'
import type { AgentLoad, SlotHolder } from '../core/agent/schedule.ts'
import { lineUp } from '../core/agent/line.ts'
import { nextExecution } from '../core/agent/schedule.ts'
import { stateOf } from '../core/task/decide.ts'
import type { WaitingContext } from '../core/agent/waiting.ts'
import { isStartable } from '../core/agent/waiting.ts'
import type { Agent, Task } from '../core/crd/types.ts'
import { isTerminal, taskOfExecution } from '../core/execution/state.ts'
import { slotName } from '../core/names.ts'
import type { TaskIndex } from '../core/task/dependencies.ts'
import type { Lease } from '../kube/builtin.ts'
import { holderOf } from '../kube/lease.ts'
import type { ObjectKey } from '../kube/types.ts'
import { whyUnusable } from './agent/unavailable.ts'
import { describeBranchWriter } from './branch.ts'
import type { OperatorContext, Views } from './context.ts'
import { indexKey } from './context.ts'
import { hasPodEnded, mayJobRun } from './execution/pods.ts'

/** The tasks of a namespace, out of the caches. */
export function taskIndex({ tasks }: Views, namespace: string | undefined): TaskIndex {
  return {
    find: (name) => tasks.get({ namespace, name }),
    subtasks: (name) => tasks.byIndex('parent', indexKey(namespace, name)),
  }
}

/** What the waiting of a namespace's tasks is explained from. */
export function waitingContext({ views, clock }: OperatorContext, namespace: string | undefined): WaitingContext {
  const base = {
    now: clock.now(),
    tasks: taskIndex(views, namespace),
    hasProject: (name: string) => views.projects.get({ namespace, name }) !== undefined,
    describeBranchWriter: (task: Task) => describeBranchWriter(views, task),
  }
  return {
    ...base,
    findAgent: (name) => views.agents.get({ namespace, name }),
    loadOf: (agent) => loadOf(views, agent, base),
  }
}

/** All agents of a namespace with their queues, and how they did on a project, as classification wants them. */
export function candidatesOf(context: OperatorContext, namespace: string | undefined, project?: string): Candidate[] {
  const waiting = waitingContext(context, namespace)
  return context.views.agents.list(namespace).map((agent) => ({
    ...waiting.loadOf(agent),
    // What its controller found counts too: an agent without a login would fail every task that it is given.
    unavailable: whyUnusable(agent, context.installation) ?? whyNotReady(agent),
    record: context.trackRecords?.of(agent.metadata.name, project),
  }))
}

function loadOf(views: Views, agent: Agent, context: Omit<WaitingContext, 'findAgent' | 'loadOf'>): AgentLoad {
  const { name, namespace } = agent.metadata
  const leases = views.leases.byIndex('ofAgent', indexKey(namespace, name))
  // One whose earlier pod still ends has no turn yet, and holds up nobody behind it.
  const isInLine = (task: Task): boolean => isStartable(task, context) && !mayTaskRun(views, task.metadata)
  return {
    agent,
    now: context.now,
    // Gathered only for who asks: behind a busy agent nobody does, however long it is.
    get line() {
      return lineUp(views.tasks.byIndex('queued', indexKey(namespace, name)).filter(isInLine))
    },
    holders: withLeaseless(
      views,
      agent,
      leases.flatMap((lease) => toHolder(views, agent, lease)),
    ),
  }
}

/**
 * Whether a pod of any execution of a task can still run. By the label, not by the executions: those may be gone
 * already while their pods and Jobs are not.
 */
export function mayTaskRun({ pods, jobs }: Views, { namespace, name }: ObjectKey): boolean {
  const key = indexKey(namespace, name)
  const own = pods.byIndex('ofTask', key)
  return jobs.byIndex('ofTask', key).some((job) => mayJobRun(job, own)) || own.some((pod) => !hasPodEnded(pod))
}

/** A Lease may be deleted by hand; what runs in its slot still runs, and counts until it ends. */
function withLeaseless(views: Views, { metadata }: Agent, holders: readonly SlotHolder[]): SlotHolder[] {
  const { namespace, name: agent } = metadata
  const isListed = (name: string): boolean => holders.some(({ execution }) => execution === name)
  const open = views.executions.byIndex('openOfAgent', indexKey(namespace, agent))
  const leaseless = open.flatMap(({ metadata: { name: execution }, spec }): SlotHolder[] => {
    const task = spec.taskRef === undefined ? undefined : views.tasks.get({ namespace, name: spec.taskRef.name })
    const runs = task !== undefined && stateOf(task) === 'RUNNING' && task.status?.execution === execution
    return runs && !isListed(execution) ? [{ slot: 0, execution, task: task.metadata.name, isStarting: false }] : []
  })
  return [...holders, ...leaseless]
}

function toHolder(views: Views, agent: Agent, lease: Lease): SlotHolder[] {
  const execution = holderOf(lease)
  if (execution === undefined) return []
  const slot = Number(lease.metadata.name.slice(slotName(agent.metadata.name, 1).length - 1))
  const stuckPod = findStuckPod(views, agent.metadata.namespace, execution)
  const name = taskOfExecution(execution)
  const task = views.tasks.get({ namespace: agent.metadata.namespace, name })
  const isStarting = task !== undefined && stateOf(task) === 'QUEUED' && nextExecution(task) === execution
  return [{ slot, execution, task: name, stuckPod, isStarting }]
}

/** A pod that outlives its ended execution although it was told to stop. */
function findStuckPod(views: Views, namespace: string | undefined, name: string): string | undefined {
  const execution = views.executions.get({ namespace, name })
  if (execution === undefined || !isTerminal(execution)) return undefined
  const pods = views.pods.byIndex('ofExecution', indexKey(namespace, name))
  return pods.find((pod) => pod.metadata.deletionTimestamp !== undefined && !hasPodEnded(pod))?.metadata.name
}
