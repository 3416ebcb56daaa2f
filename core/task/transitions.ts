import type { TaskState } from '../crd/types.ts'

/** What can move a task: the actions of people, and what the system observes. */
export const TASK_TRIGGERS = [
  'run',
  'accept',
  'revise',
  'reject',
  'cancel',
  'resume',
  'answer',
  'waive',
  'start',
  'succeed',
  'fail',
  'timeOut',
  'exceedBudget',
  'ask',
  'waitForSubtasks',
  'subtasksDone',
  'queue',
  'retry',
  'reopen',
] as const

export type TaskTrigger = (typeof TASK_TRIGGERS)[number]

/** The triggers that are a person's decision; the rest is what the operator observes. */
export const HUMAN_TRIGGERS = [
  'run',
  'accept',
  'revise',
  'reject',
  'cancel',
  'resume',
  'answer',
  'waive',
] as const satisfies TaskTrigger[]

export type HumanTrigger = (typeof HUMAN_TRIGGERS)[number]

/**
 * Every move a task can make; a pair that is not here is refused. `cancel` of a RUNNING task is a request:
 * the move itself is made when its execution has ended. Conditions beyond the state (a question for `answer`,
 * `resumeAfter` for `cancel` and `retry`, red checks for `waive`) are decided in decide.ts. `reopen` is made where accepted work could not be
 * delivered: it waits for a person again.
 *
 * `revise` asks for changes, and the agent goes on in the same session; after `reject` a run starts anew. `waive` has the work
 * delivered although checks are red.
 *
 * Source: specification §4.
 */
export const TASK_TRANSITIONS = {
  PENDING: { run: 'QUEUED', queue: 'QUEUED', cancel: 'CANCELLED' },
  QUEUED: { start: 'RUNNING', cancel: 'CANCELLED' },
  RUNNING: {
    succeed: 'READY',
    fail: 'FAILED',
    timeOut: 'TIMED_OUT',
    cancel: 'CANCELLED',
    exceedBudget: 'BUDGET_EXCEEDED',
    ask: 'BLOCKED',
    waitForSubtasks: 'BLOCKED',
  },
  READY: { accept: 'COMPLETED', reject: 'PENDING', revise: 'QUEUED' },
  COMPLETED: { reopen: 'READY' },
  FAILED: { run: 'QUEUED', resume: 'QUEUED', revise: 'QUEUED', waive: 'QUEUED', retry: 'QUEUED', cancel: 'CANCELLED' },
  TIMED_OUT: { run: 'QUEUED', resume: 'QUEUED', revise: 'QUEUED' },
  CANCELLED: { run: 'QUEUED', resume: 'QUEUED', revise: 'QUEUED' },
  BUDGET_EXCEEDED: { run: 'QUEUED', resume: 'QUEUED', revise: 'QUEUED', retry: 'QUEUED', cancel: 'CANCELLED' },
  BLOCKED: { run: 'QUEUED', answer: 'QUEUED', cancel: 'CANCELLED', subtasksDone: 'READY' },
} as const satisfies Record<TaskState, Partial<Record<TaskTrigger, TaskState>>>

/** The state that `trigger` leads to from `state`, or undefined when the table refuses it. */
export function findNextState(state: TaskState, trigger: TaskTrigger): TaskState | undefined {
  const row: Partial<Record<TaskTrigger, TaskState>> = TASK_TRANSITIONS[state]
  return row[trigger]
}

/** Whether a task of this state can be deleted: not while an agent works at it. Source: specification §3.25. */
export function isDeletable(state: TaskState): boolean {
  return state !== 'RUNNING'
}

/** Whether people can change what a task of this state says: not while an agent works by it. Source: specification §8.12. */
export function isEditable(state: TaskState): boolean {
  return state !== 'RUNNING'
}

/**
 * Whether pages offer to change what a task says. Accepted work was done by what it says: it can be corrected over REST, and
 * nothing comes of that.
 */
export function isEditOffered(state: TaskState): boolean {
  return isEditable(state) && state !== 'COMPLETED'
}

/** The triggers that the table allows from `state`, in the order of {@link TASK_TRIGGERS}. */
export function triggersFrom(state: TaskState): TaskTrigger[] {
  return TASK_TRIGGERS.filter((trigger) => findNextState(state, trigger) !== undefined)
}
