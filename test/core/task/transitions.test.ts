import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { TASK_STATE_VALUES } from '../../../core/crd/enums.ts'
import type { TaskState } from '../../../core/crd/types.ts'
import {
  type TaskTrigger,
  findNextState,
  HUMAN_TRIGGERS,
  isEditOffered,
  TASK_TRANSITIONS,
  TASK_TRIGGERS,
  triggersFrom,
} from '../../../core/task/transitions.ts'

/** Every allowed move, written out from specification §4. */
const ALLOWED: readonly (readonly [TaskState, TaskTrigger, TaskState])[] = [
  ['PENDING', 'run', 'QUEUED'],
  ['PENDING', 'queue', 'QUEUED'],
  ['PENDING', 'cancel', 'CANCELLED'],
  ['QUEUED', 'start', 'RUNNING'],
  ['QUEUED', 'cancel', 'CANCELLED'],
  ['RUNNING', 'succeed', 'READY'],
  ['RUNNING', 'fail', 'FAILED'],
  ['RUNNING', 'timeOut', 'TIMED_OUT'],
  ['RUNNING', 'cancel', 'CANCELLED'],
  ['RUNNING', 'exceedBudget', 'BUDGET_EXCEEDED'],
  ['RUNNING', 'ask', 'BLOCKED'],
  ['RUNNING', 'waitForSubtasks', 'BLOCKED'],
  ['READY', 'accept', 'COMPLETED'],
  ['READY', 'reject', 'PENDING'],
  ['READY', 'revise', 'QUEUED'],
  ['COMPLETED', 'reopen', 'READY'],
  ['FAILED', 'run', 'QUEUED'],
  ['FAILED', 'resume', 'QUEUED'],
  ['FAILED', 'revise', 'QUEUED'],
  ['FAILED', 'waive', 'QUEUED'],
  ['FAILED', 'retry', 'QUEUED'],
  ['FAILED', 'cancel', 'CANCELLED'],
  ['TIMED_OUT', 'run', 'QUEUED'],
  ['TIMED_OUT', 'resume', 'QUEUED'],
  ['TIMED_OUT', 'revise', 'QUEUED'],
  ['CANCELLED', 'run', 'QUEUED'],
  ['CANCELLED', 'resume', 'QUEUED'],
  ['CANCELLED', 'revise', 'QUEUED'],
  ['BUDGET_EXCEEDED', 'run', 'QUEUED'],
  ['BUDGET_EXCEEDED', 'resume', 'QUEUED'],
  ['BUDGET_EXCEEDED', 'revise', 'QUEUED'],
  ['BUDGET_EXCEEDED', 'retry', 'QUEUED'],
  ['BUDGET_EXCEEDED', 'cancel', 'CANCELLED'],
  ['BLOCKED', 'run', 'QUEUED'],
  ['BLOCKED', 'answer', 'QUEUED'],
  ['BLOCKED', 'cancel', 'CANCELLED'],
  ['BLOCKED', 'subtasksDone', 'READY'],
]

describe('the transition table of tasks', () => {
  for (const [from, trigger, to] of ALLOWED)
    it(`${trigger} moves a ${from} task to ${to}`, () => {
      assert.equal(findNextState(from, trigger), to)
    })

  for (const [from, trigger] of refusedCells())
    it(`${trigger} is refused for a ${from} task`, () => {
      assert.equal(findNextState(from, trigger), undefined)
    })

  it('has a row for each state of the CRD and for nothing else', () => {
    assert.deepEqual(Object.keys(TASK_TRANSITIONS).sort(), [...TASK_STATE_VALUES].sort())
  })

  it('offers from each state exactly the triggers that lead somewhere', () => {
    for (const state of TASK_STATE_VALUES) {
      const expected = new Set(ALLOWED.filter(([from]) => from === state).map(([, trigger]) => trigger))
      assert.deepEqual(new Set(triggersFrom(state)), expected)
    }
  })

  it('is never left, whatever happens in whatever order', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...TASK_TRIGGERS), { maxLength: 60 }), (triggers) => {
        const path = triggers.reduce((state: TaskState, trigger) => findNextState(state, trigger) ?? state, 'PENDING')
        return TASK_STATE_VALUES.includes(path)
      }),
    )
  })

  it('has an ending that no person leaves, and it is COMPLETED alone', () => {
    const isHuman = (trigger: TaskTrigger): boolean => HUMAN_TRIGGERS.some((human) => human === trigger)
    const endings = TASK_STATE_VALUES.filter((state) => !triggersFrom(state).some(isHuman))
    assert.deepEqual(endings, ['COMPLETED'])
  })

  it('reaches every state from PENDING', () => {
    assert.deepEqual(reachableFrom('PENDING'), new Set(TASK_STATE_VALUES))
  })

  it('reaches COMPLETED from every state', () => {
    for (const state of TASK_STATE_VALUES) assert.ok(reachableFrom(state).has('COMPLETED'), state)
  })

  it('starts an execution only from QUEUED', () => {
    const before = TASK_STATE_VALUES.filter((state) =>
      Object.values<string>(TASK_TRANSITIONS[state]).includes('RUNNING'),
    )
    assert.deepEqual(before, ['QUEUED'])
  })
})

function refusedCells(): (readonly [TaskState, TaskTrigger])[] {
  const allowed = new Set(ALLOWED.map(([from, trigger]) => `${from} ${trigger}`))
  return TASK_STATE_VALUES.flatMap((from) =>
    TASK_TRIGGERS.filter((trigger) => !allowed.has(`${from} ${trigger}`)).map((trigger) => [from, trigger] as const),
  )
}

function reachableFrom(start: TaskState): Set<TaskState> {
  const reached = new Set([start])
  // A Set yields what is added while it is iterated, so this walks until nothing new is found.
  for (const state of reached) {
    for (const trigger of triggersFrom(state)) {
      const next = findNextState(state, trigger)
      if (next !== undefined) reached.add(next)
    }
  }
  return reached
}

describe('changing what a task says', () => {
  it('is offered in every state but that of work under way and that of accepted work', () => {
    const without = TASK_STATE_VALUES.filter((state) => !isEditOffered(state))
    assert.deepEqual(without.toSorted(), ['COMPLETED', 'RUNNING'])
  })
})
