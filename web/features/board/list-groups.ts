/** The stories as a list, under its heads: pure. */
import type { Epic } from '../../../core/rest/client/client.ts'
import { STORY_STATUS_VALUES } from '../../../core/crd/enums.ts'
import { compareEpics } from '../../model/epic-order.ts'
import { groupBy } from '../../model/group.ts'
import type { RowGroup } from '../../model/table-rows.ts'
import type { BoardCard } from './board-model.ts'
import { STATUS_WORDS } from '../../model/story-status.ts'
import { COLUMN_IDS, COLUMN_OF_STATUS } from './columns.ts'
import { comparePlaces } from './order.ts'
import type { ListGrouping } from './search.ts'
import { UNASSIGNED } from './search.ts'

/** The statuses in the order of the board's columns, and within one as the contract lists them. */
const STATUS_ORDER = STORY_STATUS_VALUES.toSorted(
  (a, b) => COLUMN_IDS.indexOf(COLUMN_OF_STATUS[a]) - COLUMN_IDS.indexOf(COLUMN_OF_STATUS[b]),
)

/** The stories in their groups, each in the order of the board. */
export function groupStories(
  cards: readonly BoardCard[],
  grouping: ListGrouping,
  epics: readonly Epic[],
): readonly RowGroup<BoardCard>[] {
  const rows = cards.toSorted((a, b) => comparePlaces(a.story, b.story))
  if (grouping === 'status') {
    const groups = groupBy(rows, ({ story }) => story.status)
    return STATUS_ORDER.map((id) => ({ id, label: STATUS_WORDS[id], rows: groups.get(id) ?? [] }))
  }
  const groups = groupBy(rows, ({ story }) => story.epic_id ?? UNASSIGNED)
  const known = epics.toSorted(compareEpics)
  const unknown = [...groups.keys()].filter((id) => id !== UNASSIGNED && !epics.some((epic) => epic.id === id))
  return [
    ...known.map(({ id, name }) => ({ id, label: name, rows: groups.get(id) ?? [] })),
    ...unknown.map((id) => ({ id, label: id, rows: groups.get(id) ?? [] })),
    { id: UNASSIGNED, label: 'Unassigned', rows: groups.get(UNASSIGNED) ?? [] },
  ]
}
