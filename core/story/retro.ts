/**
 * What a story took, told once, when it is accepted: from its tasks and their executions alone, by counting. No agent
 * is asked.
 */
import type { Decision, Execution, Story, StoryEvent, Task } from '../crd/types.ts'
import { sumUSD } from '../money.ts'
import { stateOf } from '../task/decide.ts'
import { parseTimestamp, toTimestamp } from '../time.ts'
import { clip } from '../text.ts'
import { onceEventName } from './evaluation-names.ts'
import { makeStoryEvent } from './events.ts'
import { byAge } from './progress.ts'

/** How one task went. */
export interface TaskRetro {
  readonly task_id: string
  readonly name: string
  readonly state: string
  /** Executions that there were. */
  readonly attempts: number
  readonly failed_attempts: number
  /** The sum over executions that report a cost; absent when none does. */
  readonly cost_usd?: number
  /** From start to end of each execution, added up. */
  readonly duration_seconds: number
  readonly rejections: readonly string[]
  /** What the last execution that has one says of itself, shortened. */
  readonly summary?: string
}

/** Payload of the event retro_captured. */
export interface RetroPayload {
  readonly tasks: readonly TaskRetro[]
  /** Tasks that are counted below, but not listed. */
  readonly tasks_left_out: number
  readonly attempts: number
  readonly failed_attempts: number
  readonly rejections: number
  readonly cost_usd?: number
  readonly duration_seconds: number
  /** Times that the story was evaluated. */
  readonly evaluations: number
}

/** So that the event stays small beside a request's limit, whatever agents wrote. */
const MAX_TASKS = 100
const MAX_TEXT = 1000
const MAX_REJECTIONS = 20

/** @param executions of the story's tasks, of any purpose that does work */
export function captureRetro(story: Story, tasks: readonly Task[], executions: readonly Execution[]): RetroPayload {
  const each = [...tasks].sort(byAge).map((task) => retroOf(task, executions))
  const sum = (of: (retro: TaskRetro) => number): number => each.reduce((total, retro) => total + of(retro), 0)
  return {
    tasks: each.slice(0, MAX_TASKS),
    tasks_left_out: Math.max(0, each.length - MAX_TASKS),
    attempts: sum(({ attempts }) => attempts),
    failed_attempts: sum((retro) => retro.failed_attempts),
    rejections: tasks.reduce((total, task) => total + rejectionsOf(task).length, 0),
    ...costOf(each.flatMap(({ cost_usd }) => cost_usd ?? [])),
    duration_seconds: sum((retro) => retro.duration_seconds),
    evaluations: story.status?.evaluation?.round ?? 0,
  }
}

function retroOf(task: Task, executions: readonly Execution[]): TaskRetro {
  const own = executions
    .filter(({ spec }) => spec.taskRef?.name === task.metadata.name)
    .sort((a, b) => (endedAt(a) < endedAt(b) ? -1 : 1))
  const summary = own.findLast(({ status }) => (status?.summary ?? '') !== '')?.status?.summary
  return {
    task_id: task.metadata.name,
    name: task.spec.title,
    state: stateOf(task),
    attempts: own.length,
    failed_attempts: own.filter(hasFailed).length,
    ...costOf(own.flatMap(({ status }) => status?.costUSD ?? [])),
    duration_seconds: own.reduce((total, execution) => total + secondsOf(execution), 0),
    rejections: rejectionsOf(task)
      .slice(-MAX_REJECTIONS)
      .map(({ comment }) => clip(comment ?? '', MAX_TEXT)),
    ...(summary === undefined ? {} : { summary: clip(summary, MAX_TEXT) }),
  }
}

/** Each time that a person did not take the work as it was. */
function rejectionsOf({ status }: Task): readonly Decision[] {
  return (status?.decisions ?? []).filter(({ action }) => action === 'reject' || action === 'revise')
}

function hasFailed({ status }: Execution): boolean {
  return status?.state === 'FAILED' || status?.state === 'TIMED_OUT' || status?.state === 'BUDGET_EXCEEDED'
}

function secondsOf({ status }: Execution): number {
  if (status?.startedAt === undefined || status.finishedAt === undefined) return 0
  return Math.max(0, (parseTimestamp(status.finishedAt).getTime() - parseTimestamp(status.startedAt).getTime()) / 1000)
}

function costOf(costs: readonly number[]): { readonly cost_usd?: number } {
  return costs.length === 0 ? {} : { cost_usd: sumUSD(costs) }
}

function endedAt({ metadata, status }: Execution): string {
  return `${status?.finishedAt ?? metadata.creationTimestamp ?? ''} ${metadata.name}`
}

/** The event retro_captured of a story that was accepted; made again it is the same object. */
export function retroEvent(
  story: Story,
  tasks: readonly Task[],
  executions: readonly Execution[],
  now: Date,
): StoryEvent {
  const payload = { ...captureRetro(story, tasks, executions) }
  return makeStoryEvent(story, onceEventName(story, 'retro'), { kind: 'retro_captured', payload, at: toTimestamp(now) })
}

/** The event epic_proposed, where the evaluating agent of an accepted story proposed a follow-up; once per story. */
export function followUpEvent(story: Story, now: Date): StoryEvent | undefined {
  const { followUp } = story.status?.evaluation ?? {}
  if (followUp === undefined) return undefined
  const { title, description, agent } = followUp
  const payload = { title, ...(description === undefined ? {} : { description }), story_id: story.metadata.name }
  return makeStoryEvent(story, onceEventName(story, 'epic'), {
    kind: 'epic_proposed',
    payload,
    at: toTimestamp(now),
    ...(agent === undefined ? {} : { by: agent }),
  })
}
