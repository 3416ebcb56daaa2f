/** Where a card goes in its column when it is put beside another one of its cell, or moved by one place: pure. */
import type { Target } from './order.ts'

/**
 * Beside another card of the cell. Behind the last card of the cell is directly behind that card in the column too: the
 * cards of other lanes that follow it stay behind.
 *
 * @param cell ids of the cell in their order
 */
export function targetBeside(
  cell: readonly string[],
  moved: string,
  other: string,
  edge: 'top' | 'bottom',
): Target | undefined {
  if (!cell.includes(other) || moved === other) return undefined
  if (edge === 'top') return { before: other }
  const others = cell.filter((id) => id !== moved)
  const next = others[others.indexOf(other) + 1]
  return next === undefined ? { after: other } : { before: next }
}

/** One place up (-1) or down (1); undefined where there is none. */
export function targetOfStep(cell: readonly string[], moved: string, step: -1 | 1): Target | undefined {
  const index = cell.indexOf(moved)
  const other = cell[index + step]
  if (index === -1 || other === undefined) return undefined
  return targetBeside(cell, moved, other, step === -1 ? 'top' : 'bottom')
}
