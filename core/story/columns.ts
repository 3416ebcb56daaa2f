/** The columns of the board, and the places of stories in one. Source: specification §1.8, §8.11. */
import type { StoryStatus } from '../crd/types.ts'

/** In the order in which the board shows them. */
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

/** A story's priority: the lower, the further up it stands in its column. */
export interface Place {
  readonly id: string
  readonly priority: number
}

/** Room for ten moves to the same place before a column is numbered again. */
export const PLACE_GAP = 1024

/** Priorities by which stories stand in the order of their ids, each with room before it. */
export function numberPlaces(ids: readonly string[]): readonly Place[] {
  return ids.map((id, index) => ({ id, priority: (index + 1) * PLACE_GAP }))
}
