import type { Story, StoryStatus, StoryStatusFields } from '../crd/types.ts'
import { STORY_STATUS_VALUES } from '../crd/enums.ts'
import { toTimestamp } from '../time.ts'
import { canMoveStory } from './transitions.ts'

/** What a person decided about a story: a move to a status, or accept, which is the move REVIEW_READY → DONE. */
export type StoryDecision =
  | { readonly action: 'accept'; readonly at: Date }
  | { readonly action: 'move'; readonly status: string; readonly at: Date }

export type StoryVerdict =
  | { readonly kind: 'allowed'; readonly status: StoryStatusFields; readonly message: string }
  | { readonly kind: 'refused'; readonly code: 400 | 409; readonly message: string }

/** The status of a story; one without is in DISCOVERY, where stories begin (decisions, section 4). */
export function storyStatus(story: Story): StoryStatus {
  return story.status?.status ?? 'DISCOVERY'
}

/**
 * Judges a human decision about a story and gives the status that follows from it. Pure: the caller writes, and
 * records the event `human_accepted` of an accept.
 *
 * Source: decisions, section 4.
 */
export function decideStory(story: Story, decision: StoryDecision): StoryVerdict {
  const from = storyStatus(story)
  if (decision.action === 'accept') {
    return from === 'REVIEW_READY'
      ? { kind: 'allowed', message: 'story accepted', status: moveStory(story, 'DONE', decision.at) }
      : refuse(409, `story cannot be accepted from status ${from}`)
  }
  const to = STORY_STATUS_VALUES.find((known) => known === decision.status)
  if (to === undefined) return refuse(400, `unknown story status ${decision.status}`)
  if (!canMoveStory(from, to)) return refuse(409, `story cannot move from ${from} to ${to}`)
  return { kind: 'allowed', message: `story moved to ${to}`, status: moveStory(story, to, decision.at) }
}

/** The story's status fields in another status; `at` bounds what later counts as an event after the move. */
export function moveStory(story: Story, to: StoryStatus, at: Date): StoryStatusFields {
  return { ...story.status, status: to, statusChangedAt: toTimestamp(at) }
}

function refuse(code: 400 | 409, message: string): StoryVerdict {
  return { kind: 'refused', code, message }
}
