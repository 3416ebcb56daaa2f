import type { LastAction, SpentAction } from './crd/types.ts'

/** How many spent actions an object remembers: its schema's limit. */
export const MAX_SPENT_ACTIONS = 50

/** What a status tells of the actions that were asked for by annotation. */
export interface ActionMemory {
  readonly lastAction?: LastAction
  readonly spentActions?: readonly SpentAction[]
}

/**
 * Whether an action with an id was taken or refused before (specification §4.31). Earlier versions remembered the last
 * one alone.
 */
export function isSpent({ lastAction, spentActions = [] }: ActionMemory, asked: SpentAction): boolean {
  return [...spentActions, ...(lastAction === undefined ? [] : [lastAction])].some((spent) => isSame(spent, asked))
}

/** The memory with one action more at the end; the oldest beyond the limit is forgotten. */
export function spendAction(before: readonly SpentAction[] | undefined, asked: SpentAction): SpentAction[] {
  const others = (before ?? []).filter((spent) => !isSame(spent, asked))
  return [...others.slice(1 - MAX_SPENT_ACTIONS), asked]
}

function isSame(a: Partial<SpentAction>, b: SpentAction): boolean {
  return a.id === b.id && a.action === b.action
}
