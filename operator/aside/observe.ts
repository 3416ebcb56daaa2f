import { slotCount } from '../../core/agent/schedule.ts'
import type { Agent, Execution } from '../../core/crd/types.ts'
import { isTerminal, isWork } from '../../core/execution/state.ts'
import { asideName, slotName } from '../../core/names.ts'
import { holderOf } from '../../kube/lease.ts'
import type { ObjectKey } from '../../kube/types.ts'
import type { OperatorContext, Views } from '../context.ts'
import { indexKey } from '../context.ts'
import type { ObservedExecution } from '../execution/observe.ts'
import { observeExecution } from '../execution/observe.ts'
import { standInFor } from './stand-in.ts'

/** Everything that the next step of one execution beside the tasks depends on. */
export interface ObservedAside {
  readonly now: Date
  readonly execution: Execution
  readonly agent: Agent | undefined
  /** As the only execution of a task that nobody else sees. */
  readonly run: ObservedExecution
  /** Whether it has what its agent gives to one at a time. */
  readonly hasPlace: boolean
  /** A Lease that it could take; undefined while all are held. */
  readonly freePlace: ObjectKey | undefined
  /** Whether no older one waits for the same agent. */
  readonly isNext: boolean
}

/** @returns undefined when there is no such execution, or when it does a task's work */
export async function observeAside(context: OperatorContext, key: ObjectKey): Promise<ObservedAside | undefined> {
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
  const places = agent === undefined ? [] : placesOf(agent)
  return {
    now: clock.now(),
    execution,
    agent,
    run: await observeExecution(context, standInFor(execution, { task, story }), execution),
    hasPlace: heldPlaces(views, key).length > 0,
    freePlace: places.find((place) => isFree(views, place)),
    isNext: !openAsides(views, namespace, agentName).some((other) => isBefore(other, execution)),
  }
}

/**
 * Those of an agent that have not ended. An agent whose login is renewed by its CLI must not be used twice at once:
 * it has no place beside its slots (specification §6.14).
 */
function placesOf({ metadata: { name, namespace }, ...agent }: Agent): ObjectKey[] {
  if (agent.spec.credentials?.writeBack !== true) return [{ namespace, name: asideName(name) }]
  const count = slotCount({ metadata: { name }, ...agent })
  return Array.from({ length: count }, (_, i) => ({ namespace, name: slotName(name, i + 1) }))
}

function isFree({ leases }: Views, place: ObjectKey): boolean {
  const lease = leases.get(place)
  return lease === undefined || holderOf(lease) === undefined
}

/** The Leases that an execution holds, slots included. */
export function heldPlaces({ leases }: Views, { namespace, name }: ObjectKey) {
  return leases.byIndex('ofHolder', indexKey(namespace, name))
}

/** The executions beside an agent's tasks that have not ended. */
export function openAsides({ executions }: Views, namespace: string | undefined, agent = ''): readonly Execution[] {
  return executions
    .byIndex('openOfAgent', indexKey(namespace, agent))
    .filter((execution) => !isWork(execution) && !isTerminal(execution))
}

function isBefore(a: Execution, b: Execution): boolean {
  const order = ({ metadata }: Execution): string => `${metadata.creationTimestamp ?? ''}/${metadata.name}`
  const waits = a.status?.state === undefined || a.status.state === 'PENDING'
  return waits && order(a) < order(b)
}
