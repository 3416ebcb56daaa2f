/** The board as lanes and columns: pure, made of the lists and the filters. Source: specification §1.8. */
import type { Epic, Story, Task } from '../../../core/rest/client/client.ts'
import { compareEpics } from '../../model/epic-order.ts'
import { groupBy } from '../../model/group.ts'
import { sumOf } from '../../model/sum.ts'
import { type ColumnId, COLUMN_IDS, COLUMN_OF_STATUS } from '../../../core/story/columns.ts'
import { comparePlaces } from './order.ts'
import { type BoardSearch, matches, UNASSIGNED } from './search.ts'

/** A story with its tasks: the same object as long as both are the same, so that only cards with news are rendered. */
export interface BoardCard {
  readonly story: Story
  readonly tasks: readonly Task[]
}

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
  readonly cells: Readonly<Record<ColumnId, readonly BoardCard[]>>
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
  /** The board as it was: what has not changed in it stays the same objects. */
  readonly previous?: Board | undefined
}

/** Lanes by the epics' priority, the one of stories without an epic last; an epic without stories has one too. */
export function buildBoard({ stories, epics, tasksOf, search, previous }: BoardFacts): Board {
  const before = new Map(previous?.lanes.map((lane) => [lane.id, lane]))
  const byLane = groupBy(stories, ({ epic_id }) => epic_id ?? UNASSIGNED)
  const known = epics.toSorted(compareEpics)
  const unknown = [...byLane.keys()].filter((id) => id !== UNASSIGNED && !epics.some((epic) => epic.id === id))
  const lane = (id: string, name: string, color?: string): Lane => {
    const members = byLane.get(id) ?? []
    const cards = members.map((story) => toCard(story, tasksOf(story.id)))
    const made = toLane({ id, name, color }, cards, search)
    return withSame(made, before.get(id))
  }
  const lanes = [
    ...known.map((epic) => lane(epic.id, epic.name, epic.color)),
    ...unknown.map((id) => lane(id, unknownEpic(id))),
    lane(UNASSIGNED, 'Unassigned'),
  ]
  const counts = toColumns((column) => sumOf(lanes, ({ cells }) => cells[column].length))
  return { lanes, counts, shown: sumOf(lanes, ({ shown }) => shown) }
}

/** What the stories of an epic stand under that was deleted, or that this page has not heard of yet. */
export function unknownEpic(id: string): string {
  return `Epic ${id} (not known)`
}

/** Builds boards one after another; what has not changed since the last one stays the same objects. */
export function createBoardBuilder(): (facts: BoardFacts) => Board {
  let previous: Board | undefined
  return (facts) => {
    previous = buildBoard({ ...facts, previous })
    return previous
  }
}

function toLane(epic: Pick<Lane, 'id' | 'name' | 'color'>, cards: readonly BoardCard[], search: BoardSearch): Lane {
  const shown = cards
    .filter(({ story, tasks }) => matches(story, tasks, search))
    .toSorted((a, b) => comparePlaces(a.story, b.story))
  const byColumn = groupBy(shown, ({ story }) => COLUMN_OF_STATUS[story.status])
  return {
    ...epic,
    total: cards.length,
    done: cards.filter(({ story }) => story.status === 'DONE').length,
    shown: shown.length,
    cells: toColumns((column) => byColumn.get(column) ?? []),
  }
}

const cardOfStory = new WeakMap<Story, BoardCard>()

/** The card of a story; the one before as long as the story and its tasks are the same. */
export function toCard(story: Story, tasks: readonly Task[]): BoardCard {
  const known = cardOfStory.get(story)
  if (known?.tasks === tasks) return known
  const card = { story, tasks }
  cardOfStory.set(story, card)
  return card
}

/** The lane with the cells and, where nothing has changed, the whole of the lane before. */
function withSame(made: Lane, before: Lane | undefined): Lane {
  if (before === undefined) return made
  const cells = toColumns((column) => {
    const [cell, old] = [made.cells[column], before.cells[column]]
    return isSameList(cell, old) ? old : cell
  })
  const isSame =
    made.name === before.name &&
    made.color === before.color &&
    made.total === before.total &&
    made.done === before.done &&
    COLUMN_IDS.every((column) => cells[column] === before.cells[column])
  return isSame ? before : { ...made, cells }
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

function isSameList<T>(a: readonly T[], b: readonly T[]): boolean {
  return a.length === b.length && a.every((value, index) => value === b[index])
}
