import assert from 'node:assert/strict'
import { nextWords, stepOf } from '../../../web/features/first-run/steps.ts'
import { aTaskRecord, anAgentRecord } from '../records.ts'

describe('the guide of an empty installation', () => {
  it('asks for an agent only when there is a repository, and ends on the task', () => {
    const nothing = { project: undefined, agent: undefined, task: undefined }
    const project = { id: 'p', name: 'P', remote_url: '/p', run_policy: 'manual', created_at: '' } as const
    assert.equal(stepOf(nothing), 'repository')
    assert.equal(stepOf({ ...nothing, agent: anAgentRecord() }), 'repository')
    assert.equal(stepOf({ ...nothing, project }), 'agent')
    assert.equal(stepOf({ ...nothing, project, agent: anAgentRecord() }), 'task')
    assert.equal(stepOf({ project, agent: undefined, task: aTaskRecord() }), 'watch')
  })

  it('says why a task waits, and why it failed, in the server’s words', () => {
    assert.match(nextWords({ state: 'QUEUED', waiting_for: 'agent claude is busy' }), /agent claude is busy/)
    assert.match(nextWords({ state: 'BLOCKED' }), /waits for its subtasks/)
    assert.match(nextWords({ state: 'BLOCKED', question: 'Which?' }), /^The agent asks/)
    assert.equal(nextWords({ state: 'FAILED', error: 'no such luck' }), 'no such luck')
  })
})
