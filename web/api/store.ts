/**
 * Puts what the WebSocket tells and what REST answers into the query cache, each kind as one table under its name.
 * The tables decide what is newer (table.ts); this file only sees to it that both ways meet there.
 */
import type { QueryClient } from '@tanstack/react-query'
import type { LiveMessage } from '../../core/rest/messages.ts'
import { type Kind, type Kinds, foldMessages } from './fold.ts'
import { type Place, type Position, answerAfter } from './position.ts'
import { type Table, NOTHING, join, partOf, tableOf } from './table.ts'

/** Where the cache keeps what came before the first list of a kind. */
const EARLY = 'early'

export interface Store {
  /** Takes messages of the WebSocket, in the order of their arrival. */
  apply(messages: readonly LiveMessage[]): void
  /** Reads a whole list and gives the table that it makes with all that is known besides. */
  readList<K extends Kind>(kind: K, ask: () => Promise<readonly Kinds[K][]>): Promise<Table<Kinds[K]>>
  /** Reads one record anew, as after a decision, without waiting for the message about it. */
  readOne<K extends Kind>(kind: K, ask: () => Promise<Kinds[K]>): Promise<Kinds[K]>
  /**
   * Reads one record after it was written. The write stands whatever becomes of this: a caller that failed would have the
   * person write again. If it cannot be read, the list is read anew, and nothing is given.
   */
  readWritten<K extends Kind>(kind: K, ask: () => Promise<Kinds[K]>): Promise<Kinds[K] | undefined>
}

export function createStore(queries: QueryClient): Store {
  let place: Place | undefined
  let asked = 0
  const nextAnswer = (): Position => answerAfter(place, (asked += 1))
  const read = <K extends Kind>(key: readonly string[]): Table<Kinds[K]> | undefined => queries.getQueryData(key)
  const add = <K extends Kind>(kind: K, part: Table<Kinds[K]>): void => {
    if (part.rows.size === 0) return
    // Before the first list of its kind, what comes is put aside: a part is no list.
    const key = queries.getQueryData([kind]) === undefined ? [EARLY, kind] : [kind]
    queries.setQueryData(key, join(read<K>(key) ?? NOTHING, part))
  }
  const readOne: Store['readOne'] = async (kind, ask) => {
    const position = nextAnswer()
    const record = await ask()
    add(kind, partOf([[record.id, { position, record }]]))
    return record
  }
  return {
    apply(messages) {
      const folded = foldMessages(place, messages)
      place = folded.place
      add('tasks', folded.parts.tasks)
      add('stories', folded.parts.stories)
      add('epics', folded.parts.epics)
      add('projects', folded.parts.projects)
      add('agents', folded.parts.agents)
      for (const id of folded.storiesWithEvents) void queries.invalidateQueries({ queryKey: ['story-events', id] })
      for (const id of folded.tasksWithExecutions) void queries.invalidateQueries({ queryKey: ['task-executions', id] })
      if (folded.isResync) void queries.invalidateQueries()
    },
    async readList<K extends Kind>(kind: K, ask: () => Promise<readonly Kinds[K][]>) {
      const asOf = nextAnswer()
      const table: Table<Kinds[K]> = tableOf(await ask(), asOf)
      const known = [read<K>([kind]), read<K>([EARLY, kind])].filter((other) => other !== undefined)
      queries.removeQueries({ queryKey: [EARLY, kind] })
      // The cache takes this in the same turn of the event loop, so no message can come in between.
      return known.reduce(join, table)
    },
    readOne,
    readWritten: (kind, ask) =>
      readOne(kind, ask).catch(() => {
        void queries.invalidateQueries({ queryKey: [kind] })
        return undefined
      }),
  }
}
