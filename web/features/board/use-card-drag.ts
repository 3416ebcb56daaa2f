/** Dragging of cards: what is dragged, where it may be dropped, and how either shows. */
import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine'
import { draggable, dropTargetForElements, monitorForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import type { Edge } from '@atlaskit/pragmatic-drag-and-drop-hitbox/closest-edge'
import { attachClosestEdge, extractClosestEdge } from '@atlaskit/pragmatic-drag-and-drop-hitbox/closest-edge'
import { useEffect, useRef, useState } from 'react'
import type { Story } from '../../../core/rest/client/client.ts'
import type { ColumnId } from './columns.ts'

/** Where a card stands; a drop elsewhere than in its own place's lane and column is refused. */
export interface CardPlace {
  readonly lane: string
  readonly column: ColumnId
}

type Data = Readonly<Record<string, unknown>>

function isSamePlace(a: Data, b: CardPlace): boolean {
  return a['lane'] === b.lane && a['column'] === b.column
}

export function useCardDrag(story: Story, { lane, column }: CardPlace, canMove: boolean) {
  const ref = useRef<HTMLLIElement>(null)
  const [isDragged, setDragged] = useState(false)
  const [edge, setEdge] = useState<Edge>()
  useEffect(() => {
    const element = ref.current
    if (element === null || !canMove) return undefined
    const data = { story: story.id, lane, column }
    return combine(
      draggable({
        element,
        getInitialData: () => data,
        onDragStart: () => setDragged(true),
        onDrop: () => setDragged(false),
      }),
      dropTargetForElements({
        element,
        canDrop: ({ source }) => source.data['story'] !== story.id && isSamePlace(source.data, { lane, column }),
        getData: ({ input, element: target }) =>
          attachClosestEdge(data, { input, element: target, allowedEdges: ['top', 'bottom'] }),
        onDrag: ({ self }) => setEdge(extractClosestEdge(self.data) ?? undefined),
        onDragLeave: () => setEdge(undefined),
        onDrop: () => setEdge(undefined),
      }),
    )
  }, [story.id, lane, column, canMove])
  return { ref, isDragged, edge }
}

/** A cell of the board under a dragged card: whether it takes it, or shows that it does not. */
export function useCellDrop({ lane, column }: CardPlace) {
  const ref = useRef<HTMLUListElement>(null)
  const [over, setOver] = useState<'allowed' | 'refused'>()
  useEffect(() => {
    const element = ref.current
    if (element === null) return undefined
    return dropTargetForElements({
      element,
      getData: () => ({ lane, column }),
      // A drag that begins here does not enter.
      onDragStart: () => setOver('allowed'),
      onDragEnter: ({ source }) => setOver(isSamePlace(source.data, { lane, column }) ? 'allowed' : 'refused'),
      onDragLeave: () => setOver(undefined),
      onDrop: () => setOver(undefined),
    })
  }, [lane, column])
  return { ref, over }
}

/** A drop that was made: beside another card, at the end of the card's own cell, or where it may not be. */
export type Drop = { readonly story: string } & (
  | { readonly kind: 'beside'; readonly other: string; readonly edge: 'top' | 'bottom' }
  | { readonly kind: 'end' }
  | { readonly kind: 'refused'; readonly from: ColumnId; readonly to: ColumnId }
)

/** Tells of every drop on the board. @param onDrop must stay the same function as long as it can */
export function useDrops(onDrop: (drop: Drop) => void): void {
  useEffect(
    () =>
      monitorForElements({
        onDrop({ source, location }) {
          const drop = readDrop(
            source.data,
            location.current.dropTargets.map(({ data }) => data),
          )
          if (drop !== undefined) onDrop(drop)
        },
      }),
    [onDrop],
  )
}

function readDrop(source: Data, [target]: readonly Data[]): Drop | undefined {
  const { story, column } = source
  if (typeof story !== 'string' || !isColumn(column) || target === undefined) return undefined
  if (!isColumn(target['column'])) return undefined
  if (!isSamePlace(target, { lane: String(source['lane']), column }))
    return { story, kind: 'refused', from: column, to: target['column'] }
  const other = target['story']
  if (typeof other !== 'string') return { story, kind: 'end' }
  return { story, kind: 'beside', other, edge: extractClosestEdge(target) === 'top' ? 'top' : 'bottom' }
}

function isColumn(value: unknown): value is ColumnId {
  return typeof value === 'string'
}
