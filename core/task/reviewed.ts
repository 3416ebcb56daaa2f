/** What a task keeps of the reviews and pushes of its executions (specification §4.25). */
import type { ExecutionStatus, RecordedPush, Task, TaskStatus } from '../crd/types.ts'
import { omit, pick } from '../omit.ts'
import { MAX_PUSHES } from '../review/commits.ts'

/** Pushes to a task's branch. Earlier versions recorded the first commit and the last alone. */
export function pushesOf({ status = {} }: Task): readonly RecordedPush[] {
  const { pushes, head, baseCommit } = status
  if (pushes !== undefined) return pushes
  if (head === undefined || baseCommit === undefined) return []
  return [{ found: baseCommit, head: head.commit, at: head.at }]
}

/** The same with that of an execution that has ended. A runner of an earlier version does not say what it found. */
export function recordPush(task: Task, { push, pushed }: ExecutionStatus, at: string): Pick<TaskStatus, 'pushes'> {
  if (pushed !== true || push === undefined) return {}
  const pushes = [...pushesOf(task), ...(push.found === push.head ? [] : [{ ...push, at }])]
  return { pushes: pushes.slice(-MAX_PUSHES) }
}

/** Whether one of these is that push, which a task and its story both keep. */
export function hasPush(pushes: readonly RecordedPush[], { found, head }: RecordedPush): boolean {
  return pushes.some((push) => push.head === head && push.found === found)
}

/** What an execution finds of the work that a reviewer is to know. */
export const FINDINGS = ['changes', 'foreignCommits', 'foreignCommitCount', 'hiddenCommits', 'bulk'] as const
const REVIEW = [...FINDINGS, 'baseCommit', 'protectedChanges'] as const

/** A status that shows what this execution found, in place of what an earlier one did. */
export function takeReview(status: TaskStatus, found: ExecutionStatus = {}): TaskStatus {
  // Without a base git has compared nothing, and the figures are what the agent printed.
  return { ...(found.baseCommit === undefined ? status : omit(status, REVIEW)), ...pick(found, REVIEW) }
}
