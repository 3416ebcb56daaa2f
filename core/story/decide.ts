import type { Story, StoryStatus, StoryStatusFields, Task } from '../crd/types.ts'
import { STORY_STATUS_VALUES } from '../crd/enums.ts'
import { type DecisionOutcome, refuse, rememberDecision } from '../decision.ts'
import { apiError } from '../errors.ts'
import { findOwnStoryRefusal } from '../four-eyes.ts'
import { withoutAbsent } from '../omit.ts'
import { reviewedOfStory } from '../task/delivery.ts'
import { toTimestamp } from '../time.ts'
import { findDoneRefusal } from './done.ts'
import { storyStatusFields } from './progress.ts'
import { moveStory, storyStatus } from './status.ts'
import { canMoveStory, STORY_MOVES } from './transitions.ts'

/** What a person decided about a story: a move to a status, or accept, which is the move REVIEW_READY → DONE. */
export type StoryDecision = {
  /** Who, as it is shown: a token's name, or `kubectl (annotation)`. */
  readonly by: string
  readonly at: Date
} & ({ readonly action: 'accept' } | { readonly action: 'move'; readonly status: string })

/** What becomes of it: the story's whole new status. */
export type StoryOutcome = DecisionOutcome<{ readonly status: StoryStatusFields }>

/** What a person can do with a story over REST, beside editing and deleting it. */
export const STORY_ACTIONS = ['accept', 'run', 'add_task', 'move'] as const
export type StoryAction = (typeof STORY_ACTIONS)[number]

/** The actions that a story allows as it is now; the UI offers exactly these. */
export function storyActionsAllowed(story: Story): readonly StoryAction[] {
  return STORY_ACTIONS.filter((action) => findRefusal(story, action) === undefined)
}

/**
 * Why a story does not allow an action, in the contract's words; undefined when it does. A move may still be refused
 * for where it leads.
 *
 * Source: specification §4.18, §5.2: a DONE story never moves, and no task is added to it or run in it.
 */
export function findRefusal(story: Story, action: StoryAction): string | undefined {
  const status = storyStatus(story)
  switch (action) {
    case 'accept':
      return status === 'REVIEW_READY' ? undefined : `story cannot be accepted from status ${status}`
    case 'run':
    case 'add_task':
      return findDoneRefusal(story)
    case 'move':
      return STORY_MOVES[status].length > 0 ? undefined : `story cannot move from ${status}`
    default:
      return action satisfies never
  }
}

/**
 * Decides what becomes of a human decision about a story: the status that follows from it, or the refusal. Pure: REST
 * and annotations only apply it.
 *
 * @param tasks the story's, as far as the caller knows: what happened to them by now moves the story no more
 * @param fourEyes whether an accept needs somebody else than the authors of story and tasks
 */
export function decideStory(
  story: Story,
  tasks: readonly Task[],
  decision: StoryDecision,
  fourEyes = false,
): StoryOutcome {
  const finished = (message: string): StoryOutcome => {
    const refusal = fourEyes ? findOwnStoryRefusal(story, tasks, decision.by) : undefined
    return refusal === undefined
      ? { kind: 'allowed', message, status: finish(story, tasks, decision) }
      : refuse(refusal)
  }
  if (decision.action === 'accept') {
    const refusal = findRefusal(story, 'accept')
    return refusal === undefined ? finished('story accepted') : refuse(apiError('transition_refused', refusal))
  }
  const from = storyStatus(story)
  const to = STORY_STATUS_VALUES.find((known) => known === decision.status)
  if (to === undefined) return refuse(apiError('invalid_request', `unknown story status ${decision.status}`))
  if (!canMoveStory(from, to)) return refuse(apiError('transition_refused', `story cannot move from ${from} to ${to}`))
  const message = `story moved to ${to}`
  if (to === 'DONE') return finished(message)
  return {
    kind: 'allowed',
    message,
    status: storyStatusFields({ ...story, status: moved(story, tasks, to, decision) }, tasks, decision.at),
  }
}

/** The story's status fields in the status that a person decided on, with the decision. */
function moved(
  story: Story,
  tasks: readonly Task[],
  status: StoryStatus,
  { action, by, at }: StoryDecision,
): StoryStatusFields {
  const decisions = rememberDecision(story.status?.decisions, { action, status, by, at: toTimestamp(at) })
  return { ...moveStory(story, tasks, status, at), decisions }
}

/** The condition is left as it was: that it does not say DONE yet tells the operator to see to the event human_accepted. */
function finish(story: Story, tasks: readonly Task[], decision: StoryDecision): StoryStatusFields {
  const commit = reviewedOfStory(tasks)
  const accepted = { by: decision.by, at: toTimestamp(decision.at), ...withoutAbsent({ commit }) }
  return { ...moved(story, tasks, 'DONE', decision), accepted }
}
