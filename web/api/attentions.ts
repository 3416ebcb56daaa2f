import { useMemo } from 'react'
import { type Attention, attentions, isAgentWaiting, isStoryWaiting, isTaskWaiting } from '../model/attention.ts'
import { useCount, useRecords } from './queries.ts'

export interface AttentionState {
  readonly items: readonly Attention[]
  readonly isPending: boolean
  readonly error: Error | undefined
  readonly retry: () => void
}

/** How many things wait for a person: renders only with another number. */
export function useWaitingCount(): number {
  return useCount('tasks', isTaskWaiting) + useCount('stories', isStoryWaiting) + useCount('agents', isAgentWaiting)
}

/** All that waits for a person, kept current. */
export function useAttentions(): AttentionState {
  const tasks = useRecords('tasks')
  const stories = useRecords('stories')
  const agents = useRecords('agents')
  const items = useMemo(
    () => attentions({ tasks: tasks.data ?? [], stories: stories.data ?? [], agents: agents.data ?? [] }),
    [tasks.data, stories.data, agents.data],
  )
  const lists = [tasks, stories, agents]
  return {
    items,
    isPending: lists.some(({ isPending }) => isPending),
    error: lists.find(({ data, error }) => data === undefined && error !== null)?.error ?? undefined,
    retry: () => lists.forEach((list) => void list.refetch()),
  }
}
