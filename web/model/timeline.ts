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
  /** The end of an execution. */
  readonly isEnd?: true
  /** The decision, where it is one. */
  readonly action?: HumanTrigger
}

const CREATED = 'created'

const DECISION_WORDS: Readonly<Record<HumanTrigger, { readonly text: string; readonly tone: Tone }>> = {
  run: { text: 'ran the task', tone: 'run' },
  accept: { text: 'accepted the work', tone: 'done' },
  reject: { text: 'rejected the work', tone: 'fail' },
  cancel: { text: 'cancelled the task', tone: 'wait' },
  resume: { text: 'resumed the task', tone: 'run' },
  answer: { text: 'answered', tone: 'ask' },
}

/**
 * All that the records tell of a task: decisions, the beginnings and ends of its executions, changes of its state.
 *
 * Times of resources are in whole seconds. Of one second, an end stands before the decision about it, and a decision
 * before the beginning that it leads to; a cancel stands before the end.
 */
export function timelineOf(task: Task, executions: readonly Execution[]): readonly TimelineEntry[] {
  const people = [createdEntry(task), ...decisionEntries(task), ...stateEntries(task)].sort(bySecond)
  const work = attemptsOf(executions).toReversed().flatMap(attemptEntries).sort(bySecond)
  const merged: TimelineEntry[] = []
  let [person, attempt] = [people.shift(), work.shift()]
  let hasEnded = false
  while (person !== undefined || attempt !== undefined) {
    if (attempt === undefined || (person !== undefined && isBefore(person, attempt, hasEnded))) {
      if (person !== undefined) merged.push(person)
      person = people.shift()
    } else {
      merged.push(attempt)
      hasEnded = attempt.isEnd === true
      attempt = work.shift()
    }
  }
  return merged.toReversed()
}

/** @param hasEnded the entry before is the end of an execution */
function isBefore(person: TimelineEntry, attempt: TimelineEntry, hasEnded: boolean): boolean {
  if (secondOf(person) !== secondOf(attempt)) return secondOf(person) < secondOf(attempt)
  if (person.id === CREATED || person.action === 'cancel') return true
  const isAboutAnEnd = person.action !== undefined && person.action !== 'run'
  return attempt.isEnd !== true && (hasEnded || !isAboutAnEnd)
}

function bySecond(a: TimelineEntry, b: TimelineEntry): number {
  return secondOf(a) - secondOf(b)
}

function secondOf({ at }: TimelineEntry): number {
  return Math.floor(Date.parse(at) / 1_000)
}

function decisionEntries({ decisions }: Task): TimelineEntry[] {
  return decisions.map(({ action, by, at, comment }, index) => ({
    id: `decision ${index}`,
    kind: 'decision',
    at,
    ...DECISION_WORDS[action],
    action,
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
            isEnd: true,
            executionId: id,
            ...(error === undefined ? {} : { comment: error }),
          },
        ]
  return [...started, ...finished]
}

function createdEntry({ created_at }: Task): TimelineEntry {
  return { id: CREATED, kind: 'state', at: created_at, text: 'The task was created', tone: 'wait' }
}

function stateEntries({ queued_at, delivery }: Task): TimelineEntry[] {
  const queued: TimelineEntry[] =
    queued_at === undefined ? [] : [{ id: 'queued', kind: 'state', at: queued_at, text: 'Queued', tone: 'wait' }]
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
  return [...queued, ...delivered]
}
