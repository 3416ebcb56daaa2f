/**
 * One writer per branch of a repository at a time.
 *
 * The tasks of a story share its branch, and may have different agents: before one starts it takes the Lease of the
 * branch, before the slot, so that no slot is held by who waits for a branch. It is held by the execution and freed by
 * the rule of slots. A task without a story has a branch of its own, which nobody else is given.
 *
 * Taken in the order branch, slot, and by nobody who holds a slot already, these Leases cannot wait for one another in
 * a circle. A task that took its branch and then found no slot gives up the number of that start: whoever was still
 * about to make it, say an operator that leads no more, fails by compare-and-swap, and the Lease is free.
 */
import { createHash } from 'node:crypto'
import { agentOf } from '../core/agent/waiting.ts'
import { nextExecution } from '../core/agent/schedule.ts'
import type { Task } from '../core/crd/types.ts'
import { taskOfExecution } from '../core/execution/state.ts'
import { branchLeaseName } from '../core/names.ts'
import { stateOf } from '../core/task/decide.ts'
import { projectOf } from '../core/task/place.ts'
import { branchOf } from '../core/task/start.ts'
import { holderOf } from '../kube/lease.ts'
import type { ObjectKey } from '../kube/types.ts'
import { canonicalRepository, UnusableGitUrl } from '../lib/git-url.ts'
import type { Action } from './action.ts'
import type { Views } from './context.ts'
import { indexKey } from './context.ts'

/** A branch that several tasks may write. */
export interface SharedBranch {
  readonly lease: ObjectKey
  readonly branch: string
  readonly repository: string
}

/** A branch's Lease that an execution of a task holds. */
export interface HeldBranch {
  readonly lease: ObjectKey
  readonly execution: string
}

const HASH_LENGTH = 32

/** @returns undefined for a branch of the task's own, and where the repository is not known: then it will not start */
export function sharedBranch(
  { stories, projects }: Pick<Views, 'stories' | 'projects'>,
  task: Task,
): SharedBranch | undefined {
  const { storyId, repositoryUrl } = task.spec
  const { namespace } = task.metadata
  if (storyId === undefined) return undefined
  const story = stories.get({ namespace, name: storyId })
  const project = projectOf(task, story)
  const url = repositoryUrl ?? (project && projects.get({ namespace, name: project })?.spec.remoteUrl)
  const repository = url === undefined ? undefined : canonicalOf(url)
  if (repository === undefined) return undefined
  const branch = branchOf(task, story?.spec.branchName)
  const hash = createHash('sha256').update(`${repository}\0${branch}`).digest('hex').slice(0, HASH_LENGTH)
  return { lease: { namespace, name: branchLeaseName(hash) }, branch, repository }
}

function canonicalOf(url: string): string | undefined {
  try {
    return canonicalRepository(url)
  } catch (error) {
    if (error instanceof UnusableGitUrl) return undefined
    throw error
  }
}

/** Who else writes a task's branch, in words; undefined while nobody does. */
export function describeBranchWriter(views: Views, task: Task): string | undefined {
  const shared = sharedBranch(views, task)
  const lease = shared && views.leases.get(shared.lease)
  const holder = lease && holderOf(lease)
  if (shared === undefined || holder === undefined || holder === nextExecution(task)) return undefined
  const writer = taskOfExecution(holder)
  const who = writer === task.metadata.name ? `its own earlier execution ${holder}` : writer
  return `branch ${shared.branch} of ${shared.repository} is written by ${who}`
}

/** The branches that executions of a task hold, whether the task still exists or not. */
export function heldBranches({ leases }: Views, { namespace, name }: ObjectKey): HeldBranch[] {
  return leases.byIndex('ofTask', indexKey(namespace, name)).flatMap((lease) => {
    const execution = holderOf(lease)
    const isBranch = lease.metadata.name.startsWith(branchLeaseName(''))
    return execution === undefined || !isBranch ? [] : [{ lease: { namespace, name: lease.metadata.name }, execution }]
  })
}

/** The tasks that wait in line for a branch that has just been freed, or may do so. */
export function waitingForBranch(views: Views, lease: ObjectKey): ObjectKey[] {
  if (!lease.name.startsWith(branchLeaseName(''))) return []
  const queued = views.tasks.list(lease.namespace).filter((task) => stateOf(task) === 'QUEUED')
  return queued
    .filter((task) => sharedBranch(views, task)?.lease.name === lease.name)
    .map(({ metadata: { namespace, name } }) => ({ namespace, name }))
}

/** The Leases that a task's executions hold. */
export interface HeldLeases {
  readonly slots: readonly { readonly execution: string }[]
  readonly branches: readonly HeldBranch[]
  /** Whether another task writes its branch. */
  readonly isBranchBusy: boolean
}

/**
 * Gives up a start that has its branch and waits for a slot, or the other way round: its number is used up, so that
 * what it holds is freed.
 */
export function giveUpStart(task: Task, { slots, branches, isBranchBusy }: HeldLeases): Action[] {
  if (stateOf(task) !== 'QUEUED') return []
  const next = nextExecution(task)
  const isOwn = ({ execution }: { readonly execution: string }): boolean => execution === next
  const hasSlot = slots.some(isOwn)
  if (hasSlot ? !isBranchBusy : !branches.some(isOwn)) return []
  const type = agentOf(task)
  // From the second number on the spec's agent is only a hint: what was chosen must be noted.
  const agent = task.status?.agent ?? (type === undefined ? undefined : { type, chosenBy: 'Spec' as const })
  const executions = (task.status?.executions ?? 0) + 1
  return [{ kind: 'writeTask', task, status: { ...task.status, ...(agent && { agent }), executions } }]
}
