/** What waits behind those who review: tasks that a limit on it keeps from starting, and slots that are idle meanwhile. Pure. */
import type { Agent, Task } from '../../core/rest/client/client.ts'
import { type LimitedPlace, findLimitedPlace } from '../../core/sentences/waiting.ts'
import { groupBy } from './group.ts'

/** A project or an agent that starts nothing new. */
export interface HeldWork extends LimitedPlace {
  /** Tasks that wait behind those that wait for a person. */
  readonly tasks: number
  /** Slots that could work at them now. */
  readonly idleSlots: number
  /** As the tasks say it. */
  readonly words: string
}

/** Each place that starts nothing new, in the order of the tasks. */
export function heldWork(tasks: readonly Task[], agents: readonly Agent[]): readonly HeldWork[] {
  const held = tasks.flatMap(({ state, waiting_for: words, agent }) => {
    const place = state === 'QUEUED' && words !== undefined ? findLimitedPlace(words) : undefined
    return place === undefined || words === undefined ? [] : [{ place, words, agent: agent?.type }]
  })
  if (held.length === 0) return []
  const running = groupBy(
    tasks.filter(({ state }) => state === 'RUNNING'),
    ({ agent }) => agent?.type,
  )
  const idleOf = ({ id, max_concurrent, status }: Agent): number =>
    status.state === 'idle' || status.state === 'running'
      ? Math.max(0, max_concurrent - (running.get(id)?.length ?? 0))
      : 0
  return [...groupBy(held, ({ place }) => `${place.kind} ${place.name}`).values()].flatMap((all) => {
    const [first] = all
    if (first === undefined) return []
    const [names, isAny] = [new Set(all.map(({ agent }) => agent)), all.some(({ agent }) => agent === undefined)]
    const idle = agents.filter(({ id }) => isAny || names.has(id)).map(idleOf)
    const idleSlots = Math.min(
      all.length,
      idle.reduce((sum, slots) => sum + slots, 0),
    )
    return [{ ...first.place, tasks: all.length, idleSlots, words: first.words }]
  })
}
