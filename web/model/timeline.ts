/** What has happened to a task, newest first: pure. */
import type { Execution, Task } from '../../core/rest/client/client.ts'
import type { HumanTrigger } from '../../core/task/transitions.ts'
import type { Attempt } from './attempts.ts'
import { attemptsOf } from './attempts.ts'
import { executionStateWords, purposeWords } from './execution-state.ts'
import type { Tone } from './task-state.ts'

export const TIMELINE_KINDS = ['decision', 'execution', 'state'] as const
export type TimelineKind = (typeof TIMELINE_KINDS)[number]

export interface TimelineEntry {
  readonly id: string
  readonly kind: TimelineKind
  readonly at: string
  /** Who decided; undefined for what the system did, and where it is not known. */
  readonly by?: string
  readonly text: string
  /** What was said with it. */
  readonly comment?: string
  readonly tone: Tone
  readonly executionId?: string
}

const DECISION_WORDS: Readonly<Record<HumanTrigger, { readonly text: string; readonly tone: Tone }>> = {
  run: { text: 'ran the task', tone: 'run' },
  accept: { text: 'accepted the work', tone: 'done' },
  reject: { text: 'rejected the work', tone: 'fail' },
  cancel: { text: 'cancelled the task', tone: 'wait' },
  resume: { text: 'resumed the task', tone: 'run' },
  answer: { text: 'answered', tone: 'ask' },
}

/** All that the records tell of a task: decisions, the beginnings and ends of its executions, changes of its state. */
export function timelineOf(task: Task, executions: readonly Execution[]): readonly TimelineEntry[] {
  const entries = [...stateEntries(task), ...attemptsOf(executions).flatMap(attemptEntries), ...decisionEntries(task)]
  // Of one instant the later cause comes first, as the list reads from the end.
  return entries
    .map((entry, index) => ({ entry, index }))
    .sort(newestFirst)
    .map(({ entry }) => entry)
}

interface Placed {
  readonly entry: TimelineEntry
  readonly index: number
}

function newestFirst(a: Placed, b: Placed): number {
  return Date.parse(b.entry.at) - Date.parse(a.entry.at) || b.index - a.index
}

function decisionEntries({ decisions }: Task): TimelineEntry[] {
  return decisions.map(({ action, by, at, comment }, index) => ({
    id: `decision ${index}`,
    kind: 'decision',
    at,
    ...DECISION_WORDS[action],
    ...(by === undefined ? {} : { by }),
    ...(comment === undefined || comment === '' ? {} : { comment }),
  }))
}

function attemptEntries({ name, execution }: Attempt): TimelineEntry[] {
  const { id, agent, started_at, finished_at, error } = execution
  const started: TimelineEntry[] =
    started_at === undefined
      ? []
      : [
          {
            id: `${id} started`,
            kind: 'execution',
            at: started_at,
            text: `${name} began${agent === undefined ? '' : ` with ${agent}`} (${purposeWords(execution)})`,
            tone: 'run',
            executionId: id,
          },
        ]
  const { text, tone } = executionStateWords(execution)
  const finished: TimelineEntry[] =
    finished_at === undefined
      ? []
      : [
          {
            id: `${id} finished`,
            kind: 'execution',
            at: finished_at,
            text: `${name} ended: ${text}`,
            tone,
            executionId: id,
            ...(error === undefined ? {} : { comment: error }),
          },
        ]
  return [...started, ...finished]
}

function stateEntries(task: Task): TimelineEntry[] {
  const { created_at, queued_at, delivery } = task
  const made: TimelineEntry = {
    id: 'created',
    kind: 'state',
    at: created_at,
    text: 'The task was created',
    tone: 'wait',
  }
  const queued: TimelineEntry[] =
    queued_at === undefined ? [] : [{ id: 'queued', kind: 'state', at: queued_at, text: 'Queued last', tone: 'wait' }]
  const delivered: TimelineEntry[] =
    delivery?.at === undefined
      ? []
      : [
          {
            id: 'delivered',
            kind: 'state',
            at: delivery.at,
            text: `Delivery (${delivery.kind === 'merge' ? 'merge' : 'pull request'}): ${delivery.state.replaceAll('_', ' ')}`,
            tone: delivery.state === 'delivered' ? 'done' : delivery.state === 'pending' ? 'run' : 'fail',
            ...(delivery.message === undefined ? {} : { comment: delivery.message }),
          },
        ]
  return [made, ...queued, ...delivered]
}
