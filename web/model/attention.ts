/** What needs a person, in the order in which it came to need one: the inbox, its count, and the marks on cards. */
import type { Agent, Story, Task } from '../../core/rest/client/client.ts'
import type { TaskState } from '../../core/crd/types.ts'

/** The parts of the inbox, in their order. */
export const ATTENTION_GROUPS = ['questions', 'review', 'failed', 'agents'] as const
export type AttentionGroup = (typeof ATTENTION_GROUPS)[number]

/** One thing that waits for a person. */
export type Attention = { readonly id: string; readonly sinceMs: number } & (
  | { readonly kind: 'task'; readonly group: 'questions' | 'review' | 'failed'; readonly task: Task }
  | { readonly kind: 'story'; readonly group: 'review'; readonly story: Story }
  | { readonly kind: 'agent'; readonly group: 'agents'; readonly agent: Agent }
)

const FAILED: readonly TaskState[] = ['FAILED', 'TIMED_OUT', 'BUDGET_EXCEEDED']

/**
 * The part of the inbox that a task belongs to; undefined while nobody has to do anything. The same tasks are notified
 * about by push (core/notify.ts).
 */
export function attentionOf(task: Task): 'questions' | 'review' | 'failed' | undefined {
  if (task.state === 'READY') return 'review'
  if (task.state === 'BLOCKED') return task.question === undefined ? undefined : 'questions'
  const goesOnByItself = task.resume_after !== undefined && task.suspend !== true
  return FAILED.includes(task.state) && !goesOnByItself ? 'failed' : undefined
}

/** States of an agent in which it takes no work until a person acts. */
export function isAgentStopped({ status }: Agent): boolean {
  return status.state === 'drained'
}

/** All that waits for a person, oldest first. */
export function attentions(all: {
  readonly tasks: readonly Task[]
  readonly stories: readonly Story[]
  readonly agents: readonly Agent[]
}): readonly Attention[] {
  const tasks = all.tasks.flatMap((task): Attention[] => {
    const group = attentionOf(task)
    return group === undefined ? [] : [{ kind: 'task', group, id: task.id, sinceMs: restingSince(task), task }]
  })
  const stories = all.stories
    .filter(({ status }) => status === 'REVIEW_READY')
    .map((story): Attention => ({
      kind: 'story',
      group: 'review',
      id: story.id,
      sinceMs: Date.parse(story.updated_at),
      story,
    }))
  const agents = all.agents
    .filter(isAgentStopped)
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
