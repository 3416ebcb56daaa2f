/** What GitOps tools make of the conditions that we claim, by the rules of kstatus (test/helpers/kstatus.ts). */
import assert from 'node:assert/strict'
import {
  type Conditions,
  type TaskConditionFacts,
  claimConditions,
  claimExecution,
  claimTaskConditions,
  reclaimConditions,
} from '../../core/conditions.ts'
import { EXECUTION_STATE_VALUES, TASK_STATE_VALUES } from '../../core/crd/enums.ts'
import type { ExecutionState, TaskState } from '../../core/crd/types.ts'
import { readDocuments, schemaOf } from '../crds/documents.ts'
import { type KStatus, kstatusOf } from '../helpers/kstatus.ts'

const NOW = new Date('2026-01-01T00:00:00Z')

const OF_TASK = {
  PENDING: 'Current',
  QUEUED: 'InProgress',
  RUNNING: 'InProgress',
  BLOCKED: 'InProgress',
  READY: 'Current',
  COMPLETED: 'Current',
  FAILED: 'Failed',
  TIMED_OUT: 'Failed',
  BUDGET_EXCEEDED: 'Failed',
  CANCELLED: 'Failed',
} as const satisfies Record<TaskState, KStatus>

const OF_EXECUTION = {
  PENDING: 'InProgress',
  RUNNING: 'InProgress',
  BLOCKED: 'Current',
  COMPLETED: 'Current',
  FAILED: 'Failed',
  TIMED_OUT: 'Failed',
  BUDGET_EXCEEDED: 'Failed',
  CANCELLED: 'Failed',
} as const satisfies Record<ExecutionState, KStatus>

describe('kstatus', () => {
  const metadata = { generation: 2 }
  const claimed = (facts: TaskConditionFacts): Conditions =>
    claimConditions({ metadata }, claimTaskConditions(facts), NOW)

  for (const state of TASK_STATE_VALUES) {
    it(`shows a ${state} task as ${OF_TASK[state]}, and as InProgress until an edit of it is seen`, () => {
      const status = claimed({ state })
      assert.equal(kstatusOf({ metadata, status }), OF_TASK[state])
      const edited = { metadata: { generation: 3 }, status }
      assert.equal(kstatusOf(edited), 'InProgress')
      assert.equal(kstatusOf({ ...edited, status: reclaimConditions(edited) }), OF_TASK[state])
    })
  }

  it('shows a failed task as InProgress while an attempt is scheduled', () => {
    const status = claimed({ state: 'FAILED', retryAt: '2026-01-01T00:05:00Z' })
    assert.equal(kstatusOf({ metadata, status }), 'InProgress')
  })

  for (const state of EXECUTION_STATE_VALUES) {
    it(`shows a ${state} execution as ${OF_EXECUTION[state]}`, () => {
      const status = claimConditions({ metadata }, [claimExecution({ state })], NOW)
      assert.equal(kstatusOf({ metadata, status }), OF_EXECUTION[state])
    })
  }

  for (const crd of readDocuments()) {
    const { kind } = crd.spec.names
    const status = schemaOf(crd).properties?.['status']
    // A StoryEvent is a record without a status: Current as soon as it exists.
    if (status === undefined) continue
    it(`shows a ${kind} that no operator has seen yet as InProgress`, () => {
      assert.deepEqual(status.default, { observedGeneration: -1 })
      assert.equal(kstatusOf({ metadata: { generation: 1 }, status: { observedGeneration: -1 } }), 'InProgress')
      assert.equal(kstatusOf({ metadata: { generation: 1 } }), 'Current', 'without the mark')
    })
  }
})
