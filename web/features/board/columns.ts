import { STORY_STATUS_LABELS } from '../../../core/sentences/states.ts'
import type { ColumnId } from '../../../core/story/columns.ts'

export const COLUMN_LABELS: Readonly<Record<ColumnId, string>> = {
  discovery: `${STORY_STATUS_LABELS.DISCOVERY} · ${STORY_STATUS_LABELS.FRAMING}`,
  backlog: STORY_STATUS_LABELS.BACKLOG,
  prioritized: STORY_STATUS_LABELS.PRIORITIZED,
  'in-progress': STORY_STATUS_LABELS.IN_PROGRESS,
  review: `${STORY_STATUS_LABELS.VALIDATING} · Review`,
  done: STORY_STATUS_LABELS.DONE,
}
