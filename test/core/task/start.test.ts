import assert from 'node:assert/strict'
import type { Task } from '../../../core/crd/types.ts'
import { branchOf, makeExecution } from '../../../core/task/start.ts'
import { aTask, text } from '../../helpers/build.ts'

describe('the branch of a task without a story', () => {
  it('begins as the installation says, unless the task has pushed to another', () => {
    const branch = 'slipway/task-a'
    assert.equal(branchOf(aTask(), undefined, 'agents/'), 'agents/task-a')
    assert.equal(branchOf(aTask({ status: { branch } }), undefined, 'agents/'), branch)
    assert.equal(branchOf(aTask(), undefined, undefined), branch)
  })

  it('is none of a story that the task has left', () => {
    assert.equal(branchOf(aTask({ status: { branch: 'story/s' } }), undefined, undefined), 'slipway/task-a')
    const atStory = aTask({ status: { branch: 'story/task-a' } })
    assert.equal(branchOf(atStory, undefined, undefined, true), 'slipway/task-a')
  })
})

describe('the Execution of a start', () => {
  const at = '2026-11-21T12:05:00.123456Z'
  const specOf = (status: NonNullable<Task['status']>) => makeExecution(aTask({ status }), { type: 'script' }, 2).spec

  it('has the last answer with who gave it and when, whole, where it resumes what asked', () => {
    const said = text('B'.repeat(5000))
    const decisions = [
      { action: 'answer', by: 'lee', at: '2026-11-21T11:00:00Z', comment: text('A') },
      { action: 'answer', by: 'kim', at, comment: text(said.slice(0, 4096)) },
    ] as const
    const { resumes, answer } = specOf({ resume: true, execution: 'task-a-1', answer: said, decisions })
    assert.deepEqual([resumes, answer], ['task-a-1', { text: said, by: 'kim', at }])
  })

  it('has what is to be changed with who asked for it, also at a further try and at a fresh start', () => {
    const decisions = [
      { action: 'revise', by: 'kim', at, comment: text('Say two.') },
      { action: 'resume', by: 'lee', at: '2026-11-21T13:00:00Z' },
    ] as const
    const asked = { execution: 'task-a-1', revision: text('Say two.'), decisions }
    const revision = { text: 'Say two.', by: 'kim', at }
    assert.deepEqual(specOf({ ...asked, resume: true }).revision, revision)
    assert.deepEqual(specOf(asked).revision, revision)
    assert.equal(specOf({ resume: true, execution: 'task-a-1', decisions }).revision, undefined)
  })

  it('has none where a person resumes without an answer, or runs afresh', () => {
    const decisions = [
      { action: 'answer', by: 'kim', at, comment: text('B') },
      { action: 'resume', by: 'kim', at },
    ] as const
    assert.equal(specOf({ resume: true, execution: 'task-a-1', decisions }).answer, undefined)
    assert.equal(specOf({ answer: text('B'), decisions }).answer, undefined)
  })
})
