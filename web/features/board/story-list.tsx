import { useMemo, useState } from 'react'
import type { Story, Task } from '../../../core/rest/client/client.ts'
import { storyAcceptEffect } from '../../../core/task/on-accept.ts'
import { useStoryBulk } from '../../api/bulk.ts'
import { useAcceptQuestion } from '../../api/project-of.ts'
import { useRecords } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { BulkBar, BulkOutcomes } from '../../components/bulk-bar.tsx'
import { DataTable } from '../../components/data-table.tsx'
import { formatSort, readSort } from '../../model/search-params.ts'
import type { BoardCard } from './board-model.ts'
import { toCard } from './board-model.ts'
import { storyColumns } from './list-columns.tsx'
import { groupStories } from './list-groups.ts'
import type { BoardSearch } from './search.ts'
import { matches } from './search.ts'

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
  const columns = useMemo(() => {
    const names = new Map(epics?.map(({ id, name }) => [id, name]))
    return storyColumns((id) => names.get(id) ?? id, grouping)
  }, [epics, grouping])
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
