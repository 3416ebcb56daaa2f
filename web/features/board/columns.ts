import type { StoryStatus } from '../../../core/crd/types.ts'
import { STORY_STATUS_LABELS } from '../../../core/sentences/states.ts'

/** The columns of the board, in their order. Source: specification §1.8. */
export const COLUMN_IDS = ['discovery', 'backlog', 'prioritized', 'in-progress', 'review', 'done'] as const
export type ColumnId = (typeof COLUMN_IDS)[number]

/** The column of each status; a new status without one does not compile. */
export const COLUMN_OF_STATUS = {
  DISCOVERY: 'discovery',
  FRAMING: 'discovery',
  BACKLOG: 'backlog',
  PRIORITIZED: 'prioritized',
  IN_PROGRESS: 'in-progress',
  SHIPPABLE: 'review',
  VALIDATING: 'review',
  REVIEW_READY: 'review',
  DONE: 'done',
} as const satisfies Record<StoryStatus, ColumnId>

export const COLUMN_LABELS: Readonly<Record<ColumnId, string>> = {
  discovery: `${STORY_STATUS_LABELS.DISCOVERY} · ${STORY_STATUS_LABELS.FRAMING}`,
  backlog: STORY_STATUS_LABELS.BACKLOG,
  prioritized: STORY_STATUS_LABELS.PRIORITIZED,
  'in-progress': STORY_STATUS_LABELS.IN_PROGRESS,
  review: `${STORY_STATUS_LABELS.VALIDATING} · Review`,
  done: STORY_STATUS_LABELS.DONE,
}
