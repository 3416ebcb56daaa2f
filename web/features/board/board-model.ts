/** The board as lanes and columns: pure, made of the lists and the filters. Source: specification §1.8. */
import type { Epic, Story, Task } from '../../../core/rest/client/client.ts'
import { groupBy } from '../../model/group.ts'
import type { ColumnId } from './columns.ts'
import { COLUMN_OF_STATUS } from './columns.ts'
import { comparePlaces } from './order.ts'
import type { BoardSearch } from './search.ts'
import { matches, UNASSIGNED } from './search.ts'

export interface Lane {
  /** The epic's id, or {@link UNASSIGNED}. */
  readonly id: string
  readonly name: string
  readonly color: string | undefined
  /** Stories of the lane whatever the filters say, and how many of them are DONE. */
  readonly total: number
  readonly done: number
  /** Stories that pass the filters. */
  readonly shown: number
  readonly cells: Readonly<Record<ColumnId, readonly Story[]>>
}

export interface Board {
  readonly lanes: readonly Lane[]
  /** Stories that pass the filters, by column. */
  readonly counts: Readonly<Record<ColumnId, number>>
  readonly shown: number
}

export interface BoardFacts {
  readonly stories: readonly Story[]
  readonly epics: readonly Epic[]
  readonly tasksOf: (story: string) => readonly Task[]
  readonly search: BoardSearch
}

/** Lanes by the epics' priority, the one of stories without an epic last; an epic without stories has one too. */
export function buildBoard({ stories, epics, tasksOf, search }: BoardFacts): Board {
  const byLane = groupBy(stories, ({ epic_id }) => epic_id ?? UNASSIGNED)
  const known = epics.toSorted((a, b) => a.priority - b.priority || (a.name < b.name ? -1 : 1))
  const unknown = [...byLane.keys()].filter((id) => id !== UNASSIGNED && !epics.some((epic) => epic.id === id))
  const passes = (story: Story): boolean => matches(story, tasksOf(story.id), search)
  const lane = (id: string, name: string, color?: string): Lane =>
    toLane({ id, name, color }, byLane.get(id) ?? [], passes)
  const lanes = [
    ...known.map((epic) => lane(epic.id, epic.name, epic.color)),
    // An epic that was deleted, or that this page has not heard of yet.
    ...unknown.map((id) => lane(id, id)),
    lane(UNASSIGNED, 'Unassigned'),
  ]
  const counts = toColumns((column) => sum(lanes.map(({ cells }) => cells[column].length)))
  return { lanes, counts, shown: sum(lanes.map(({ shown }) => shown)) }
}

function toLane(
  epic: Pick<Lane, 'id' | 'name' | 'color'>,
  stories: readonly Story[],
  passes: (story: Story) => boolean,
): Lane {
  const shown = stories.filter(passes).toSorted(comparePlaces)
  const byColumn = groupBy(shown, ({ status }) => COLUMN_OF_STATUS[status])
  return {
    ...epic,
    total: stories.length,
    done: stories.filter(({ status }) => status === 'DONE').length,
    shown: shown.length,
    cells: toColumns((column) => byColumn.get(column) ?? []),
  }
}

function toColumns<T>(make: (column: ColumnId) => T): Readonly<Record<ColumnId, T>> {
  return {
    discovery: make('discovery'),
    backlog: make('backlog'),
    prioritized: make('prioritized'),
    'in-progress': make('in-progress'),
    review: make('review'),
    done: make('done'),
  }
}

/** The stories of a column over all lanes: those that one order is kept for. */
export function columnOf(stories: readonly Story[], column: ColumnId): readonly Story[] {
  return stories.filter(({ status }) => COLUMN_OF_STATUS[status] === column)
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

/**
 * Groups tasks by story, each time anew. A story whose tasks are the same as the last time keeps its list, so that only
 * cards with news are rendered.
 */
export function createGrouping(): (tasks: readonly Task[]) => ReadonlyMap<string, readonly Task[]> {
  let previous: ReadonlyMap<string, readonly Task[]> = new Map()
  return (tasks) => {
    const grouped = new Map<string, readonly Task[]>()
    const ofStories = tasks.filter(({ story_id }) => story_id !== undefined)
    for (const [story, list] of groupBy(ofStories, ({ story_id = '' }) => story_id)) {
      const before = previous.get(story)
      grouped.set(story, before !== undefined && isSameList(before, list) ? before : list)
    }
    previous = grouped
    return grouped
  }
}

function isSameList(a: readonly Task[], b: readonly Task[]): boolean {
  return a.length === b.length && a.every((task, index) => task === b[index])
}
