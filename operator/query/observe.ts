import { slotCount } from '../../core/agent/schedule.ts'
import type { Agent, Execution, Project, Story, Task, AgentConfiguration } from '../../core/crd/types.ts'
import { notPreparedReason } from '../../core/environment/prepare.ts'
import { isTerminal, isWork } from '../../core/execution/state.ts'
import { formerQueryLeaseName, queryLeaseName, slotName, API_VERSION } from '../../core/names.ts'
import { pick, withoutAbsent } from '../../core/omit.ts'
import { type DeliverySubject, notDeliveredReason } from '../../core/task/accepted-delivery.ts'
import { projectOf } from '../../core/task/project.ts'
import { holderOf } from '../../kube/lease.ts'
import { PROJECTS, STORIES, TASKS } from '../../kube/resources.ts'
import type { ObjectKey } from '../../kube/types.ts'
import { type OperatorContext, type Views, indexKey } from '../context.ts'
import { type ObservedExecution, observeExecution } from '../execution/observe.ts'

/** Everything that the next step of one query or delivery depends on. */
export interface ObservedQuery {
  readonly now: Date
  readonly execution: Execution
  readonly agent: Agent | undefined
  /** As the only execution of a task that nobody else sees. */
  readonly run: ObservedExecution
  /** Whether it has what its agent gives to one at a time. */
  readonly hasLease: boolean
  /** A Lease that it could take; undefined while all are held. */
  readonly freeLease: ObjectKey | undefined
  /** Whether no older one waits for the same agent. */
  readonly isNext: boolean
  /** Why a delivery or a setup that has not begun is not carried out, in words. */
  readonly refusal: string | undefined
}

/** @returns undefined when there is no such execution, or when it does a task's work */
export async function observeQuery(context: OperatorContext, key: ObjectKey): Promise<ObservedQuery | undefined> {
  const { views, clock } = context
  const execution = views.executions.get(key)
  if (execution === undefined || isWork(execution) || execution.metadata.deletionTimestamp !== undefined)
    return undefined
  const { taskRef, storyRef, agent: agentName } = execution.spec
  const { namespace } = key
  const find = <T>(view: { get(key: ObjectKey): T | undefined }, name: string | undefined): T | undefined =>
    name === undefined ? undefined : view.get({ namespace, name })
  const task = find(views.tasks, taskRef?.name)
  const story = find(views.stories, storyRef?.name ?? task?.spec.storyId)
  const agent = find(views.agents, agentName)
  const leases = agent === undefined ? [] : leasesFor(views, agent)
  return {
    now: clock.now(),
    execution,
    agent,
    run: await observeExecution(context, toSyntheticTask(execution, { task, story }), execution),
    hasLease: heldLeases(views, key).length > 0,
    freeLease: leases.find((lease) => isFree(views.leases, lease)),
    isNext: !openQueries(views, namespace, agentName).some((other) => isBefore(other, execution)),
    refusal: await findRefusal(context, execution),
  }
}

/** What the caches refuse is checked once more with the server: an accept may be newer than they are. */
async function findRefusal({ client, views }: OperatorContext, execution: Execution): Promise<string | undefined> {
  if (isTerminal(execution) || (execution.status?.jobs ?? 0) > 0) return undefined
  if (execution.spec.purpose === 'Prepare') return findSetupRefusal({ client, views }, execution)
  if (execution.spec.purpose !== 'Deliver') return undefined
  const cached = await readSubject(execution, {
    task: (key) => views.tasks.get(key),
    story: (key) => views.stories.get(key),
    project: (key) => views.projects.get(key),
  })
  if (notDeliveredReason(execution, cached) === undefined) return undefined
  const live = await readSubject(execution, {
    task: (key) => client.find(TASKS, key),
    story: (key) => client.find(STORIES, key),
    project: (key) => client.find(PROJECTS, key),
  })
  return notDeliveredReason(execution, live)
}

async function findSetupRefusal(
  { client, views }: Pick<OperatorContext, 'client' | 'views'>,
  execution: Execution,
): Promise<string | undefined> {
  const key = { namespace: execution.metadata.namespace, name: execution.spec.projectRef?.name ?? '' }
  if (notPreparedReason(execution, views.projects.get(key)) === undefined) return undefined
  return notPreparedReason(execution, await client.find(PROJECTS, key))
}

type Find<T> = (key: ObjectKey) => T | undefined | Promise<T | undefined>

async function readSubject(
  { metadata: { namespace }, spec }: Execution,
  find: { readonly task: Find<Task>; readonly story: Find<Story>; readonly project: Find<Project> },
): Promise<DeliverySubject> {
  const read = async <T>(by: Find<T>, name: string | undefined): Promise<T | undefined> =>
    name === undefined ? undefined : by({ namespace, name })
  const task = await read(find.task, spec.taskRef?.name)
  const story = await read(find.story, task === undefined ? spec.storyRef?.name : task.spec.storyId)
  const project = task === undefined ? story?.spec.projectId : projectOf(task, story)
  return { task, story, project: await read(find.project, project) }
}

/**
 * The Leases of which a query of an agent takes one. An agent whose login is renewed by its CLI must not be used twice at once:
 * its queries take its slots (specification §6.14).
 */
function leasesFor({ leases }: Views, { metadata: { name, namespace }, ...agent }: Agent): ObjectKey[] {
  if (agent.spec.credentials?.writeBack !== true) {
    const isUnheld = isFree(leases, { namespace, name: formerQueryLeaseName(name) })
    return isUnheld ? [{ namespace, name: queryLeaseName(name) }] : []
  }
  const count = slotCount({ metadata: { name }, ...agent })
  return Array.from({ length: count }, (_, i) => ({ namespace, name: slotName(name, i + 1) }))
}

function isFree(leases: Views['leases'], key: ObjectKey): boolean {
  const lease = leases.get(key)
  return lease === undefined || holderOf(lease) === undefined
}

/** The Leases that an execution holds, slots included. */
export function heldLeases({ leases }: Views, { namespace, name }: ObjectKey) {
  return leases.byIndex('ofHolder', indexKey(namespace, name))
}

/** The queries and deliveries of an agent that have not ended. */
export function openQueries({ executions }: Views, namespace: string | undefined, agent = ''): readonly Execution[] {
  return executions
    .byIndex('openOfAgent', indexKey(namespace, agent))
    .filter((execution) => !isWork(execution) && !isTerminal(execution))
}

function isBefore(a: Execution, b: Execution): boolean {
  const order = ({ metadata }: Execution): string => `${metadata.creationTimestamp ?? ''}/${metadata.name}`
  const waits = a.status?.state === undefined || a.status.state === 'PENDING'
  return waits && order(a) < order(b)
}

const DEFAULT_TIMEOUT = '5m'

/** Who plans or evaluates reads; an evaluation runs the story's checks as well. */
const READING_TOOLS = ['Read', 'Grep', 'Glob', 'LS']

/** What a query or delivery is about, as far as it exists. */
interface Subject {
  readonly task: Task | undefined
  readonly story: Story | undefined
}

/**
 * The task that a query or delivery is run for: one that nobody else ever sees, with this as its only execution,
 * so that Jobs, pods and ends are those of all executions. Its sandbox has the execution's name.
 */
function toSyntheticTask({ metadata, spec, status }: Execution, subject: Subject): Task {
  const { name, namespace } = metadata
  return {
    apiVersion: API_VERSION,
    kind: 'Task',
    metadata: { name, ...(namespace === undefined ? {} : { namespace }) },
    spec: {
      title: `${spec.purpose} ${name}`,
      timeout: spec.timeout ?? DEFAULT_TIMEOUT,
      agent: toolsOf(spec.purpose),
      ...repositoryFields(spec, subject),
      ...(spec.purpose === 'Prepare' ? withoutAbsent({ baseBranch: subject.task?.spec.baseBranch }) : {}),
    },
    status: {
      state: 'RUNNING',
      execution: name,
      executions: 1,
      ...withoutAbsent({ cancelRequestedAt: status?.cancelRequestedAt }),
      // What was shown for review, and whose it is: a delivery brings nothing else.
      ...(spec.purpose === 'Deliver' ? pick(subject.task?.status ?? {}, ['baseCommit', 'head', 'pushes']) : {}),
    },
  }
}

/** Where it looks; who only chooses an agent needs no repository, and has no time to clone one. */
function repositoryFields(spec: Execution['spec'], { task, story }: Subject): Partial<Task['spec']> {
  if (spec.purpose === 'Classify') return {}
  return withoutAbsent({
    project: spec.projectRef?.name ?? task?.spec.project,
    repositoryUrl: spec.repositoryUrl ?? (spec.projectRef === undefined ? task?.spec.repositoryUrl : undefined),
    storyId: story?.metadata.name ?? task?.spec.storyId,
  })
}

function toolsOf(purpose: Execution['spec']['purpose']): AgentConfiguration {
  return purpose === 'Evaluate' || purpose === 'Deliver' || purpose === 'Prepare' ? {} : { allowedTools: READING_TOOLS }
}
