import assert from 'node:assert/strict'
import { nextReview } from '../../../web/model/next-review.ts'
import { aTaskRecord } from '../records.ts'

const ready = (id: string, minute: number) =>
  aTaskRecord({ id, state: 'READY', actions: ['accept'], finished_at: `2026-01-02T09:${minute}:00Z` })
const none = (): boolean => false

describe('the next task to review', () => {
  const [first, second, third] = [ready('b', 10), ready('c', 20), ready('a', 30)]
  const failed = aTaskRecord({ id: 'f', state: 'FAILED', actions: ['run'], finished_at: '2026-01-02T09:05:00Z' })
  const tasks = [third, failed, first, second]

  it('is the next oldest, and after the last the oldest again', () => {
    assert.equal(nextReview(tasks, first, none), 'c')
    assert.equal(nextReview(tasks, second, none), 'a')
    assert.equal(nextReview(tasks, third, none), 'b')
  })

  it('goes on from a task that was decided, in the same order', () => {
    const decided = { ...second, state: 'COMPLETED' as const, actions: [] }
    assert.equal(nextReview([third, first, decided], decided, none), 'a')
  })

  it('is none that was put away or is being decided, and none where no other waits', () => {
    assert.equal(
      nextReview(tasks, first, ({ id }) => id === 'c'),
      'a',
    )
    assert.equal(nextReview([first, failed], first, none), undefined)
  })
})
