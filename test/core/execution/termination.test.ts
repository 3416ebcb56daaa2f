import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import type { ExecutionResult } from '../../../core/execution/result.ts'
import { toTerminationMessage } from '../../../core/execution/termination.ts'

const text = (maxLength: number) => fc.string({ unit: 'binary', maxLength, size: 'max' })

const result: fc.Arbitrary<ExecutionResult> = fc.record(
  {
    schemaVersion: fc.constant(1 as const),
    execution: fc.constant('demo-1'),
    jobNumber: fc.integer({ min: 1 }),
    outcome: fc.constantFrom('succeeded' as const, 'failed' as const),
    step: fc.constant('deliver' as const),
    startedAt: fc.constant('2026-11-21T12:00:00Z'),
    finishedAt: fc.constant('2026-11-21T12:00:00Z'),
    pushed: fc.boolean(),
    branch: text(250),
    sessionId: text(200),
    summary: text(16_384),
    commits: fc.array(fc.constant('a'.repeat(40)), { maxLength: 200 }),
    error: fc.record({ category: fc.constant('failed' as const), message: text(4096) }),
  },
  { requiredKeys: ['schemaVersion', 'execution', 'jobNumber', 'outcome', 'step', 'startedAt', 'finishedAt', 'pushed'] },
)

describe('the termination message', () => {
  it('is JSON of at most 2 KiB that keeps the outcome, whatever the result holds', () => {
    fc.assert(
      fc.property(result, (value) => {
        const message = toTerminationMessage(value)
        assert.ok(Buffer.byteLength(message) <= 2048)
        const read = JSON.parse(message) as ExecutionResult
        assert.deepEqual(
          [read.execution, read.outcome, read.error?.category],
          [value.execution, value.outcome, value.error?.category],
        )
      }),
    )
  })
})
