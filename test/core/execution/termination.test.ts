import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import type { ExecutionResult } from '../../../core/execution/result.ts'
import {
  messageBytes,
  toCheckMessage,
  toPrepareMessage,
  toTerminationMessage,
} from '../../../core/execution/termination.ts'

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

  it('keeps outcome and category where a pod of many containers leaves it little room', () => {
    const containers = fc.integer({ min: 1, max: 40 })
    fc.assert(
      fc.property(result, containers, (value, count) => {
        const limit = messageBytes(count)
        const message = toTerminationMessage(value, limit)
        assert.ok(Buffer.byteLength(message) <= limit && limit * count <= 12 * 1024)
        const { outcome, pushed, error } = JSON.parse(message) as ExecutionResult
        assert.deepEqual([outcome, pushed, error?.category], [value.outcome, value.pushed, value.error?.category])
      }),
    )
  })

  it('of a check and of prepare keeps what the operator acts on', () => {
    const limit = messageBytes(40)
    const wanted = { digest: 'd'.repeat(64), commit: 'c'.repeat(40), isShared: true }
    fc.assert(
      fc.property(text(5000), (words) => {
        const verdict = { name: 'n'.repeat(40), state: 'Failed', required: true, seconds: 1.5, exitCode: 1 } as const
        const messages = [
          toCheckMessage({ ...verdict, startedAt: '2026-11-21T12:00:00Z', reason: words }, limit),
          toPrepareMessage({ environment: wanted, environmentProblem: words, lockFiles: [words] }, limit),
        ]
        assert.ok(messages.every((message) => Buffer.byteLength(message) <= limit))
        const [check, prepare] = messages.map((message) => JSON.parse(message) as Record<string, unknown>)
        assert.deepEqual([check?.['state'], check?.['exitCode'], prepare?.['environment']], ['Failed', 1, wanted])
      }),
    )
  })
})
