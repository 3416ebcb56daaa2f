import type { StoryStatus } from '../../../core/crd/types.ts'

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
  discovery: 'Discovery · Framing',
  backlog: 'Backlog',
  prioritized: 'Prioritized',
  'in-progress': 'In progress',
  review: 'Validating · Review',
  done: 'Done',
}
