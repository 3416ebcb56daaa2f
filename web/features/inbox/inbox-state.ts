/** What the rows of the inbox share: which one is open, what was put away, and what was being written when its row went. */
import { createContext } from 'react'
import type { InboxRow } from '../../model/inbox-rows.ts'

export interface InboxState {
  /** The row that is open, at most one: a diff has the keys of the page. */
  readonly peeked: string | undefined
  readonly setPeeked: (row: string | undefined) => void
  /** Puts away what a row is about, or brings it back. */
  readonly move: (row: InboxRow, isAway: boolean) => void
  /** Whether the row of a task went while something was being written in it, and the decision was not of this page. */
  readonly setOvertaken: (taskId: string, isOvertaken: boolean) => void
}

export const InboxContext = createContext<InboxState>({
  peeked: undefined,
  setPeeked: () => undefined,
  move: () => undefined,
  setOvertaken: () => undefined,
})

/** What its buttons do with a row. */
export interface RowControls {
  readonly isAway: boolean
  readonly isPeeked: boolean
  readonly onPeek: () => void
  readonly onMove: () => void
}

export const RowContext = createContext<RowControls>({
  isAway: false,
  isPeeked: false,
  onPeek: () => undefined,
  onMove: () => undefined,
})
