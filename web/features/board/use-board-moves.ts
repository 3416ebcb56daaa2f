/** What a drop or a key means for the order of a column; both ways end in the same plan. */
import { useCallback } from 'react'
import type { Story } from '../../../core/rest/client/client.ts'
import { COLUMN_OF_STATUS } from '../../../core/story/columns.ts'
import { refuse } from '../../components/toast.tsx'
import { type Lane, columnOf } from './board-model.ts'
import { COLUMN_LABELS } from './columns.ts'
import { type Plan, type Target, planMove } from './order.ts'
import { targetBeside, targetOfStep } from './targets.ts'
import type { Drop } from './drop.ts'

/** Shows a move and stores it. */
export type StoreMove = (story: Story, plan: Plan) => Promise<void>

interface Moves {
  readonly stories: readonly Story[]
  readonly lanes: readonly Lane[]
  readonly store: StoreMove
  /** For screen readers. */
  readonly announce: (text: string) => void
}

export function useBoardMoves({ stories, lanes, store, announce }: Moves) {
  const cellOf = useCallback(
    (id: string): readonly Story[] => {
      const cells = lanes.flatMap((lane) => Object.values(lane.cells))
      const cell = cells.find((cards) => cards.some(({ story }) => story.id === id)) ?? []
      return cell.map(({ story }) => story)
    },
    [lanes],
  )
  const place = useCallback(
    (id: string, target: Target | undefined) => {
      const story = stories.find((candidate) => candidate.id === id)
      if (story === undefined || target === undefined) return
      const plan = planMove(columnOf(stories, COLUMN_OF_STATUS[story.status]), id, target)
      if (plan.writes.length > 0) void store(story, plan)
    },
    [stories, store],
  )
  const onDrop = useCallback(
    (drop: Drop) => {
      if (drop.kind === 'refused') return refuse(whyRefused(drop))
      const cell = cellOf(drop.story).map(({ id }) => id)
      const last = cell.findLast((id) => id !== drop.story)
      if (drop.kind === 'beside') return place(drop.story, targetBeside(cell, drop.story, drop.other, drop.edge))
      return last === undefined ? undefined : place(drop.story, targetBeside(cell, drop.story, last, 'bottom'))
    },
    [cellOf, place],
  )
  const onStep = useCallback(
    (id: string, step: -1 | 1) => {
      const cell = cellOf(id).map((story) => story.id)
      const target = targetOfStep(cell, id, step)
      if (target === undefined) return announce(step === -1 ? 'It stands first already.' : 'It stands last already.')
      place(id, target)
      return announce(`Moved to place ${cell.indexOf(id) + step + 1} of ${cell.length}.`)
    },
    [cellOf, place, announce],
  )
  const onEnd = useCallback(
    (id: string, end: 'top' | 'bottom') => {
      const others = cellOf(id).flatMap((story) => (story.id === id ? [] : [story.id]))
      const [first, last] = [others[0], others.at(-1)]
      if (first === undefined || last === undefined) return announce('It stands there alone.')
      place(id, end === 'top' ? { before: first } : { after: last })
      return announce(end === 'top' ? 'Moved to the top.' : 'Moved to the bottom.')
    },
    [cellOf, place, announce],
  )
  return { onDrop, onStep, onEnd }
}

/** Why a card does not go where it was dropped, and what would move it there. */
function whyRefused({ from, to }: Extract<Drop, { kind: 'refused' }>): string {
  return from === to
    ? 'A card stays in its lane: edit the story to give it another epic.'
    : `A card stays in ${COLUMN_LABELS[from]}: its column is its status, which moves on the story’s page.`
}
