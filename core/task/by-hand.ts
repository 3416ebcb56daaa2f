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
 * Settles who had a task checked out when its next execution has delivered work. They may have pushed with plain git and
 * released it: if the branch had commits that no push of ours had brought, they are authors.
 */
export function judgeHolders(task: Task, { push, pushed, foreignCommitCount = 0 }: ExecutionStatus): TaskStatus {
  const { heldBy = [], handedBackBy, ...rest } = task.status ?? {}
  if (heldBy.length === 0 || pushed !== true) return task.status ?? {}
  // Where nobody knows what the branch had, it may have been theirs.
  const isForeign = push === undefined || (foreignCommitCount > 0 && push.found !== pushesOf(task).at(-1)?.head)
  const authors = isForeign ? withPerson(handedBackBy, ...heldBy) : handedBackBy
  return { ...rest, ...withoutAbsent({ handedBackBy: authors }) }
}
