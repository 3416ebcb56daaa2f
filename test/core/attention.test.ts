import assert from 'node:assert/strict'
import { isToAccept, taskAttention } from '../../core/attention.ts'
import { STORY_STATUS_VALUES, TASK_STATE_VALUES } from '../../core/crd/enums.ts'
import type { Task } from '../../core/crd/types.ts'
import { findNotification } from '../../core/notify.ts'
import { actionsAllowed, NO_SURROUNDINGS } from '../../core/task/decide.ts'
import { goesOn } from '../../core/task/going-on.ts'
import { aStory, aTask, text } from '../helpers/build.ts'

const AT = '2026-03-10T09:00:00Z'

describe('what waits for a person', () => {
  it('is what notifications tell about, except for work that is completed', () => {
    for (const state of TASK_STATE_VALUES)
      for (const hasQuestion of [true, false])
        for (const hasResumeTime of [true, false])
          for (const isSuspended of [true, false]) {
            const question = hasQuestion
              ? { id: 'q-1', items: [{ id: '1', text: text('Which?') }], askedAt: AT }
              : undefined
            const status: Task['status'] = {
              state,
              ...(question === undefined ? {} : { question }),
              ...(hasResumeTime ? { resumeAfter: AT } : {}),
            }
            const task = aTask({ spec: { suspend: isSuspended }, status })
            const isTold = findNotification(undefined, task) !== undefined
            const actions = actionsAllowed(task, NO_SURROUNDINGS)
            const needed = taskAttention({ state, goesOn: goesOn(task, {}), actions })
            if (state !== 'COMPLETED') assert.equal(needed !== undefined, isTold, JSON.stringify(status))
          }
  })

  it('is no failed task of a DONE story, which nobody can set to work, and its notification is not sent', () => {
    const done = aStory({ status: { status: 'DONE' } })
    for (const state of ['FAILED', 'TIMED_OUT', 'BUDGET_EXCEEDED'] as const) {
      const task = aTask({ status: { state } })
      const around = { ...NO_SURROUNDINGS, story: done }
      const actions = actionsAllowed(task, around)
      assert.deepEqual(actions, [], state)
      assert.equal(taskAttention({ state, goesOn: false, actions }), undefined)
      assert.equal(findNotification(undefined, task, around), undefined)
      assert.equal(findNotification(undefined, task)?.state, state)
    }
  })

  it('is a story that may be accepted, and no other', () => {
    assert.deepEqual(STORY_STATUS_VALUES.filter(isToAccept), ['REVIEW_READY'])
  })
})
