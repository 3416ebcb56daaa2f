/** What needs a person, in the order in which it came to need one: the inbox, its count, and the marks on cards. */
import type { Agent, Story, Task } from '../../core/rest/client/client.ts'
import { type TaskAttention, isToAccept, taskAttention } from '../../core/attention.ts'

/** The parts of the inbox, in their order. */
export const ATTENTION_GROUPS = ['questions', 'review', 'failed', 'agents'] as const
export type AttentionGroup = (typeof ATTENTION_GROUPS)[number]

/** One thing that waits for a person. */
export type Attention = { readonly id: string; readonly sinceMs: number } & (
  | { readonly kind: 'task'; readonly group: TaskAttention; readonly task: Task }
  | { readonly kind: 'story'; readonly group: 'review'; readonly story: Story }
  | { readonly kind: 'agent'; readonly group: 'agents'; readonly agent: Agent }
)

/** The part of the inbox that a task belongs to; undefined while nobody has to do anything, or this person cannot. */
export function attentionOf({ state, goes_on, actions }: Task): TaskAttention | undefined {
  return taskAttention({ state, goesOn: goes_on !== undefined, actions })
}

/** Whether a story waits for a person: for its acceptance, or with one of its tasks. */
export function isWaiting(story: Story, tasks: readonly Task[]): boolean {
  return isStoryWaiting(story) || tasks.some(isTaskWaiting)
}

/** Whether a story waits for this person to accept it, whatever its tasks do. */
function isStoryWaiting({ status, actions }: Story): boolean {
  return isToAccept(status) && actions.includes('accept')
}

/** Whether a task waits for a person. */
function isTaskWaiting(task: Task): boolean {
  return attentionOf(task) !== undefined
}

/** Whether an agent takes no work until a person acts. */
export function isAgentWaiting({ status }: Agent): boolean {
  return status.state === 'drained'
}

/** All that waits for a person, oldest first. */
export function attentions(all: {
  readonly tasks: readonly Task[]
  readonly stories: readonly Story[]
  /** Those that this person may let work again. */
  readonly agents: readonly Agent[]
}): readonly Attention[] {
  const items = [...all.tasks.flatMap(taskItems), ...all.stories.flatMap(storyItems), ...all.agents.flatMap(agentItems)]
  return items.sort((a, b) => a.sinceMs - b.sinceMs || (a.id < b.id ? -1 : 1))
}

/** A task as what waits for a person, if it does. */
export function taskItems(task: Task): readonly Attention[] {
  const group = attentionOf(task)
  if (group === undefined) return []
  const { id, finished_at, updated_at } = task
  return [{ kind: 'task', group, id, sinceMs: Date.parse(finished_at ?? updated_at), task }]
}

/** The same of a story. */
export function storyItems(story: Story): readonly Attention[] {
  if (!isStoryWaiting(story)) return []
  return [{ kind: 'story', group: 'review', id: story.id, sinceMs: Date.parse(story.updated_at), story }]
}

/** The same of an agent. A server of an earlier version does not say since when. */
export function agentItems(agent: Agent): readonly Attention[] {
  if (!isAgentWaiting(agent)) return []
  const sinceMs = Date.parse(agent.status.since ?? agent.created_at)
  return [{ kind: 'agent', group: 'agents', id: agent.id, sinceMs, agent }]
}
