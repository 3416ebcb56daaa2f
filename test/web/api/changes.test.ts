import assert from 'node:assert/strict'
import { changedFields } from '../../../web/api/changes.ts'

describe('what has changed in a task since a person saw it', () => {
  const task = (state?: string, runs: readonly object[] = []) =>
    state === undefined ? { name: 'One' } : { name: 'One', ci: { state, runs, at: '2026-01-01T00:00:00Z' } }

  it('is not its CI that goes on or passes, which the server does not count either', () => {
    for (const [seen, now] of [
      [task(), task('pending')],
      [task('pending'), task('pending', [{ name: 'lint', state: 'passed' }])],
      [task('pending'), task('passed')],
      [task('failed'), task('failed', [{ name: 'lint', state: 'failed' }])],
    ] as const)
      assert.deepEqual(changedFields('tasks', seen, now), [])
  })

  it('is not what was said to its agent, which lists leave out', () => {
    const now = { ...task(), messages: [{ text: 'Use tabs' }], message_modes: ['queue'] }
    assert.deepEqual(changedFields('tasks', task(), now), [])
  })

  it('is its CI that fails, or that has failed and passes by now', () => {
    assert.deepEqual(changedFields('tasks', task('pending'), task('failed')), ['ci'])
    assert.deepEqual(changedFields('tasks', task('failed'), task('passed')), ['ci'])
  })
})
