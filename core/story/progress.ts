import { claimConditions } from '../conditions.ts'
import type { Story, StoryStatus, StoryStatusFields, StoryTasks, Task } from '../crd/types.ts'
import { isSatisfied } from '../task/dependencies.ts'
import { stateOf } from '../task/decide.ts'
import { parseTimestamp } from '../time.ts'
import { findWorkedBranch } from './branch.ts'
import { moveStory, storyStatus } from './status.ts'
import { type TaskEvent, eventsSinceChange } from './task-events.ts'
import { STORY_SYSTEM_MOVES } from './transitions.ts'

/** What a story's tasks say about it at any time. */
export interface StoryProgress {
  readonly tasks: StoryTasks
  /** The first task of the chain; absent while there is no task. */
  readonly rootTaskId?: string
}

/** Counts a story's tasks, CANCELLED ones left out, and finds the first of the chain. */
export function storyProgress(story: Story, tasks: readonly Task[]): StoryProgress {
  const counting = tasks.filter((task) => stateOf(task) !== 'CANCELLED')
  const done = counting.filter((task) => isSatisfied(stateOf(task))).length
  const rootTaskId = findRoot(story, tasks)
  return { tasks: { total: counting.length, done }, ...(rootTaskId === undefined ? {} : { rootTaskId }) }
}

/**
 * The status fields that follow from a story's tasks: how many are done, the first of the chain, and the moves that
 * task events cause. Only events that the last change of status did not know count, so that the system never undoes
 * what a person did since.
 *
 * Source: specification §5.4, §5.5, §5.6.
 */
export function trackStory(story: Story, tasks: readonly Task[]): StoryStatusFields {
  const { rootTaskId: _, ...status } = story.status ?? {}
  const progress = storyProgress(story, tasks)
  const counted = { ...status, ...progress, ...noteBranch(story, tasks) }
  const { total, done } = progress.tasks
  const move = findSystemMove(story, tasks, done > 0 && done === total)
  return move === undefined ? counted : moveStory({ ...story, status: counted }, tasks, move.to, move.at)
}

/** The story's branch by its name, once somebody has worked on it. */
function noteBranch(story: Story, tasks: readonly Task[]): Pick<StoryStatusFields, 'branch'> {
  const name = findWorkedBranch(story, tasks)
  return name === undefined ? {} : { branch: { ...story.status?.branch, name } }
}

/** Reason of the condition of a story that says no more than its status. */
export const TRACKED = 'Tracked'

/** {@link trackStory} with the condition that says it: the whole status of a story that nothing is left to do about. */
export function storyStatusFields(story: Story, tasks: readonly Task[], now: Date): StoryStatusFields {
  const tracked = trackStory(story, tasks)
  const message = `the story is ${storyStatus({ ...story, status: tracked })}`
  const ready = { type: 'Ready', status: 'True', reason: TRACKED, message } as const
  return { ...tracked, ...claimConditions(story, [ready], now) }
}

/** A system move, and the event that caused it: what happens from then on counts for the next one. */
interface SystemMove {
  readonly to: StoryStatus
  readonly at: Date
}

function findSystemMove(story: Story, tasks: readonly Task[], isAllDone: boolean): SystemMove | undefined {
  const from = storyStatus(story)
  const to = isAllDone ? 'SHIPPABLE' : 'IN_PROGRESS'
  const allowed: readonly StoryStatus[] = STORY_SYSTEM_MOVES[from]
  if (!allowed.includes(to)) return undefined
  const causes: readonly TaskEvent['kind'][] = isAllDone
    ? ['finished']
    : // Work on the story was finished before: then a reject or a new task opens it again.
      ['queued', ...(wasFinished(from) ? (['rejected', 'created'] as const) : [])]
  const counting = eventsSinceChange(story, tasks).filter(({ kind }) => causes.includes(kind))
  const latest = counting.map(({ at }) => parseTimestamp(at)).sort((a, b) => b.getTime() - a.getTime())[0]
  return latest === undefined ? undefined : { to, at: latest }
}

function wasFinished(status: StoryStatus): boolean {
  return status === 'SHIPPABLE' || status === 'VALIDATING' || status === 'REVIEW_READY'
}

/** It stays the root as long as it exists. */
function findRoot(story: Story, tasks: readonly Task[]): string | undefined {
  const names = new Set(tasks.map(({ metadata }) => metadata.name))
  const root = story.status?.rootTaskId
  if (root !== undefined && names.has(root)) return root
  const firsts = tasks.filter(
    ({ spec }) => spec.parentTaskId === undefined && !(spec.dependsOn ?? []).some((name) => names.has(name)),
  )
  return firsts.sort(byAge)[0]?.metadata.name
}

/** For `sort`: the oldest task first, those of one second by name. */
export function byAge(a: Task, b: Task): number {
  const key = ({ metadata }: Task): string => `${metadata.creationTimestamp ?? ''} ${metadata.name}`
  return key(a) < key(b) ? -1 : 1
}
