/** What a drop of a card means: pure. */
import { type ColumnId, COLUMN_IDS } from '../../../core/story/columns.ts'

/** Where a card stands; a drop elsewhere than in its own place's lane and column is refused. */
export interface CardPlace {
  readonly lane: string
  readonly column: ColumnId
}

/** The fields of what is dragged, or of what is below it; foreign drags have other fields. */
export type DropData = Readonly<Record<string | symbol, unknown>>

/** A drop that was made: beside another card, at the end of the card's own cell, or where it may not be. */
export type Drop = { readonly story: string } & (
  | { readonly kind: 'beside'; readonly other: string; readonly edge: 'top' | 'bottom' }
  | { readonly kind: 'end' }
  | { readonly kind: 'refused'; readonly from: ColumnId; readonly to: ColumnId }
)

export function isSamePlace(a: DropData, b: CardPlace): boolean {
  return a['lane'] === b.lane && a['column'] === b.column
}

/**
 * What a drop means; undefined for what is dragged from elsewhere, or beside the board.
 *
 * @param target the innermost one
 * @param edge of the target that is nearer; without a meaning where that is no card
 */
export function readDrop(source: DropData, target: DropData | undefined, edge: 'top' | 'bottom'): Drop | undefined {
  const { story, lane } = source
  const from = columnIn(source)
  if (typeof story !== 'string' || typeof lane !== 'string' || from === undefined || target === undefined)
    return undefined
  const to = columnIn(target)
  if (to === undefined) return undefined
  if (!isSamePlace(target, { lane, column: from })) return { story, kind: 'refused', from, to }
  const other = target['story']
  if (typeof other !== 'string') return { story, kind: 'end' }
  return { story, kind: 'beside', other, edge }
}

function columnIn({ column }: DropData): ColumnId | undefined {
  return COLUMN_IDS.find((known) => known === column)
}
