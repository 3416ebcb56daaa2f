import { useMemo, useState } from 'react'
import { STORY_STATUS_VALUES } from '../../../core/crd/enums.ts'
import type { Story, Task, Epic } from '../../../core/rest/client/client.ts'
import { STORY_STATUS_LABELS } from '../../../core/sentences/states.ts'
import { storyAcceptEffect } from '../../../core/sentences/accept.ts'
import { useStoryBulk } from '../../api/bulk.ts'
import { useAcceptQuestion } from '../../api/project-of.ts'
import { useFacts, useRecords } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { BulkBar, BulkOutcomes } from '../../components/bulk-bar.tsx'
import { DataTable } from '../../components/data-table.tsx'
import { compareEpics } from '../../model/epic-order.ts'
import { nameFacts, namesOf } from '../../model/facts.ts'
import { groupBy } from '../../model/group.ts'
import { formatSort, readSort } from '../../model/search-params.ts'
import type { RowGroup } from '../../model/table-rows.ts'
import { type BoardCard, unknownEpic, toCard } from './board-model.ts'
import { COLUMN_IDS, COLUMN_OF_STATUS } from '../../../core/story/columns.ts'
import { storyColumns } from './list-columns.tsx'
import { comparePlaces } from './order.ts'
import { type BoardSearch, type ListGrouping, matches, UNASSIGNED } from './search.ts'

const idOf = ({ story }: BoardCard): string => story.id
const nameOf = ({ story }: BoardCard): string => story.name
const projectIdOf = ({ project_id }: Story): string | undefined => project_id

interface StoryListProps {
  readonly stories: readonly Story[]
  readonly tasksOf: (story: string) => readonly Task[]
  readonly search: BoardSearch
  readonly onChange: (search: BoardSearch) => void
}

/** The stories of the board as a list: many at a time can be selected and decided about. */
export function StoryList({ stories, tasksOf, search, onChange }: StoryListProps) {
  const { data: epics } = useRecords('epics')
  const cards = useMemo(
    () =>
      stories
        .map((story) => toCard(story, tasksOf(story.id)))
        .filter(({ story, tasks }) => matches(story, tasks, search)),
    [stories, tasksOf, search],
  )
  const grouping = search.group ?? 'status'
  const groups = useMemo(() => groupStories(cards, grouping, epics ?? []), [cards, grouping, epics])
  const projects = useFacts('projects', nameFacts)
  const columns = useMemo(
    () => storyColumns({ epics: namesOf(epics ?? []), projects: namesOf(projects) }, grouping),
    [epics, projects, grouping],
  )
  const sort = useMemo(() => readSort({ sort: search.sort }), [search.sort])
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const bulk = useStoryBulk()
  const acceptQuestion = useAcceptQuestion(projectIdOf, storyAcceptEffect)
  const canDecide = useSession().may('decide')
  // What a filter hides is not decided about.
  const selected = useMemo(() => cards.map(({ story }) => story).filter(({ id }) => chosen.has(id)), [cards, chosen])
  const selection = useMemo(() => ({ ids: new Set(selected.map(({ id }) => id)), onChange: setChosen }), [selected])
  return (
    <>
      <BulkOutcomes run={bulk.run} onPutAway={bulk.putAway} />
      {canDecide && (
        <BulkBar
          actions={[
            { action: 'run', label: 'Run' },
            { action: 'accept', label: 'Accept', question: acceptQuestion },
          ]}
          selected={selected}
          isBusy={bulk.isRunning}
          decide={bulk.decide}
          onClear={() => setChosen(new Set())}
          onDone={(done) => setChosen((now) => new Set([...now].filter((id) => !done.has(id))))}
        />
      )}
      <DataTable
        label="Stories"
        columns={columns}
        groups={groups}
        idOf={idOf}
        nameOf={nameOf}
        sort={sort}
        onSort={(next) => onChange({ ...search, sort: formatSort(next) })}
        selection={canDecide ? selection : undefined}
      />
    </>
  )
}

/** The statuses in the order of the board's columns, and within one as the contract lists them. */
const STATUS_ORDER = STORY_STATUS_VALUES.toSorted(
  (a, b) => COLUMN_IDS.indexOf(COLUMN_OF_STATUS[a]) - COLUMN_IDS.indexOf(COLUMN_OF_STATUS[b]),
)

/** The stories in their groups, each in the order of the board. */
function groupStories(
  cards: readonly BoardCard[],
  grouping: ListGrouping,
  epics: readonly Epic[],
): readonly RowGroup<BoardCard>[] {
  const rows = cards.toSorted((a, b) => comparePlaces(a.story, b.story))
  if (grouping === 'status') {
    const groups = groupBy(rows, ({ story }) => story.status)
    return STATUS_ORDER.map((id) => ({ id, label: STORY_STATUS_LABELS[id], rows: groups.get(id) ?? [] }))
  }
  const groups = groupBy(rows, ({ story }) => story.epic_id ?? UNASSIGNED)
  const known = epics.toSorted(compareEpics)
  const unknown = [...groups.keys()].filter((id) => id !== UNASSIGNED && !epics.some((epic) => epic.id === id))
  return [
    ...known.map(({ id, name }) => ({ id, label: name, rows: groups.get(id) ?? [] })),
    ...unknown.map((id) => ({ id, label: unknownEpic(id), rows: groups.get(id) ?? [] })),
    { id: UNASSIGNED, label: 'Unassigned', rows: groups.get(UNASSIGNED) ?? [] },
  ]
}
