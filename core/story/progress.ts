import type { Story, StoryStatus, StoryStatusFields, Task } from '../crd/types.ts'
import { parseTimestamp } from '../time.ts'
import { stateOf } from '../task/decide.ts'
import { isSatisfied } from '../task/dependencies.ts'
import { moveStory, storyStatus } from './decide.ts'
import { STORY_SYSTEM_MOVES } from './transitions.ts'

/**
 * The status fields that follow from a story's tasks: how many are done, the first of the chain, and the moves that
 * task events cause. Only events that are not older than the last change of status count, so that the system never
 * undoes what a person did since.
 *
 * Source: interface specification, section 3; decisions, section 4.
 */
export function trackStory(story: Story, tasks: readonly Task[]): StoryStatusFields {
  const counting = tasks.filter((task) => stateOf(task) !== 'CANCELLED')
  const done = counting.filter((task) => isSatisfied(stateOf(task))).length
  const rootTaskId = findRoot(story, tasks)
  const counted = {
    ...story.status,
    tasks: { total: counting.length, done },
    ...(rootTaskId === undefined ? {} : { rootTaskId }),
  }
  const move = findSystemMove(story, tasks, done > 0 && done === counting.length)
  return move === undefined ? counted : moveStory({ ...story, status: counted }, move.to, move.at)
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
  const events = tasks.flatMap((task) => (isAllDone ? finishTimes(task) : openingTimes(task, hasBegun(from))))
  const since = story.status?.statusChangedAt
  const counting = events.map(parseTimestamp).filter((at) => since === undefined || at >= parseTimestamp(since))
  const latest = counting.sort((a, b) => b.getTime() - a.getTime())[0]
  return latest === undefined ? undefined : { to, at: latest }
}

/** Whether work on the story was finished before: then a reject or a new task opens it again. */
function hasBegun(status: StoryStatus): boolean {
  return status === 'SHIPPABLE' || status === 'VALIDATING' || status === 'REVIEW_READY'
}

function finishTimes(task: Task): string[] {
  const at = task.status?.finishedAt
  return isSatisfied(stateOf(task)) && at !== undefined ? [at] : []
}

function openingTimes({ metadata, status }: Task, wasFinished: boolean): string[] {
  const queued = status?.queuedAt === undefined ? [] : [status.queuedAt]
  if (!wasFinished) return queued
  const rejects = (status?.decisions ?? []).flatMap(({ action, at }) => (action === 'reject' ? [at] : []))
  return [...queued, ...rejects, ...(metadata.creationTimestamp === undefined ? [] : [metadata.creationTimestamp])]
}

/** The first task of the chain: it stays the root as long as it exists. */
function findRoot(story: Story, tasks: readonly Task[]): string | undefined {
  const names = new Set(tasks.map(({ metadata }) => metadata.name))
  const root = story.status?.rootTaskId
  if (root !== undefined && names.has(root)) return root
  const firsts = tasks.filter(
    ({ spec }) => spec.parentTaskId === undefined && !(spec.dependsOn ?? []).some((name) => names.has(name)),
  )
  return firsts.sort(byAge)[0]?.metadata.name
}

function byAge(a: Task, b: Task): number {
  const key = ({ metadata }: Task): string => `${metadata.creationTimestamp ?? ''} ${metadata.name}`
  return key(a) < key(b) ? -1 : 1
}
