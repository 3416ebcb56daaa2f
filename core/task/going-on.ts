import { findDoneRefusal } from '../story/done.ts'
import type { Agent, Story, Task } from '../crd/types.ts'
import { WAITING } from '../sentences/waiting.ts'
import { resumesByItself } from './retry.ts'

/** What the answer depends on beside the task. */
export interface AroundTask {
  /** The one it belongs to, where that exists. */
  readonly story?: Story | undefined
  /** The one that it ran with, where that exists. */
  readonly ownAgent?: Agent | undefined
}

interface Held {
  readonly reason: 'CheckedOut' | 'Suspended' | 'StoryDone'
  readonly summary: string
}

/** How a task that rests is to go on without a person. */
export interface GoingOn {
  /** When it is tried again (RFC 3339); absent: when its last subtask is done. */
  readonly at?: string
  /** What keeps it from that until somebody changes it. */
  readonly held?: Held
}

/**
 * Whether and when a task that rests goes on by itself, or what keeps it from that: for the operator, which does it, and for
 * all that says so. Source: specification §4.15, §4.18.
 *
 * @returns undefined where only a person can let it go on, and for a task that does not rest
 */
export function findGoingOn({ spec, status = {} }: Task, { story, ownAgent }: AroundTask): GoingOn | undefined {
  const { state, question, resumeAfter: at, checkedOut } = status
  if (state === 'BLOCKED') return question === undefined ? {} : undefined
  if (at === undefined || (state !== 'FAILED' && state !== 'BUDGET_EXCEEDED')) return undefined
  if (checkedOut !== undefined) return hold(at, 'CheckedOut', WAITING.checkedOut(checkedOut.by))
  if (spec.suspend === true) return hold(at, 'Suspended', WAITING.suspended)
  if (ownAgent !== undefined && !resumesByItself(ownAgent))
    return hold(at, 'Suspended', WAITING.noAutoResume(ownAgent.metadata.name))
  const refusal = findDoneRefusal(story)
  return refusal === undefined ? { at } : hold(at, 'StoryDone', refusal)
}

function hold(at: string, reason: Held['reason'], summary: string): GoingOn {
  return { at, held: { reason, summary } }
}

/** Whether a task that rests goes on without a person. */
export function goesOn(task: Task, around: AroundTask): boolean {
  const found = findGoingOn(task, around)
  return found !== undefined && found.held === undefined
}
