/**
 * A person goes on with a task's work by hand, and hands it back (docs/adr/0016-take-over.md). Pure: what is decided here is
 * written as a compare-and-swap on the task that it was decided from.
 */
import type { Story, Task, TaskState, TaskStatus } from '../crd/types.ts'
import type { DecisionOutcome } from '../decision.ts'
import { type ApiError, apiError } from '../errors.ts'
import { omit } from '../omit.ts'
import { findDoneRefusal } from '../story/done.ts'
import { toTimestamp } from '../time.ts'
import { withPerson } from './by-hand.ts'
import { decideTask, requeue, stateOf } from './decide.ts'

/** States in which there is work to take, and no agent at it. */
export const CHECKOUT_STATES = [
  'READY',
  'FAILED',
  'TIMED_OUT',
  'CANCELLED',
  'BUDGET_EXCEEDED',
  'BLOCKED',
] as const satisfies TaskState[]

/** Who asks, and when. */
export interface TakeOver {
  readonly by: string
  readonly at: Date
}

/** What was pushed, and what the agent is still to do; without a comment nothing. */
export interface HandBack extends TakeOver {
  readonly head: string
  readonly comment?: string | undefined
}

export type TakeOverOutcome = DecisionOutcome<{ readonly status: TaskStatus }>

/** Holds a task for a person. Whoever holds it already may check it out again, into another folder. */
export function checkOut(task: Task, { by, at }: TakeOver): TakeOverOutcome {
  const { status = {} } = task
  const refusal = findCheckoutRefusal(task, by)
  if (refusal !== undefined) return { kind: 'refused', error: refusal }
  const checkedOut = status.checkedOut ?? { by, at: toTimestamp(at) }
  return {
    kind: 'allowed',
    message: 'task checked out',
    status: { ...status, checkedOut, heldBy: withPerson(status.heldBy, by) },
  }
}

/** Why a person cannot check a task out; undefined when they can. */
function findCheckoutRefusal(task: Task, by: string): ApiError | undefined {
  const { checkedOut, executions = 0 } = task.status ?? {}
  if (checkedOut !== undefined)
    return checkedOut.by === by ? undefined : refuse(`task is checked out by ${checkedOut.by}: ${RELEASE}`)
  const state = stateOf(task)
  const isAtWork = state === 'RUNNING' || state === 'QUEUED'
  const isTakeable = CHECKOUT_STATES.some((takeable) => takeable === state)
  const wayOut = isAtWork ? '; cancel it first' : ''
  if (!isTakeable) return refuse(`task cannot be checked out from state ${state}${wayOut}`)
  return executions === 0 ? refuse('task has not run yet: there is no work to check out') : undefined
}

const NO_PART = 'what was committed by hand since is no part of it; give it to a new task'
const RELEASE = 'they hand it back, or somebody releases it with slipway checkout <task> --release'

/** Ends the hold. Whoever may decide may do it for somebody else: a hold must not outlast its holder. */
export function release(task: Task): TakeOverOutcome {
  const { status = {} } = task
  if (status.checkedOut === undefined) return { kind: 'refused', error: refuse('task is not checked out') }
  return { kind: 'allowed', message: 'task released', status: omit(status, ['checkedOut']) }
}

/** Ends the hold that a task has in `begun`; one that has ended since, or is another by now, stays as it is. */
export function releaseHold(task: Task, begun: Task): TakeOverOutcome {
  const [now, then] = [task.status?.checkedOut, begun.status?.checkedOut]
  const isSame = now?.by === then?.by && now?.at === then?.at
  return isSame ? release(task) : { kind: 'refused', error: refuse('the hold has ended') }
}

/**
 * Ends the hold with the commits that the holder has pushed to the branch, whose author they are from then on. With a comment
 * the agent goes on from there, as after a revise; without one the work is reviewed as it is.
 */
export function handBack(task: Task, made: HandBack, story: Story | undefined): TakeOverOutcome {
  const { by, at, head, comment } = made
  const { status = {} } = task
  const refusal = findHandBackRefusal(task, by, story)
  if (refusal !== undefined) return { kind: 'refused', error: refusal }
  const free = { ...task, status: omit(status, ['checkedOut']) }
  const handedBackBy = withPerson(status.handedBackBy, by)
  const handedBack = { by, at: toTimestamp(at), head }
  if (comment === undefined || comment.trim() === '') {
    if (stateOf(task) === 'READY' && status.head?.commit === head)
      return { kind: 'allowed', message: 'task released: nothing was changed', status: free.status }
    const queued = omit(requeue(free, { action: 'handback', by, at }), ['revision', 'rejectionComment', 'answer'])
    const resumed = { ...queued, resume: true, handedBackBy, handedBack: { ...handedBack, withoutAgent: true } }
    const dropped = status.revision === undefined ? '' : ', with what was asked to change taken as done'
    return { kind: 'allowed', message: `task handed back for review${dropped}`, status: resumed }
  }
  // What was asked for before is what the person went on with: the comment says what is left of it.
  const asked = reviseFrom({ ...free, status: omit(free.status, ['revision', 'answer']) }, { by, at, comment })
  if (asked.kind === 'refused') return asked
  return { ...asked, status: { ...asked.status, handedBackBy, handedBack } }
}

/** A question is answered by the work, and what somebody queued meanwhile has not started. */
function reviseFrom(task: Task, { by, at, comment }: TakeOver & { readonly comment: string }): TakeOverOutcome {
  const outcome = decideTask(
    { ...task, status: { ...task.status, state: stateOf(task) === 'READY' ? 'READY' : 'CANCELLED' } },
    { action: 'revise', by, at, comment },
    { failedDependencies: [] },
  )
  return outcome.kind === 'refused' ? outcome : { kind: 'allowed', message: outcome.message, status: outcome.status }
}

/** Why a person cannot hand a task back; undefined when they can. */
export function findHandBackRefusal(task: Task, by: string, story: Story | undefined): ApiError | undefined {
  const { checkedOut } = task.status ?? {}
  const state = stateOf(task)
  const isTakeable = state === 'QUEUED' || CHECKOUT_STATES.some((takeable) => takeable === state)
  if (checkedOut === undefined && !isTakeable)
    return refuse(`task is not checked out any more and is ${state}: ${NO_PART}`)
  if (checkedOut === undefined)
    return refuse('task is not checked out: check it out first, with slipway checkout <task>')
  if (checkedOut.by !== by) return refuse(`task is checked out by ${checkedOut.by}: ${RELEASE}`)
  if (!isTakeable) return refuse(`task cannot be handed back from state ${state}`)
  const done = findDoneRefusal(story)
  return done === undefined ? undefined : refuse(done)
}

function refuse(reason: string): ApiError {
  return apiError('transition_refused', reason)
}
