/** Ends all that runs in a namespace, so that Slipway can be removed from it (docs/operate/uninstall.md). */
import type { Execution, Task } from '../core/crd/types.ts'
import { isTerminal, isWork } from '../core/execution/state.ts'
import { ANNOTATIONS, FINALIZER, LABELS, MANAGED_BY } from '../core/names.ts'
import { stateOf } from '../core/task/decide.ts'
import { keyOf } from '../kube/keys.ts'
import { EXECUTIONS, JOBS, TASKS } from '../kube/resources.ts'
import {
  type KubeClient,
  type KubeObject,
  type Resource,
  isConflict,
  isNotFound,
  isUndefinedKind,
} from '../kube/types.ts'
import { type Clock, delay } from '../lib/clock.ts'
import { findAskedAction } from '../operator/action-annotation.ts'

export interface StopOptions {
  readonly client: KubeClient
  readonly namespace: string
  /** How long the operator has. */
  readonly waitMs: number
  readonly clock: Clock
  /** One line for people at each step. */
  readonly say: (text: string) => void
  readonly signal?: AbortSignal
}

const POLL_MS = 1000

/**
 * Cancels, waits for the operator, and then removes what would outlive it. Safe to run again, with or without an
 * operator, and where our kinds are not defined any more.
 */
export async function stopExecutions(options: StopOptions): Promise<void> {
  const { client, namespace, waitMs, clock, say, signal } = options
  const end = clock.now().getTime() + waitMs
  for (;;) {
    // Tasks first: until the operator has taken the cancel of a queued one, it may make an execution of it.
    const active = (await listOurs(client, TASKS, namespace)).filter(isActive)
    for (const task of active.filter((task) => !isAsked(task))) await cancel(options, task)
    const held = (await listOurs(client, EXECUTIONS, namespace)).filter(isHeld)
    if (active.length === 0 && held.length === 0) return
    for (const execution of held.filter(isUndeletedQuery)) await remove(options, execution)
    if (clock.now().getTime() >= end && (await isAbandoned(options, held))) return
    say(`waiting for ${[...(held.length > 0 ? held : active)].map(({ metadata }) => metadata.name).join(', ')}`)
    await delay(clock, POLL_MS, signal)
    if (signal?.aborted === true) return
  }
}

async function listOurs<T extends KubeObject>(
  client: KubeClient,
  resource: Resource<T>,
  namespace: string,
): Promise<readonly T[]> {
  try {
    return (await client.list(resource, { namespace })).items
  } catch (error) {
    // With the definition all objects are gone.
    if (isUndefinedKind(error)) return []
    throw error
  }
}

function isActive(task: Task): boolean {
  const state = stateOf(task)
  return state === 'QUEUED' || state === 'RUNNING' || task.status?.resumeAfter !== undefined
}

/** Not by an annotation that was spent before, which a GitOps tool leaves in place. */
function isAsked(task: Task): boolean {
  const asked = findAskedAction({ kind: 'Task', object: task })?.action
  return task.status?.cancelRequestedAt !== undefined || asked === 'cancel'
}

/** Runs, or keeps its namespace from being deleted. */
function isHeld(execution: Execution): boolean {
  return !isTerminal(execution) || execution.metadata.finalizers?.includes(FINALIZER) === true
}

/** A query has no task that could be cancelled. */
function isUndeletedQuery(execution: Execution): boolean {
  return !isWork(execution) && execution.metadata.deletionTimestamp === undefined
}

async function cancel({ client, say }: StopOptions, task: Task): Promise<void> {
  say(`cancelling ${task.metadata.name}`)
  const annotations = {
    [ANNOTATIONS.action]: 'cancel',
    // Under the id of an action before it, it might count as spent.
    [ANNOTATIONS.actionId]: null,
    // Nobody whose name is left there asks for this.
    [ANNOTATIONS.by]: null,
    [ANNOTATIONS.comment]: 'Slipway is being uninstalled',
  }
  await ifThere(() => client.mergePatch(TASKS, keyOf(task), { metadata: { annotations } }))
}

async function remove({ client }: StopOptions, execution: Execution): Promise<void> {
  await ifThere(() => client.delete(EXECUTIONS, keyOf(execution), { propagationPolicy: 'Background' }))
}

/** No operator ends these in time: their pods end with their Jobs, and nothing waits for a clean-up that nobody does. */
async function abandon({ client, namespace, say }: StopOptions, held: readonly Execution[]): Promise<void> {
  if (held.length === 0) return say('no operator has taken the cancels; one that starts later does')
  const names = new Set(held.map(({ metadata }) => metadata.name))
  say(`not ended in time, removed by force: ${[...names].join(', ')}`)
  const jobs = await client.list(JOBS, { namespace, labelSelector: `${LABELS.managedBy}=${MANAGED_BY}` })
  for (const job of jobs.items) {
    const { [LABELS.execution]: of = '' } = job.metadata.labels ?? {}
    if (names.has(of)) await ifThere(() => client.delete(JOBS, keyOf(job), { propagationPolicy: 'Background' }))
  }
  for (const { metadata } of held) {
    const finalizers = (metadata.finalizers ?? []).filter((name) => name !== FINALIZER)
    const { resourceVersion } = metadata
    await ifThere(() =>
      client.mergePatch(EXECUTIONS, keyOf({ metadata }), { metadata: { finalizers, resourceVersion } }),
    )
  }
}

/** @returns false when somebody, such as an operator after all, wrote one of them meanwhile: they are looked at again */
async function isAbandoned(options: StopOptions, held: readonly Execution[]): Promise<boolean> {
  try {
    await abandon(options, held)
    return true
  } catch (error) {
    if (!isConflict(error)) throw error
    return false
  }
}

async function ifThere(act: () => Promise<unknown>): Promise<void> {
  try {
    await act()
  } catch (error) {
    if (!isNotFound(error)) throw error
  }
}
