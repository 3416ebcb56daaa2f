/** Tasks as a table: printed once, or as a page that is drawn again and again. */
import { formatSpan, formatTook } from '../../core/sentences/amounts.ts'
import { type TaskAttention, goesOn, taskAttention } from '../../core/attention.ts'
import type { Task } from '../../core/rest/client/client.ts'
import { TASK_STATE_VALUES } from '../../core/crd/enums.ts'
import { stuckLabel } from '../../core/sentences/accept.ts'
import { checksMark } from '../../core/sentences/checks.ts'
import { CI_STATE_LABELS } from '../../core/sentences/ci.ts'
import { compareTexts } from '../../core/text.ts'
import { table } from './output.ts'
import { type Style, paintStale, paintState, paintWarning } from './style.ts'
import { cutLine, oneLine } from './text.ts'

/** The column that tells a time. */
export interface TimeColumn {
  readonly heading: string
  readonly of: (task: Task) => string
  /** Now, for what goes on. */
  readonly now: Date
}

/** @param isOneLine each task takes one line */
export function taskTable(
  tasks: readonly Task[],
  { now, ...time }: TimeColumn,
  style: Style,
  isOneLine = false,
): string {
  const rows = tasks.map((task) => [
    task.id,
    task.state,
    task.agent?.type ?? '',
    time.of(task),
    task.name,
    task.waiting_for ?? checksOf(task, now) ?? '',
  ])
  return table(['TASK', 'STATE', 'AGENT', time.heading, 'NAME', 'WAITING FOR'], rows, style, isOneLine)
}

/** What it waits for of a person, and how its work stands: `check test, 40s`, `your review, conflicts, 3 checks green`. */
function checksOf(task: Task, now: Date): string | undefined {
  const waived = task.checks_waived === undefined ? undefined : 'checks waived'
  const mark = waived ?? checksMark(task.checks, now.getTime())?.words
  const yours = yoursOf(task)
  if (yours === undefined) return task.state === 'RUNNING' ? mark : undefined
  const ci = task.ci && `CI ${CI_STATE_LABELS[task.ci.state]}`
  const stuck = stuckLabel(task.delivery)?.toLowerCase()
  return [yours, stuck, mark, ci].filter((part) => part !== undefined).join(', ')
}

const YOURS: Readonly<Record<TaskAttention, string>> = {
  questions: 'your answer',
  review: 'your review',
  failed: 'your decision',
}

/** What a task waits for that needs a person: undefined where it goes on by itself, and where nothing can be done. */
function yoursOf(task: Task): string | undefined {
  const { state, actions } = task
  const attention = taskAttention({ state, goesOn: goesOn(task), actions })
  return attention && YOURS[attention]
}

export function noTasksText(state: Task['state'] | undefined): string {
  return state === undefined ? 'No tasks. Begin one: slipway run "<what is to be done>"' : `No task is ${state}.`
}

/** What a page of tasks shows. */
export interface WatchedTasks {
  readonly tasks: readonly Task[]
  /** The only state that is wanted. */
  readonly state: Task['state'] | undefined
  readonly connection: Connection
}

export type Connection =
  | { readonly kind: 'starting' }
  | { readonly kind: 'live' }
  | { readonly kind: 'lost'; readonly at: Date; readonly why: string }

export interface PageOptions {
  readonly style: Style
  readonly width: number
  readonly height: number
  readonly now: Date
}

/**
 * The lines of a page: how many tasks are in which state, and how many need a person; those that run first, then those
 * that go on by themselves, those that need a person, and the rest, each the newest first; and how many have no room. While the connection is lost everything stands as it was then, in gray.
 */
export function pageLines({ tasks, state, connection }: WatchedTasks, options: PageOptions): string[] {
  const { style, width, height, now } = options
  const isLost = connection.kind === 'lost'
  const head = isLost ? [lostLine(connection, options)] : []
  const seenAt = isLost ? connection.at : now
  const room = height - head.length - 2
  const shown = tasks.toSorted(byUrgency).slice(0, tasks.length > room ? Math.max(0, room - 1) : room)
  const time = { heading: 'TIME', of: (task: Task) => timeOf(task, seenAt), now: seenAt }
  const rowStyle = { ...style, width, hasColor: style.hasColor && !isLost }
  const more = tasks.length - shown.length
  const body =
    tasks.length === 0
      ? [connection.kind === 'starting' ? 'Reading the tasks …' : noTasksText(state)]
      : [
          countsLine(tasks, rowStyle),
          ...taskTable(shown, time, rowStyle, true).trimEnd().split('\n'),
          ...(more === 0 ? [] : [`and ${more} more`]),
        ]
  const painted = isLost ? body.map((line) => paintStale(cutLine(line, width), style)) : body
  return [...head, ...painted].slice(0, height).map((line) => cutLine(line, width))
}

function lostLine({ at, why }: Connection & { readonly kind: 'lost' }, { now, width, style }: PageOptions): string {
  const since = formatSpan(now.getTime() - at.getTime())
  return paintWarning(
    oneLine(`Not connected for ${since}, this is how it was then; trying again (${why})`, width),
    style,
  )
}

function countsLine(tasks: readonly Task[], style: Style): string {
  const counts = TASK_STATE_VALUES.map((state) => ({
    state,
    count: tasks.filter((task) => task.state === state).length,
  })).filter(({ count }) => count > 0)
  const yours = tasks.filter((task) => yoursOf(task) !== undefined).length
  const states = counts.map(({ state, count }) => `${count} ${paintState(state, style)}`).join(', ')
  return yours === 0 ? states : `${states}; ${paintWarning(`${yours} for you`, style)}`
}

function byUrgency(a: Task, b: Task): number {
  const rank = (task: Task): number =>
    task.state === 'RUNNING' ? 0 : goesOn(task) ? 1 : yoursOf(task) === undefined ? 3 : 2
  return rank(a) - rank(b) || compareTexts(b.created_at, a.created_at) || compareTexts(a.id, b.id)
}

/** How long a task has run, or its last run took. */
function timeOf({ state, started_at, finished_at }: Task, now: Date): string {
  return (
    (state === 'RUNNING' ? formatTook({ started_at }, now.getTime()) : formatTook({ started_at, finished_at })) ?? ''
  )
}
