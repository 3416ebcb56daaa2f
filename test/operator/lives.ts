/** Lives of a task, for what must hold whenever its operator is killed. */
import type { ErrorCategory, TaskState } from '../../core/crd/types.ts'
import type { TaskDecision } from '../../core/task/decide.ts'
import type { JobEnd } from './world.ts'

/** What happens to the task from outside, each time once the operator has nothing more to do. */
export type Happening =
  | { readonly kind: 'end'; readonly job: string; readonly end?: JobEnd; readonly losesClone?: boolean }
  | { readonly kind: 'decide'; readonly decision: Partial<TaskDecision> }
  /** Checked out by a person, who hands it back: as it is, or with a comment for its agent. */
  | { readonly kind: 'takeOver'; readonly comment?: string }
  | { readonly kind: 'delete' }

export interface Life {
  readonly title: string
  /** Auto: its run policy queues it, so that it is queued and starts in one; absent: somebody has queued it. */
  readonly runPolicy?: 'Auto'
  /** Goes on from accepted work, of which the session was kept. */
  readonly continues?: true
  readonly course: readonly Happening[]
  /** Undefined: it is gone. */
  readonly ends: TaskState | undefined
  readonly jobs: readonly string[]
}

export const SESSION = '01a22089-2b8e-7a51-904c-d7d48494d8aa'
export const FIRST = 'task-a-1-run'
const SECOND = 'task-a-2-run'

const end = (job: string, how: JobEnd = {}): Happening => ({ kind: 'end', job, end: how })
const decided = (decision: Partial<TaskDecision>): Happening => ({ kind: 'decide', decision })
const failure = (category: ErrorCategory): JobEnd => ({
  result: { outcome: 'failed', pushed: false, error: { category, message: 'no' } },
})
/** The agent was done, and a check of its work is red. */
const red: JobEnd = { outcome: {}, ...failure('checks') }

export const LIVES: readonly Life[] = [
  { title: 'succeeds', course: [end(FIRST)], ends: 'READY', jobs: [FIRST] },
  { title: 'fails', course: [end(FIRST, failure('failed'))], ends: 'FAILED', jobs: [FIRST] },
  {
    title: 'loses its pod while it delivers',
    course: [end(FIRST, { result: 'none', outcome: {} }), end('task-a-1-run-2')],
    ends: 'READY',
    jobs: [FIRST, 'task-a-1-run-2'],
  },
  {
    title: 'loses its pod and its clone while it delivers, and the pod that begins anew',
    course: [
      { kind: 'end', job: FIRST, end: { result: 'none', outcome: {} }, losesClone: true },
      end('task-a-1-run-2', { result: 'none' }),
      end('task-a-1-run-3', { outcome: {} }),
    ],
    ends: 'READY',
    jobs: [FIRST, 'task-a-1-run-2', 'task-a-1-run-3'],
  },
  {
    title: 'fails to push, loses its clone, and is resumed',
    course: [
      { kind: 'end', job: FIRST, end: { outcome: {}, ...failure('git') }, losesClone: true },
      decided({ action: 'resume' }),
      end(SECOND, { result: 'none' }),
      end('task-a-2-run-2', { outcome: {} }),
    ],
    ends: 'READY',
    jobs: [FIRST, SECOND, 'task-a-2-run-2'],
  },
  {
    title: 'cannot log in at first',
    course: [end(FIRST, failure('auth')), end('task-a-1-run-2')],
    ends: 'READY',
    jobs: [FIRST, 'task-a-1-run-2'],
  },
  {
    title: 'is red, and green in the second round',
    course: [end(FIRST, red), end('task-a-1-run-2', { outcome: {} })],
    ends: 'READY',
    jobs: [FIRST, 'task-a-1-run-2'],
  },
  {
    title: 'is red in each round, waived and delivered',
    course: [
      end(FIRST, red),
      end('task-a-1-run-2', red),
      end('task-a-1-run-3', red),
      decided({ action: 'waive', comment: 'the check is wrong' }),
      end(SECOND),
    ],
    ends: 'READY',
    jobs: [FIRST, 'task-a-1-run-2', 'task-a-1-run-3', SECOND],
  },
  {
    title: 'is revised twice and accepted',
    course: [
      end(FIRST),
      decided({ action: 'revise', comment: 'also this' }),
      end(SECOND),
      decided({ action: 'revise', comment: 'and that' }),
      end('task-a-3-run'),
      decided({ action: 'accept' }),
    ],
    ends: 'COMPLETED',
    jobs: [FIRST, SECOND, 'task-a-3-run'],
  },
  {
    title: 'is checked out and handed back, once for review and once to its agent',
    course: [
      end(FIRST),
      { kind: 'takeOver' },
      end(SECOND),
      { kind: 'takeOver', comment: 'go on from here' },
      end('task-a-3-run'),
    ],
    ends: 'READY',
    jobs: [FIRST, SECOND, 'task-a-3-run'],
  },
  {
    title: 'asks, is answered and succeeds',
    course: [
      end(FIRST, { result: { outcome: 'blocked', pushed: false, questions: [{ text: 'Which?' }] } }),
      decided({ action: 'answer', answer: 'that one' }),
      end(SECOND),
    ],
    ends: 'READY',
    jobs: [FIRST, SECOND],
  },
  {
    title: 'fails, is run again and accepted',
    course: [end(FIRST, failure('git')), decided({ action: 'run' }), end(SECOND), decided({ action: 'accept' })],
    ends: 'COMPLETED',
    jobs: [FIRST, SECOND],
  },
  {
    title: 'goes on from accepted work, and loses its pod',
    continues: true,
    course: [end(FIRST, { result: 'none' }), end('task-a-1-run-2', { outcome: { sessionId: SESSION } })],
    ends: 'READY',
    jobs: [FIRST, 'task-a-1-run-2'],
  },
  { title: 'is cancelled while it runs', course: [decided({ action: 'cancel' })], ends: 'CANCELLED', jobs: [] },
  {
    title: 'is cancelled, resumed and succeeds',
    course: [decided({ action: 'cancel' }), decided({ action: 'resume' }), end(SECOND)],
    ends: 'READY',
    jobs: [SECOND],
  },
  { title: 'is deleted while it runs', course: [{ kind: 'delete' }], ends: undefined, jobs: [] },
  { title: 'starts by itself and succeeds', runPolicy: 'Auto', course: [end(FIRST)], ends: 'READY', jobs: [FIRST] },
  {
    title: 'starts by itself and is cancelled while it runs',
    runPolicy: 'Auto',
    course: [decided({ action: 'cancel' })],
    ends: 'CANCELLED',
    jobs: [],
  },
  { title: 'is deleted when it is done', course: [end(FIRST), { kind: 'delete' }], ends: undefined, jobs: [FIRST] },
]
