import type { StoryStatus } from '../crd/types.ts'

/**
 * The moves a person may make with `PUT /api/stories/{id}/status`. Accept is the move REVIEW_READY → DONE.
 *
 * Source: specification §5.2.
 */
export const STORY_MOVES = {
  DISCOVERY: ['FRAMING', 'BACKLOG'],
  FRAMING: ['DISCOVERY', 'BACKLOG'],
  BACKLOG: ['FRAMING', 'PRIORITIZED'],
  PRIORITIZED: ['BACKLOG', 'IN_PROGRESS'],
  IN_PROGRESS: ['PRIORITIZED', 'VALIDATING', 'SHIPPABLE'],
  SHIPPABLE: ['VALIDATING', 'REVIEW_READY', 'IN_PROGRESS'],
  VALIDATING: ['REVIEW_READY', 'IN_PROGRESS'],
  REVIEW_READY: ['DONE', 'IN_PROGRESS'],
  DONE: [],
} as const satisfies Record<StoryStatus, readonly StoryStatus[]>

/**
 * The moves that task events cause: work begins, all tasks are done, or finished work is opened again; and that of a
 * story whose acceptance criteria all hold by its evaluation, VALIDATING → REVIEW_READY.
 * A DONE story never moves (a departure that the decisions name).
 */
export const STORY_SYSTEM_MOVES = {
  DISCOVERY: ['IN_PROGRESS', 'SHIPPABLE'],
  FRAMING: ['IN_PROGRESS', 'SHIPPABLE'],
  BACKLOG: ['IN_PROGRESS', 'SHIPPABLE'],
  PRIORITIZED: ['IN_PROGRESS', 'SHIPPABLE'],
  IN_PROGRESS: ['SHIPPABLE'],
  SHIPPABLE: ['IN_PROGRESS'],
  VALIDATING: ['IN_PROGRESS', 'SHIPPABLE', 'REVIEW_READY'],
  REVIEW_READY: ['IN_PROGRESS', 'SHIPPABLE'],
  DONE: [],
} as const satisfies Record<StoryStatus, readonly StoryStatus[]>

/** The statuses where stories may begin over REST: those that work, review or acceptance lead to are earned. */
export const FIRST_STORY_STATUSES = [
  'DISCOVERY',
  'FRAMING',
  'BACKLOG',
  'PRIORITIZED',
  'IN_PROGRESS',
  'VALIDATING',
] as const satisfies readonly StoryStatus[]

/** The status in which the acceptance criteria of a story are judged, by agents or a person. */
export const JUDGED_STATUS: StoryStatus = 'VALIDATING'

/** Whether a person may move a story from one status to another. */
export function canMoveStory(from: StoryStatus, to: StoryStatus): boolean {
  const targets: readonly StoryStatus[] = STORY_MOVES[from]
  return targets.includes(to)
}
