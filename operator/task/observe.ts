import type { Candidate } from '../../core/agent/fitness.ts'
import { isClassifier } from '../../core/agent/classify-by-model.ts'
import { nextExecution } from '../../core/agent/schedule.ts'
import type { TaskSchedule } from '../../core/agent/snapshot.ts'
import { agentOf } from '../../core/agent/waiting.ts'
import { Classification } from '../../core/answer/classification.ts'
import type { Agent, Execution, Project, Story, Task } from '../../core/crd/types.ts'
import { agentOfSlot, ANNOTATIONS } from '../../core/names.ts'
import { executionPath } from '../../core/execution/layout.ts'
import { type TaskSurroundings, isQueuedByPolicy, stateOf } from '../../core/task/decide.ts'
import { deliveryExecution } from '../../core/task/delivery.ts'
import { openSubtasks } from '../../core/task/dependencies.ts'
import { projectOf } from '../../core/task/project.ts'
import { readSurroundings } from '../../core/task/surroundings.ts'
import { holderOf } from '../../kube/lease.ts'
import { EXECUTIONS } from '../../kube/resources.ts'
import type { KubeObject, ObjectKey } from '../../kube/types.ts'
import { findAnswer } from '../../lib/query-files.ts'
import { compileCheck } from '../../lib/validate.ts'
import { findBranchLease } from '../branch.ts'
import { type OperatorContext, type View, indexKey } from '../context.ts'
import { sortExecutions } from '../execution/orphan.ts'
import { candidatesOf } from './candidates.ts'

/** A slot that an execution of the task holds. */
export interface HeldSlot {
  readonly lease: ObjectKey
  readonly agent: string
  readonly execution: string
}

/** The question which agent suits a task, as far as one was put. */
export interface ObservedQuestion {
  readonly asked: Execution | undefined
  readonly answer: Classification | undefined
}

/** Everything that the next step of one task depends on, read from the caches in one go, as plain data. */
export interface ObservedTask {
  readonly now: Date
  readonly task: Task
  /** Whether the API server proves who annotates. */
  readonly admissionPolicies: boolean
  /** This task's executions, in no particular order. */
  readonly executions: readonly Execution[]
  /** The one that has the name of its next, whoever made it. */
  readonly next: Execution | undefined
  readonly slots: readonly HeldSlot[]
  /** The Lease of the branch that it shares with other tasks; undefined for a branch of its own. */
  readonly branchLease: ObjectKey | undefined
  /** The one it belongs to, where that exists. */
  readonly story: Story | undefined
  readonly project: Project | undefined
  /** The one that delivers its accepted work, or that has the name of the one to come. */
  readonly delivery: Execution | undefined
  /** What a model is asked about its agent; undefined where nobody is to be asked. */
  readonly question: ObservedQuestion | undefined
  /** Why it waits, its place, and the slot it is to start in. */
  readonly schedule: TaskSchedule
  /** The slot in which a task starts that its run policy queues now; undefined where it has to wait, or shares a branch. */
  readonly slotIfQueued: number | undefined
  /** What a decision by annotation depends on. */
  readonly surroundings: TaskSurroundings
  /** The agent that it waits for, runs with or ran with, where that exists. */
  readonly agent: Agent | undefined
  /** The agents that it could be given to; empty unless one is to be chosen. */
  readonly candidates: readonly Candidate[]
  /** Those that keep it from being READY. */
  readonly openSubtasks: readonly Task[]
  /** Whether a pod of any of its executions can still run: then clone and session stay, and nothing else starts in them. */
  readonly mayStillRun: boolean
}

const checkAnswer = compileCheck(Classification)

const NOT_ASKED: ObservedQuestion = { asked: undefined, answer: undefined }

/** @returns undefined when there is no such task */
export async function observeTask(context: OperatorContext, key: ObjectKey): Promise<ObservedTask | undefined> {
  const { views, scheduling, clock } = context
  const task = views.tasks.get(key)
  if (task === undefined) return undefined
  await ensureCurrentExecution(context, task)
  const { namespace } = key
  const story = find(views.stories, namespace, task.spec.storyId)
  const project = find(views.projects, namespace, projectOf(task, story))
  const now = clock.now()
  const slotIfQueued = findSlotAtOnce(context, task, now)
  return {
    now,
    task,
    admissionPolicies: context.admissionPolicies,
    story,
    project,
    delivery: await findDelivery(context, task),
    question: await observeQuestion(context, task),
    executions: sortExecutions(context, key, task).own,
    next: views.executions.get({ namespace, name: nextExecution(task) }),
    slots: heldSlots(context, key),
    branchLease: findBranchLease(views, task),
    schedule: scheduling.scheduleOf(task, now),
    surroundings: observeSurroundings(context, task),
    agent: find(views.agents, namespace, agentOf(task)),
    slotIfQueued,
    candidates: isToBeChosen(task, slotIfQueued)
      ? candidatesOf(context, namespace, { project, named: agentOf(task) })
      : [],
    openSubtasks: openSubtasks(task, scheduling.tasks),
    mayStillRun: scheduling.mayStillRun(key.name),
  }
}

function find<T extends KubeObject>(
  view: View<T>,
  namespace: string | undefined,
  name: string | undefined,
): T | undefined {
  return name === undefined ? undefined : view.get({ namespace, name })
}

function isToBeChosen(task: Task, slotIfQueued: number | undefined): boolean {
  return (stateOf(task) === 'QUEUED' || slotIfQueued !== undefined) && task.status?.agent?.type === undefined
}

/** The branch of a task of a story is taken before the slot. */
function findSlotAtOnce({ scheduling }: OperatorContext, task: Task, now: Date): number | undefined {
  return isQueuedByPolicy(task) && task.spec.storyId === undefined ? scheduling.slotIfQueued(task, now) : undefined
}

function observeSurroundings({ views, scheduling, fourEyes = false }: OperatorContext, task: Task): TaskSurroundings {
  const { namespace, annotations } = task.metadata
  const findStory = (name: string): Story | undefined => find(views.stories, namespace, name)
  const findAgent = (name: string | undefined): Agent | undefined => find(views.agents, namespace, name)
  const source = { tasks: scheduling.tasks, findStory, findAgent, fourEyes }
  return readSurroundings(task, source, findAgent(annotations?.[ANNOTATIONS.agent]))
}

/** @returns undefined where there is no classifier and nothing was asked: then the rules choose, and nothing was looked up */
async function observeQuestion(context: OperatorContext, task: Task): Promise<ObservedQuestion | undefined> {
  const { client, views, settings, onVolume } = context
  const { namespace } = task.metadata
  if (stateOf(task) !== 'QUEUED' || task.status?.agent?.type !== undefined) return undefined
  const name = task.status?.classification?.execution
  if (name === undefined) return views.agents.list(namespace).some(isClassifier) ? NOT_ASKED : undefined
  // A cache that lags behind must not make a question look unanswered.
  const asked = views.executions.get({ namespace, name }) ?? (await client.find(EXECUTIONS, { namespace, name }))
  const isUsable = asked?.status?.state === 'COMPLETED' && asked.status.answer === 'Usable'
  const read = () => findAnswer(settings.volumeRoot, name, checkAnswer)
  return { asked, answer: isUsable ? await onVolume({ kind: 'read', path: executionPath(name) }, read) : undefined }
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
