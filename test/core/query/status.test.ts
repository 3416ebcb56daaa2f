import assert from 'node:assert/strict'
import { formatDelayMessage, queryStatus } from '../../../core/query/status.ts'
import { EXECUTION_STATE_VALUES } from '../../../core/crd/enums.ts'
import type { Execution, ExecutionStatus } from '../../../core/crd/types.ts'
import { hintForCaller, HINTS, limitEndsAt } from '../../../core/transcript/hints.ts'
import { isTerminal } from '../../../core/execution/state.ts'
import { anAgent, anExecution, text } from '../../helpers/build.ts'

const now = new Date('2026-03-01T10:00:00Z')
const claude = anAgent({ name: 'claude', spec: { adapter: 'claude' } })
const limited = anAgent({ name: 'claude', status: { rateLimitedUntil: '2026-03-01T10:01:30Z' } })

function asked(status?: ExecutionStatus): Execution {
  const spec = { agent: 'claude', purpose: 'Elaborate', answerSchema: 'TaskDraft' } as const
  return anExecution({ name: 'elaborate-1', spec, ...(status && { status }) })
}

const statusOf = (status?: ExecutionStatus, agent = claude) => queryStatus({ execution: asked(status), agent, now })

describe('what a question to an agent has come to', () => {
  it('is waited for exactly as long as the execution has not ended', () => {
    for (const state of EXECUTION_STATE_VALUES) {
      const isWaiting = statusOf({ state }).kind === 'waiting'
      assert.equal(isWaiting, !isTerminal(asked({ state })), state)
    }
    assert.equal(statusOf().kind, 'waiting')
  })

  it('is answered only where the operator found the answer usable', () => {
    assert.deepEqual(statusOf({ state: 'COMPLETED', answer: 'Usable' }), { kind: 'answered' })
    for (const status of [{ state: 'COMPLETED' }, { state: 'COMPLETED', answer: 'Unusable' }] as const) {
      const found = statusOf(status)
      assert.equal(found.kind === 'refused' && found.error.status, 422)
    }
  })

  it('is refused at once, with the end of the limit, when the agent closes before it has begun', () => {
    const found = statusOf(undefined, limited)
    assert.ok(found.kind === 'refused')
    assert.deepEqual(
      [found.error.status, found.error.message, found.error.headers],
      [503, 'agent claude is rate limited until 2026-03-01T10:01:30Z', { 'Retry-After': '90' }],
    )
  })

  it('goes on when the agent closes after it has begun', () => {
    assert.deepEqual(statusOf({ state: 'RUNNING', startedAt: '2026-03-01T09:59:00Z' }, limited), { kind: 'waiting' })
  })

  it('says when to ask again also where nobody knows when the limit ends', () => {
    const error = { category: 'quota', message: text('used up') } as const
    const after = (agent = claude): unknown => {
      const found = statusOf({ state: 'BUDGET_EXCEEDED', error }, agent)
      return found.kind === 'refused' && [found.error.status, found.error.headers]
    }
    assert.deepEqual(after(), [503, { 'Retry-After': '3600' }])
    assert.deepEqual(after(limited), [503, { 'Retry-After': '90' }])
  })

  it('promises no time that is past: a limit that ends now can be tried in a second', () => {
    const error = { category: 'quota', message: text('used up') } as const
    const found = statusOf({ state: 'BUDGET_EXCEEDED', resumeAfter: '2026-03-01T09:00:00Z', error })
    assert.deepEqual(found.kind === 'refused' && found.error.headers, { 'Retry-After': '1' })
  })

  for (const { said, told } of [
    { said: HINTS.look.task, told: "look at the execution's output, then ask again, or name another agent" },
    { said: limitEndsAt('2026-03-01T12:00:00Z'), told: 'ask again after 2026-03-01T12:00:00Z, or name another agent' },
    { said: 'renew the credentials', told: 'renew the credentials' },
  ])
    it(`advises who asked, for whom there is no task to resume: ${said}`, () => {
      const found = statusOf({ state: 'FAILED', error: { category: 'failed', message: text(`out: of luck: ${said}`) } })
      assert.ok(found.kind === 'refused')
      assert.equal(found.error.message, `agent claude failed: out: of luck: ${told} (execution elaborate-1)`)
    })

  it('never tells who asked to resume a task', () => {
    for (const { task } of Object.values(HINTS)) assert.doesNotMatch(hintForCaller(`x: ${task}`), /resume|task/)
  })

  it('tells who waited in vain whether the agent had begun', () => {
    assert.equal(
      formatDelayMessage(asked(), 300_000),
      'no answer within 300 s: agent claude has not begun (execution elaborate-1)',
    )
    const begun = asked({ state: 'RUNNING', startedAt: '2026-03-01T09:59:00Z' })
    assert.match(formatDelayMessage(begun, 300_000), /was still working/)
  })
})
