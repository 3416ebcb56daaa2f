/** What a story keeps of its tasks' pushes, and what accepting it adds to the default branch (specification §4.25). */
import type { Execution, RecordedPush, Story, StoryReview, StoryStatusFields, Task } from '../crd/types.ts'
import { findWorkAuthors } from '../four-eyes.ts'
import { pick, withoutAbsent } from '../omit.ts'
import { MAX_PUSHES } from '../review/commits.ts'
import { reviewedOfStory } from '../task/delivery.ts'
import { FINDINGS, hasPush, pushesOf } from '../task/reviewed.ts'

/**
 * Pushes of all tasks to their story's branch. The story keeps them, since tasks are deleted. No clock says which of them are
 * new to it: two tasks may end in one second, or on nodes whose clocks differ. Only what is older than all that it kept is
 * what it dropped.
 */
export function pushesToStory({ status }: Story, tasks: readonly Task[]): readonly RecordedPush[] {
  const known = status?.pushes ?? []
  const since = known.length < MAX_PUSHES ? '' : (known[0]?.at ?? '')
  const isKnown = (push: RecordedPush): boolean => push.at < since || hasPush(known, push)
  const more = tasks.flatMap(pushesOf).filter((push) => !isKnown(push))
  if (more.length === 0) return known
  return [...known, ...more.sort((a, b) => (a.at < b.at ? -1 : 1))].slice(-MAX_PUSHES)
}

/** What a story keeps of its tasks' work: its review is that of the commit which an accept would take. */
export function storyReview(
  story: Story,
  tasks: readonly Task[],
  executions: readonly Execution[],
): Pick<StoryStatusFields, 'authors' | 'pushes' | 'review'> {
  const pushes = pushesToStory(story, tasks)
  const authors = findWorkAuthors(
    story,
    tasks.filter((task) => pushesOf(task).length > 0),
  )
  const moved = tasks.find(({ status }) => status?.delivery?.state === 'Moved')?.status?.delivery?.reviewed
  const head = moved ?? reviewedOfStory(tasks)
  const found = [...executions].sort(byEnd).flatMap((execution) => toReview(execution) ?? [])
  const kept = story.status?.review?.head === head ? story.status?.review : undefined
  return withoutAbsent({
    authors: authors.length === 0 ? undefined : authors,
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
  const { head, baseCommit } = status
  if (spec.purpose !== 'Deliver' || head === undefined || baseCommit === undefined) return undefined
  return { execution, head, baseCommit, ...pick(status, ['commits', ...FINDINGS]) }
}
