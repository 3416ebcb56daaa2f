import { useMemo } from 'react'
import type { Agent } from '../../core/rest/client/client.ts'
import { type Attention, agentItems, attentions, storyItems, taskItems } from '../model/attention.ts'
import { rowsOf } from '../model/inbox-rows.ts'
import { type PutAway, usePutAway } from './put-away.ts'
import { useNumber, useRecords } from './queries.ts'
import { useSession } from './session.ts'

export interface AttentionState {
  /** All that waits for the person. */
  readonly items: readonly Attention[]
  readonly putAway: PutAway
  readonly isPending: boolean
  readonly error: Error | undefined
  readonly retry: () => void
}

/** How many rows the inbox has: renders only with another number. */
export function useWaitingCount(): number {
  const { isAway } = usePutAway()
  const agents = useUndrainable()
  const count = (items: readonly Attention[]): number => rowsOf(items.filter((item) => !isAway(item))).length
  return (
    useNumber('tasks', (tasks) => count(tasks.flatMap(taskItems))) +
    useNumber('stories', (stories) => count(stories.flatMap(storyItems))) +
    useNumber('agents', (all) => count(agents(all).flatMap(agentItems)))
  )
}

/** All that waits for a person, kept current. */
export function useAttentions(): AttentionState {
  const tasks = useRecords('tasks')
  const stories = useRecords('stories')
  const agents = useRecords('agents')
  const undrainable = useUndrainable()
  const items = useMemo(
    () => attentions({ tasks: tasks.data ?? [], stories: stories.data ?? [], agents: undrainable(agents.data ?? []) }),
    [tasks.data, stories.data, agents.data, undrainable],
  )
  const lists = [tasks, stories, agents]
  return {
    items,
    putAway: usePutAway(),
    isPending: lists.some(({ isPending }) => isPending),
    error: lists.find(({ data, error }) => data === undefined && error !== null)?.error ?? undefined,
    retry: () => lists.forEach((list) => void list.refetch()),
  }
}

const all = (agents: readonly Agent[]): readonly Agent[] => agents
const none = (): readonly Agent[] => []

/** Agents wait for those who may let them work again. */
function useUndrainable(): (agents: readonly Agent[]) => readonly Agent[] {
  return useSession().may('admin') ? all : none
}
