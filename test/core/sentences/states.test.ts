import assert from 'node:assert/strict'
import { ERROR_CATEGORY_VALUES, TASK_STATE_VALUES } from '../../../core/crd/enums.ts'
import { findNotification } from '../../../core/notify.ts'
import {
  agentStateLabel,
  executionStateLabel,
  TASK_STATE_LABELS,
  taskStateLabel,
} from '../../../core/sentences/states.ts'
import { aTask, text } from '../../helpers/build.ts'

const clock = () => '15:00'

describe('what a state is called', () => {
  it('is the same on the page of a task and in its notification', () => {
    for (const state of TASK_STATE_VALUES) {
      const question = { items: [{ text: text('Which?') }], askedAt: '2026-01-02T12:00:00Z' }
      const told = findNotification(
        undefined,
        aTask({ status: { state, ...(state === 'BLOCKED' ? { question } : {}) } }),
      )
      if (told !== undefined) assert.equal(told.title.split(':', 1)[0], taskStateLabel({ state, question: '?' }, clock))
    }
  })

  it('names the reason of a failure, and only of a failure', () => {
    for (const error_category of ERROR_CATEGORY_VALUES) {
      const label = executionStateLabel({ state: 'FAILED', error_category })
      assert.equal(label === 'Failed', error_category === 'failed', label)
      assert.equal(executionStateLabel({ state: 'TIMED_OUT', error_category }), TASK_STATE_LABELS.TIMED_OUT)
    }
  })

  it('says until when a limit lasts, where that is known', () => {
    const rate_limited_until = '2026-01-02T15:00:00Z'
    assert.equal(agentStateLabel({ state: 'rate_limited', rate_limited_until }, clock), 'Limit, ends 15:00')
    assert.equal(agentStateLabel({ state: 'rate_limited' }, clock), 'Limited')
    assert.equal(agentStateLabel({ state: 'idle', rate_limited_until }, clock), 'Free')
  })
})
