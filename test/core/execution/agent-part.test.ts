import assert from 'node:assert/strict'
import type { ExecutionStatus } from '../../../core/crd/types.ts'
import { findResumable } from '../../../core/execution/agent-part.ts'
import { anExecution } from '../../helpers/build.ts'

describe('what is gone on from after an execution', () => {
  const after = (status: ExecutionStatus): string =>
    findResumable(anExecution({ name: 'a-2', spec: { purpose: 'Resume', resumes: 'a-1' }, status }))
  const begun = [{ name: 'agent', startedAt: '2026-01-01T00:00:00Z' }]

  it('is that one, once its agent has begun', () => assert.equal(after({ jobs: 1, phases: begun }), 'a-2'))
  it('is what it was to go on from, where no Job was made', () => assert.equal(after({}), 'a-1'))
  it('is the same, where its Job has the session and never came to the agent', () =>
    assert.equal(after({ jobs: 1, sessionId: 's-1' }), 'a-1'))
  it('is that one, where its Job has no session and so may have made a clone anew', () =>
    assert.equal(after({ jobs: 1 }), 'a-2'))
})
