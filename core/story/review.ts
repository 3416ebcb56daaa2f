/** What a story keeps of its tasks' pushes, and what accepting it adds to the default branch (specification §4.25). */
import type { Execution, RecordedPush, Story, StoryReview, StoryStatusFields, Task } from '../crd/types.ts'
import { withoutAbsent } from '../omit.ts'
import { MAX_PUSHES } from '../review/commits.ts'
import { reviewedOfStory } from '../task/delivery.ts'
import { pushesOf } from '../task/reviewed.ts'

/**
 * Pushes of all tasks to their story's branch. The story keeps them, since tasks are deleted; one task at a time writes the
 * branch, so those that it does not know yet are later than all that it knows.
 */
export function pushesToStory({ status }: Story, tasks: readonly Task[]): readonly RecordedPush[] {
  const known = status?.pushes ?? []
  const since = known.at(-1)?.at ?? ''
  const more = tasks.flatMap(pushesOf).filter(({ at }) => at > since)
  if (more.length === 0) return known
  return [...known, ...more.sort((a, b) => (a.at < b.at ? -1 : 1))].slice(-MAX_PUSHES)
}

/** What a story keeps of its tasks' work: its review is that of the commit which an accept would take. */
export function storyReview(
  story: Story,
  tasks: readonly Task[],
  executions: readonly Execution[],
): Pick<StoryStatusFields, 'pushes' | 'review'> {
  const pushes = pushesToStory(story, tasks)
  const moved = tasks.find(({ status }) => status?.delivery?.state === 'Moved')?.status?.delivery?.reviewed
  const head = moved ?? reviewedOfStory(tasks)
  const found = [...executions].sort(byEnd).flatMap((execution) => toReview(execution) ?? [])
  const kept = story.status?.review?.head === head ? story.status?.review : undefined
  return withoutAbsent({
    pushes: pushes.length === 0 ? undefined : [...pushes],
    review: found.findLast((review) => review.head === head) ?? kept,
  })
}

function byEnd(a: Execution, b: Execution): number {
  return (a.status?.finishedAt ?? '') < (b.status?.finishedAt ?? '') ? -1 : 1
}

function toReview({ metadata, spec, status = {} }: Execution): StoryReview | undefined {
  const execution = metadata.name
  if (status.branchReview !== undefined) return { execution, ...status.branchReview }
  const { head, baseCommit, commits, changes, foreignCommits, foreignCommitCount, hiddenCommits } = status
  if (spec.purpose !== 'Deliver' || head === undefined || baseCommit === undefined) return undefined
  const more = withoutAbsent({ commits, changes, foreignCommits, foreignCommitCount, hiddenCommits })
  return { execution, head, baseCommit, ...more }
}
