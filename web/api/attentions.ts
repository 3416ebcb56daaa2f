import { useMemo } from 'react'
import type { Attention } from '../model/attention.ts'
import { attentions } from '../model/attention.ts'
import { useRecords } from './queries.ts'

export interface AttentionState {
  readonly items: readonly Attention[]
  readonly isPending: boolean
  readonly error: Error | undefined
  readonly retry: () => void
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
