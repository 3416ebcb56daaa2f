import { formatCost } from '../../../core/sentences/amounts.ts'
import { STORY_STATUS_LABELS } from '../../../core/sentences/states.ts'
import { useServerTime } from '../../api/server-clock.ts'
import { Changes } from '../../components/changes.tsx'
import type { Column } from '../../components/data-table-column.ts'
import { OpenLink } from '../../components/open-link.tsx'
import { StateBadge } from '../../components/state-badge.tsx'
import { TimeAgo } from '../../components/time-ago.tsx'
import type { BoardCard } from './board-model.ts'
import { cardFacts } from './card-facts.ts'
import { sumOf } from '../../model/sum.ts'
import { COLUMN_IDS, COLUMN_OF_STATUS } from '../../../core/story/columns.ts'
import type { ListGrouping } from './search.ts'

/**
 * The columns of the list of stories, without the one that the heads of its groups say already.
 *
 * @param nameOf by the ids of epics and projects
 */
export function storyColumns(nameOf: NamesOf, grouping: ListGrouping): readonly Column<BoardCard>[] {
  return [...wordColumns(nameOf), ...NUMBER_COLUMNS].filter(({ id }) => id !== grouping)
}

interface NamesOf {
  readonly epics: (id: string | undefined) => string
  readonly projects: (id: string | undefined) => string
}

function wordColumns({ epics, projects }: NamesOf): readonly Column<BoardCard>[] {
  return [
    {
      id: 'name',
      label: 'Story',
      width: 'minmax(220px, 5fr)',
      phone: 1,
      cell: (card) => <Name card={card} />,
      compare: by(({ story }) => story.name.toLowerCase()),
    },
    {
      id: 'status',
      label: 'Status',
      width: '116px',
      cell: ({ story }) => STORY_STATUS_LABELS[story.status],
      compare: by(({ story }) => COLUMN_IDS.indexOf(COLUMN_OF_STATUS[story.status])),
    },
    {
      id: 'project',
      label: 'Project',
      width: 'minmax(60px, 0.7fr)',
      cell: ({ story }) => projects(story.project_id),
      compare: by(({ story }) => projects(story.project_id)),
    },
    {
      id: 'epic',
      label: 'Epic',
      width: 'minmax(104px, 1fr)',
      phone: 'hidden',
      cell: ({ story }) => epics(story.epic_id),
      compare: by(({ story }) => epics(story.epic_id)),
    },
  ]
}

const NUMBER_COLUMNS: readonly Column<BoardCard>[] = [
  {
    id: 'tasks',
    label: 'Tasks',
    width: '64px',
    align: 'end',
    cell: ({ story }) => story.tasks.total > 0 && `${story.tasks.done} of ${story.tasks.total}`,
    compare: by(({ story }) => story.tasks.total),
  },
  {
    id: 'priority',
    label: 'Priority',
    width: '64px',
    align: 'end',
    phone: 'hidden',
    // What nobody gave is 0 in the record.
    cell: ({ story }) => (story.priority === 0 ? '' : story.priority),
    compare: by(({ story }) => story.priority),
  },
  {
    id: 'updated',
    label: 'Updated',
    width: '72px',
    align: 'end',
    cell: ({ story }) => <TimeAgo at={story.updated_at} />,
    compare: by(({ story }) => story.updated_at),
  },
  {
    id: 'changes',
    label: 'Changes',
    width: '92px',
    align: 'end',
    cell: ({ tasks }) => (
      <Changes
        insertions={sumOf(tasks, ({ changes }) => changes?.insertions)}
        deletions={sumOf(tasks, ({ changes }) => changes?.deletions)}
      />
    ),
    compare: by(({ tasks }) => sumOf(tasks, ({ changes }) => changes && changes.insertions + changes.deletions)),
  },
  {
    id: 'cost',
    label: 'Cost',
    width: '64px',
    align: 'end',
    cell: ({ tasks }) => formatCost(sumOf(tasks, ({ cost_usd }) => cost_usd)),
    compare: by(({ tasks }) => sumOf(tasks, ({ cost_usd }) => cost_usd)),
  },
]

function by(valueOf: (card: BoardCard) => string | number): (a: BoardCard, b: BoardCard) => number {
  return (a, b) => {
    const [left, right] = [valueOf(a), valueOf(b)]
    return left < right ? -1 : left > right ? 1 : 0
  }
}

/** The story, and what happens with it now, as on its card. */
function Name({ card: { story, tasks } }: { readonly card: BoardCard }) {
  const { id, name, status } = story
  const { state, isWaiting, agents } = cardFacts(story, tasks, useServerTime())
  const who = state?.tone === 'run' && agents.length > 0 ? `: ${agents.join(', ')}` : ''
  return (
    <>
      <OpenLink what={{ kind: 'story', id }} title={`${name} (${id})`}>
        {name}
      </OpenLink>
      {/* What its status says already is not said twice. */}
      {state !== undefined && state.text !== STORY_STATUS_LABELS[status] && (
        <StateBadge words={{ ...state, text: `${state.text}${who}` }} isLoud={isWaiting} />
      )}
    </>
  )
}
