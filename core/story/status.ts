import type { Story, StoryEvaluation, StoryStatus, StoryStatusFields, Task } from '../crd/types.ts'
import { toTimestamp } from '../time.ts'
import { standingsOf, tally } from './tally.ts'
import { eventsCountedAt } from './task-events.ts'

/** The status of a story; one without is in DISCOVERY, where stories begin (decisions, section 4). */
export function storyStatus(story: Story): StoryStatus {
  return story.status?.status ?? 'DISCOVERY'
}

/** The story's status fields in another status; `at` and what had happened to its tasks by then bound what counts as later. */
export function moveStory(story: Story, tasks: readonly Task[], to: StoryStatus, at: Date): StoryStatusFields {
  const statusChangedAt = toTimestamp(at)
  const countedEvents = eventsCountedAt(story, tasks, statusChangedAt)
  const evaluation = to === 'VALIDATING' ? { evaluation: beginRound(story, statusChangedAt) } : {}
  return { ...story.status, status: to, statusChangedAt, countedEvents, ...evaluation }
}

/** Each move to VALIDATING begins a round of evaluation; nothing that was said before counts in it. */
function beginRound(story: Story, startedAt: string): StoryEvaluation {
  const round = (story.status?.evaluation?.round ?? 0) + 1
  return { ...tally(standingsOf(story, [])), round, startedAt }
}
