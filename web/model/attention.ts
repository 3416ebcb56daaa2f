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

/** The part of the inbox that a task belongs to; undefined while nobody has to do anything. */
export function attentionOf({ state, goes_on }: Task): TaskAttention | undefined {
  return taskAttention(state, goes_on !== undefined)
}

/** Whether a story waits for a person: for its acceptance, or with one of its tasks. */
export function isWaiting(story: Story, tasks: readonly Task[]): boolean {
  return isToAccept(story.status) || tasks.some((task) => attentionOf(task) !== undefined)
}

/** Whether a story waits for a person, whatever its tasks do. */
export function isStoryWaiting({ status }: Story): boolean {
  return isToAccept(status)
}

/** Whether a task waits for a person. */
export function isTaskWaiting(task: Task): boolean {
  return attentionOf(task) !== undefined
}

/** Whether an agent takes no work until a person acts. */
export function isAgentWaiting({ status }: Agent): boolean {
  return status.state === 'drained'
}

/** All that waits for a person, oldest first. Each is one of the tasks, stories and agents that the three above name. */
export function attentions(all: {
  readonly tasks: readonly Task[]
  readonly stories: readonly Story[]
  readonly agents: readonly Agent[]
}): readonly Attention[] {
  const tasks = all.tasks.flatMap((task): Attention[] => {
    const group = attentionOf(task)
    return group === undefined ? [] : [{ kind: 'task', group, id: task.id, sinceMs: restingSince(task), task }]
  })
  const stories = all.stories.filter(isStoryWaiting).map((story): Attention => ({
    kind: 'story',
    group: 'review',
    id: story.id,
    sinceMs: Date.parse(story.updated_at),
    story,
  }))
  const agents = all.agents
    .filter(isAgentWaiting)
    .map((agent): Attention => ({ kind: 'agent', group: 'agents', id: agent.id, sinceMs: drainedSince(agent), agent }))
  return [...tasks, ...stories, ...agents].sort((a, b) => a.sinceMs - b.sinceMs || (a.id < b.id ? -1 : 1))
}

function restingSince({ finished_at, updated_at }: Task): number {
  return Date.parse(finished_at ?? updated_at)
}

/** A server of an earlier version does not say since when. */
function drainedSince({ created_at, status }: Agent): number {
  return Date.parse(status.since ?? created_at)
}
