/** Dragging of cards: what is dragged, where it may be dropped, and how either shows. */
import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine'
import { draggable, dropTargetForElements, monitorForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { type Edge, attachClosestEdge, extractClosestEdge } from '@atlaskit/pragmatic-drag-and-drop-hitbox/closest-edge'
import { useEffect, useRef, useState } from 'react'
import type { Story } from '../../../core/rest/client/client.ts'
import { type CardPlace, type Drop, isSamePlace, readDrop } from './drop.ts'

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

/** Tells of every drop on the board. @param onDrop must stay the same function as long as it can */
export function useDrops(onDrop: (drop: Drop) => void): void {
  useEffect(
    () =>
      monitorForElements({
        onDrop({ source, location }) {
          const target = location.current.dropTargets[0]?.data
          const isTop = target !== undefined && extractClosestEdge(target) === 'top'
          const drop = readDrop(source.data, target, isTop ? 'top' : 'bottom')
          if (drop !== undefined) onDrop(drop)
        },
      }),
    [onDrop],
  )
}
