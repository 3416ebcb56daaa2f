import { claimConditions, isObserved } from '../../core/conditions.ts'
import type { Epic, Story } from '../../core/crd/types.ts'
import { storyStatus } from '../../core/story/status.ts'
import type { Step } from '../action.ts'

/** Everything that the next step of one epic depends on. */
export interface ObservedEpic {
  readonly now: Date
  readonly epic: Epic
  /** Those that name the epic. */
  readonly stories: readonly Story[]
}

/** An epic is Ready as soon as it exists: it only groups stories. Its condition says how far they are. */
export function reconcileEpic({ now, epic, stories }: ObservedEpic): Step {
  const done = stories.filter((story) => storyStatus(story) === 'DONE').length
  const message = stories.length === 0 ? 'no story belongs to it' : `${done} of ${stories.length} stories are DONE`
  const [before] = epic.status?.conditions ?? []
  if (before?.type === 'Ready' && before.message === message && isObserved(epic)) return { actions: [] }
  const ready = { type: 'Ready', status: 'True', reason: 'Tracked', message } as const
  return { actions: [{ kind: 'writeEpic', epic, status: { ...epic.status, ...claimConditions(epic, [ready], now) } }] }
}
