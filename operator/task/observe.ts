import type { Candidate } from '../../core/agent/classify.ts'
import { nextExecution } from '../../core/agent/schedule.ts'
import type { WaitingContext } from '../../core/agent/waiting.ts'
import type { Execution, Project, Story, Task } from '../../core/crd/types.ts'
import { agentOfSlot, ANNOTATIONS } from '../../core/names.ts'
import type { TaskSurroundings } from '../../core/task/decide.ts'
import { stateOf } from '../../core/task/decide.ts'
import { deliveryExecution } from '../../core/task/delivery.ts'
import { projectOf } from '../../core/task/place.ts'
import { readSurroundings } from '../../core/task/surroundings.ts'
import { holderOf } from '../../kube/lease.ts'
import { EXECUTIONS } from '../../kube/resources.ts'
import type { ObjectKey } from '../../kube/types.ts'
import type { SharedBranch } from '../branch.ts'
import { sharedBranch } from '../branch.ts'
import type { OperatorContext } from '../context.ts'
import { indexKey } from '../context.ts'
import { sortExecutions } from '../execution/orphan.ts'
import { candidatesOf, mayTaskRun, taskIndex, waitingContext } from '../loads.ts'
import type { ObservedQuestion } from './classification.ts'
import { observeQuestion } from './classification.ts'

/** A slot that an execution of the task holds. */
export interface HeldSlot {
  readonly lease: ObjectKey
  readonly agent: string
  readonly execution: string
}

/** Everything that the next step of one task depends on, read from the caches in one go. */
export interface ObservedTask {
  readonly now: Date
  readonly task: Task
  /** Of this task, in no particular order. */
  readonly executions: readonly Execution[]
  /** The one that has the name of its next, whoever made it. */
  readonly next: Execution | undefined
  readonly slots: readonly HeldSlot[]
  /** What it shares with other tasks; undefined for a branch of its own. */
  readonly branch: SharedBranch | undefined
  /** The one it belongs to, where that exists. */
  readonly story: Story | undefined
  readonly project: Project | undefined
  /** The one that delivers its accepted work, or that has the name of the one to come. */
  readonly delivery: Execution | undefined
  /** What a model is asked about its agent; undefined where nobody is to be asked. */
  readonly question: ObservedQuestion | undefined
  readonly waiting: WaitingContext
  /** What a decision by annotation depends on. */
  readonly surroundings: TaskSurroundings
  /** All agents; read only where a task is to be classified or started. */
  readonly candidates: () => readonly Candidate[]
  /** Whether a pod of any of its executions can still run: then clone and session stay, and nothing else starts in them. */
  readonly mayStillRun: boolean
  /** Whether executions of an earlier task of its name are still there: their names and its sandbox are taken. */
  readonly hasOrphans: boolean
}

/** @returns undefined when there is no such task */
export async function observeTask(context: OperatorContext, key: ObjectKey): Promise<ObservedTask | undefined> {
  const { views, clock } = context
  const task = views.tasks.get(key)
  if (task === undefined) return undefined
  await ensureCurrentExecution(context, task)
  const { own: executions, orphaned } = sortExecutions(context, key, task)
  const { storyId } = task.spec
  const { namespace } = key
  const story = storyId === undefined ? undefined : views.stories.get({ namespace, name: storyId })
  const projectName = projectOf(task, story)
  return {
    now: clock.now(),
    task,
    story,
    project: projectName === undefined ? undefined : views.projects.get({ namespace, name: projectName }),
    delivery: await findDelivery(context, task),
    question: await observeQuestion(context, task),
    executions,
    next: views.executions.get({ namespace, name: nextExecution(task) }),
    slots: heldSlots(context, key),
    branch: sharedBranch(views, task),
    waiting: waitingContext(context, key.namespace),
    surroundings: observeSurroundings(views, task),
    candidates: () => candidatesOf(context, key.namespace, task.spec.project),
    mayStillRun: mayTaskRun(views, key),
    hasOrphans: orphaned.length > 0,
  }
}

function observeSurroundings(views: OperatorContext['views'], task: Task): TaskSurroundings {
  const { namespace, annotations } = task.metadata
  const agent = annotations?.[ANNOTATIONS.agent]
  const source = {
    tasks: taskIndex(views, namespace),
    findStory: (name: string) => views.stories.get({ namespace, name }),
  }
  return readSurroundings(task, source, agent === undefined ? undefined : views.agents.get({ namespace, name: agent }))
}

/** That it is gone is believed only when the server says so: a cache that lags must not have it made a second time. */
async function findDelivery({ client, views }: OperatorContext, task: Task): Promise<Execution | undefined> {
  const { state, execution } = task.status?.delivery ?? {}
  if (state !== 'Pending') return undefined
  const key = { namespace: task.metadata.namespace, name: deliveryExecution(task) }
  return views.executions.get(key) ?? (execution === undefined ? undefined : client.find(EXECUTIONS, key))
}

/** A cache that lags behind must not make a running execution look deleted. */
async function ensureCurrentExecution({ client, views }: OperatorContext, task: Task): Promise<void> {
  const name = task.status?.execution
  if (name === undefined || stateOf(task) !== 'RUNNING') return
  const key = { namespace: task.metadata.namespace, name }
  if (views.executions.get(key) !== undefined) return
  const found = await client.find(EXECUTIONS, key)
  if (found !== undefined) views.executions.observe(found)
}

/** The slots that executions of a task hold, whether the task still exists or not. */
export function heldSlots({ views }: OperatorContext, { namespace, name }: ObjectKey): HeldSlot[] {
  return views.leases.byIndex('ofTask', indexKey(namespace, name)).flatMap((lease) => {
    const execution = holderOf(lease)
    const agent = agentOfSlot(lease.metadata.name)
    if (execution === undefined || agent === undefined) return []
    return [{ lease: { namespace, name: lease.metadata.name }, agent, execution }]
  })
}
