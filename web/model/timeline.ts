/** What has happened to a task, newest first: pure. */
import type { Execution, Task } from '../../core/rest/client/client.ts'
import { deliveryLabel } from '../../core/sentences/accept.ts'
import { PURPOSE_LABELS } from '../../core/sentences/states.ts'
import type { DecisionAction } from '../../core/crd/types.ts'
import { type Attempt, attemptsOf } from './attempts.ts'
import { type StateIcon, type Tone, executionStateWords } from './state-words.ts'

/** One line of a timeline, of a task or of a story. */
export interface TimelineEntry<K extends string> {
  readonly id: string
  readonly kind: K
  /** RFC 3339. */
  readonly at: string
  readonly tone: Tone
  readonly icon: StateIcon
  readonly title: string
  /** Who, what it took, what was said; '' for nothing. */
  readonly detail: string
  /** Opens with a click. */
  readonly taskId?: string | undefined
  readonly executionId?: string | undefined
  /** An epic that an agent proposes. */
  readonly proposal?: { readonly title: string; readonly description: string } | undefined
}

/** The kinds by which the timeline of a task is filtered, each with its word. */
export const TASK_TIMELINE_KINDS = { decision: 'Decisions', execution: 'Attempts', state: 'State' } as const

interface TaskEntry extends TimelineEntry<keyof typeof TASK_TIMELINE_KINDS> {
  /** The end of an execution. */
  readonly isEnd?: true
  /** The decision, where it is one. */
  readonly action?: DecisionAction
}

const CREATED = 'created'
const WAITING = { tone: 'wait', icon: 'clock' } as const

interface DecisionWords {
  /** After who decided: `accepted the work`. */
  readonly did: string
  /** After what was decided about: `was accepted`. */
  readonly was: string
  readonly tone: Tone
  readonly icon: StateIcon
}

/** What people decide about a task. */
export const DECISION_WORDS: Readonly<Record<DecisionAction, DecisionWords>> = {
  run: { did: 'ran the task', was: 'was started', tone: 'wait', icon: 'play' },
  accept: { did: 'accepted the work', was: 'was accepted', tone: 'done', icon: 'done' },
  reject: { did: 'rejected the work', was: 'was rejected', tone: 'fail', icon: 'failed' },
  cancel: { did: 'cancelled the task', was: 'was cancelled', tone: 'wait', icon: 'stopped' },
  resume: { did: 'resumed the task', was: 'was resumed', tone: 'wait', icon: 'play' },
  waive: { did: 'waived the checks', was: 'had its checks waived', tone: 'wait', icon: 'play' },
  revise: { did: 'asked for changes', was: 'was sent back for changes', tone: 'ask', icon: 'play' },
  handback: { did: 'handed the work back', was: 'was handed back', tone: 'ask', icon: 'play' },
  answer: { did: 'answered', was: 'got an answer', tone: 'ask', icon: 'question' },
}

/**
 * All that the records tell of a task: decisions, the beginnings and ends of its executions, changes of its state.
 *
 * Times of resources are in whole seconds. Of one second, an end stands before the decision about it, and a decision
 * before the beginning that it leads to; a cancel stands before the end.
 */
export function timelineOf(task: Task, executions: readonly Execution[]): readonly TaskEntry[] {
  const people = [createdEntry(task), ...decisionEntries(task), ...stateEntries(task)].sort(bySecond)
  const work = attemptsOf(executions).toReversed().flatMap(attemptEntries).sort(bySecond)
  const merged: TaskEntry[] = []
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
function isBefore(person: TaskEntry, attempt: TaskEntry, hasEnded: boolean): boolean {
  if (secondOf(person) !== secondOf(attempt)) return secondOf(person) < secondOf(attempt)
  if (person.id === CREATED || person.action === 'cancel') return true
  const isAboutAnEnd = person.action !== undefined && person.action !== 'run'
  return attempt.isEnd !== true && (hasEnded || !isAboutAnEnd)
}

function bySecond(a: TaskEntry, b: TaskEntry): number {
  return secondOf(a) - secondOf(b)
}

function secondOf({ at }: TaskEntry): number {
  return Math.floor(Date.parse(at) / 1_000)
}

function decisionEntries({ decisions }: Task): TaskEntry[] {
  return decisions.map(({ action, by, at, comment }, index) => {
    const { did, tone, icon } = DECISION_WORDS[action]
    const title = `${by ?? 'Somebody'} ${did}`
    return { id: `decision ${index}`, kind: 'decision', at, tone, icon, title, detail: comment ?? '', action }
  })
}

function attemptEntries({ name, execution }: Attempt): TaskEntry[] {
  const { id, agent, started_at, finished_at, error } = execution
  const shared = { kind: 'execution', executionId: id } as const
  const began = `${name} began${agent === undefined ? '' : ` with ${agent}`} (${PURPOSE_LABELS[execution.purpose]})`
  const { text, tone, icon } = executionStateWords(execution)
  const started: TaskEntry[] =
    started_at === undefined
      ? []
      : [{ ...shared, id: `${id} started`, at: started_at, tone: 'run', icon: 'play', title: began, detail: '' }]
  const finished: TaskEntry[] =
    finished_at === undefined
      ? []
      : [
          {
            ...shared,
            id: `${id} finished`,
            at: finished_at,
            tone,
            icon,
            title: `${name} ended: ${text}`,
            detail: error ?? '',
            isEnd: true,
          },
        ]
  return [...started, ...finished]
}

function createdEntry({ created_at }: Task): TaskEntry {
  return { ...WAITING, id: CREATED, kind: 'state', at: created_at, title: 'The task was created', detail: '' }
}

function stateEntries({ queued_at, delivery }: Task): TaskEntry[] {
  const queued: TaskEntry[] =
    queued_at === undefined
      ? []
      : [{ ...WAITING, id: 'queued', kind: 'state', at: queued_at, title: 'Queued', detail: '' }]
  if (delivery?.at === undefined) return queued
  const { at, state, message = '' } = delivery
  return [
    ...queued,
    { id: 'delivered', kind: 'state', at, ...deliverySign(state), title: deliveryLabel(delivery), detail: message },
  ]
}

function deliverySign(state: NonNullable<Task['delivery']>['state']): Pick<TaskEntry, 'tone' | 'icon'> {
  if (state === 'delivered') return { tone: 'done', icon: 'done' }
  return state === 'pending' ? { tone: 'run', icon: 'play' } : { tone: 'fail', icon: 'failed' }
}
