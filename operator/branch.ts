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
import { agentOf } from '../core/agent/waiting.ts'
import { nextExecution } from '../core/agent/schedule.ts'
import type { Task } from '../core/crd/types.ts'
import { branchLeaseName } from '../core/names.ts'
import { stateOf } from '../core/task/decide.ts'
import { projectOf } from '../core/task/project.ts'
import { holderOf } from '../kube/lease.ts'
import type { ObjectKey } from '../kube/types.ts'
import { findSharedBranch } from '../lib/shared-branch.ts'
import type { Action } from './action.ts'
import { type Views, indexKey } from './context.ts'
import { withStory } from './sessions.ts'

/** A branch's Lease that an execution of a task holds. */
export interface HeldBranch {
  readonly lease: ObjectKey
  readonly execution: string
}

/** The Lease of the branch that a task shares with others; undefined for a branch of its own. */
export function findBranchLease(
  { stories, projects }: Pick<Views, 'stories' | 'projects'>,
  task: Task,
): ObjectKey | undefined {
  const { namespace } = task.metadata
  const { story } = withStory({ stories }, task)
  const name = projectOf(task, story)
  const shared = findSharedBranch(task, story, name === undefined ? undefined : projects.get({ namespace, name }))
  return shared && { namespace, name: shared.lease }
}

/** The branches that executions of a task hold, whether the task still exists or not. */
export function heldBranches({ leases }: Views, { namespace, name }: ObjectKey): HeldBranch[] {
  return leases.byIndex('ofTask', indexKey(namespace, name)).flatMap((lease) => {
    const execution = holderOf(lease)
    const isBranch = lease.metadata.name.startsWith(branchLeaseName(''))
    return execution === undefined || !isBranch ? [] : [{ lease: { namespace, name: lease.metadata.name }, execution }]
  })
}

/** The Leases that a task's executions hold. */
export interface HeldLeases {
  readonly slots: readonly { readonly execution: string }[]
  readonly branches: readonly HeldBranch[]
  /** Whether the task lacks nothing but an agent and a slot: no other writes its branch, nobody suspended it meanwhile. */
  readonly isStartable: boolean
}

/**
 * Gives up a start that has its branch and waits for a slot, or has its slot and waits for anything else: its number is
 * used up, so that what it holds is freed.
 */
export function giveUpStart(task: Task, { slots, branches, isStartable }: HeldLeases): Action[] {
  if (stateOf(task) !== 'QUEUED') return []
  const next = nextExecution(task)
  const isOwn = ({ execution }: { readonly execution: string }): boolean => execution === next
  const hasSlot = slots.some(isOwn)
  if (hasSlot ? isStartable : !branches.some(isOwn)) return []
  const type = agentOf(task)
  // From the second number on the spec's agent is only a hint: what was chosen must be noted.
  const agent = task.status?.agent ?? (type === undefined ? undefined : { type, chosenBy: 'Spec' as const })
  const executions = (task.status?.executions ?? 0) + 1
  return [{ kind: 'writeTask', task, status: { ...task.status, ...(agent && { agent }), executions } }]
}
