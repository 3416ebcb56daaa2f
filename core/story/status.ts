import type { Story, StoryEvaluation, StoryStatus, StoryStatusFields, Task } from '../crd/types.ts'
import { toMicroTimestamp, toTimestamp } from '../time.ts'
import { JUDGED_STATUS } from './transitions.ts'
import { standingsOf, tally } from './tally.ts'
import { countEvents } from './task-events.ts'

/** The status of a story; one without is in DISCOVERY, where stories begin (specification §5.1). */
export function storyStatus(story: Story): StoryStatus {
  return story.status?.status ?? 'DISCOVERY'
}

/** The story's status fields in another status; what is known to have happened to its tasks moves it no more. */
export function moveStory(story: Story, tasks: readonly Task[], to: StoryStatus, at: Date): StoryStatusFields {
  const statusChangedAt = toTimestamp(at)
  const movedFrom = storyStatus(story)
  const isRound = to === JUDGED_STATUS && movedFrom === EVALUATED_FROM
  const evaluation = isRound ? { evaluation: beginRound(story, toMicroTimestamp(at)) } : {}
  return { ...story.status, status: to, movedFrom, statusChangedAt, ...countEvents(story, tasks), ...evaluation }
}

/** Evaluation runs when a SHIPPABLE story is moved to VALIDATING. */
const EVALUATED_FROM: StoryStatus = 'SHIPPABLE'

/**
 * Whether a story in VALIDATING is there to be evaluated. Read from what its last move wrote, so that neither who moved
 * it nor a restart matters. One that was moved before moves said where from has begun its round.
 */
export function isUnderEvaluation(story: Story): boolean {
  const { movedFrom = EVALUATED_FROM, evaluation } = story.status ?? {}
  return storyStatus(story) === JUDGED_STATUS && movedFrom === EVALUATED_FROM && evaluation?.round !== undefined
}

/** A move from SHIPPABLE to VALIDATING begins a round of evaluation; nothing that was said before counts in it. */
function beginRound(story: Story, startedAt: string): StoryEvaluation {
  const round = (story.status?.evaluation?.round ?? 0) + 1
  return { ...tally(standingsOf(story, [])), round, startedAt }
}
