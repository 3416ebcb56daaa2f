/** Who worked at a task by hand, which makes them its authors. Source: docs/specification.md §4.39. */
import type { ExecutionStatus, Task, TaskStatus } from '../crd/types.ts'
import { withoutAbsent } from '../omit.ts'
import { pushesOf } from './reviewed.ts'

/** How many people a task remembers; the schema's limit. */
export const MAX_PEOPLE = 50

/** The names with one more, of whom the list forgets the oldest beyond its limit. */
export function withPerson(people: readonly string[] | undefined, ...more: readonly string[]): string[] {
  return [...new Set([...(people ?? []), ...more])].slice(-MAX_PEOPLE)
}

/**
 * Settles who had a task checked out when its next execution has found what the branch has. They may have pushed with plain git and
 * released it: if the branch has got commits since that no push of ours had brought, they are authors. What the task named
 * before is nobody's of theirs, also where another task of the story has pushed meanwhile.
 */
export function judgeHolders(task: Task, found: ExecutionStatus): TaskStatus {
  const { heldBy = [], handedBackBy, ...rest } = task.status ?? {}
  if (heldBy.length === 0) return task.status ?? {}
  const { push, pushed } = found
  const hasMoved = push?.found === undefined || push.found !== pushesOf(task).at(-1)?.head
  // Where nobody knows what the branch had, it may have been theirs.
  const isUnknown = pushed === true && push === undefined
  const isForeign = isUnknown || (hasMoved && hasNewForeign(task.status, found))
  if (isForeign) return { ...rest, handedBackBy: withPerson(handedBackBy, ...heldBy) }
  return pushed === true ? { ...rest, ...withoutAbsent({ handedBackBy }) } : (task.status ?? {})
}

/** Whether an execution found commits of others that the task does not name yet; of many not all are named. */
function hasNewForeign(before: TaskStatus = {}, found: ExecutionStatus): boolean {
  const { foreignCommits: named = [], foreignCommitCount: count = 0 } = found
  const known = new Set(before.foreignCommits?.map(({ commit }) => commit))
  if (named.some(({ commit }) => !known.has(commit))) return true
  return named.length < count && count !== before.foreignCommitCount
}
