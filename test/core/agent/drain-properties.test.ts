import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { consecutiveFailures, DRAIN_AFTER, recordOutcome, undrain } from '../../../core/agent/drain.ts'
import type { Agent, Execution } from '../../../core/crd/types.ts'
import { toTimestamp } from '../../../core/time.ts'
import { anAgent, anExecution } from '../../helpers/build.ts'

const START_MS = Date.parse('2026-03-01T10:00:00Z')

/** What happens to an agent; instants come in any order, many within one second, as clocks of several machines give them. */
const happening = fc.record({
  what: fc.constantFrom('failed', 'failed', 'failed', 'succeeded', 'ignored', 'undrain', 'again'),
  at: fc.integer({ min: -2000, max: 2000 }).map((ms) => new Date(START_MS + ms)),
})

const ENDS = {
  failed: { state: 'FAILED', error: { category: 'failed', message: 'why' } },
  succeeded: { state: 'COMPLETED' },
  ignored: { state: 'FAILED', error: { category: 'lost', message: 'gone' } },
} as const

function ended(n: number, what: keyof typeof ENDS, at: Date): Execution {
  return anExecution({ name: `task-${n}-1`, status: { ...ENDS[what], finishedAt: toTimestamp(at) } })
}

describe('the drain, whatever the clocks say', () => {
  it('counts each failure since the last success or undrain once, and drains at the third', () => {
    fc.assert(
      fc.property(fc.array(happening, { maxLength: 80 }), (happenings) => {
        let agent: Agent = anAgent()
        let last: Execution | undefined
        let failures = 0
        let isDrained = false
        for (const [n, { what, at }] of happenings.entries()) {
          if (what === 'undrain') {
            agent = { ...agent, status: undrain(agent, 'ann', at) }
            failures = 0
            isDrained = false
          } else if (what === 'again') {
            // As after a crash between the agent's write and the task's.
            if (last !== undefined) assert.equal(recordOutcome(agent, last, at), agent.status)
          } else {
            last = ended(n, what, at)
            agent = { ...agent, status: recordOutcome(agent, last, at) }
            if (what !== 'ignored') failures = what === 'failed' ? failures + 1 : 0
            isDrained ||= failures >= DRAIN_AFTER
          }
          assert.equal(consecutiveFailures(agent.status), Math.min(failures, 50))
          assert.equal(agent.status?.drained !== undefined, isDrained)
          assert.ok((agent.status?.outcomes ?? []).length <= 50)
          const names = (agent.status?.outcomes ?? []).map(({ execution }) => execution)
          assert.equal(new Set(names).size, names.length)
        }
      }),
    )
  })

  it('counts three failures after an undrain, the first of which ended in the same second', () => {
    const at = new Date(START_MS)
    const undrained: Agent = { ...anAgent(), status: undrain(anAgent(), 'ann', at) }
    const status = [1, 2, 3].reduce<Agent>(
      (agent, n) => ({ ...agent, status: recordOutcome(agent, ended(n, 'failed', at), at) }),
      undrained,
    ).status
    assert.equal(status?.drained?.execution, 'task-3-1')
  })

  it('leaves out what an earlier version listed before its undrain, which marked nothing', () => {
    const outcomes = [1, 2].map((n) => ({
      execution: `old-${n}-1`,
      counted: 'Failure' as const,
      at: '2026-03-01T09:59:00Z',
    }))
    const agent = anAgent({ status: { outcomes, undrainedAt: '2026-03-01T09:59:30Z' } })
    const status = recordOutcome(agent, ended(1, 'failed', new Date(START_MS)), new Date(START_MS))
    assert.deepEqual([consecutiveFailures(status), status.drained], [1, undefined])
  })

  it('counts an execution whose name an earlier task of the same name has left in the list', () => {
    const at = new Date(START_MS)
    const before = ended(1, 'succeeded', at)
    const again = { ...ended(1, 'failed', at), metadata: { ...before.metadata, uid: 'another' } }
    const agent = { ...anAgent(), status: recordOutcome(anAgent(), before, at) }
    const { outcomes } = recordOutcome(agent, again, at)
    assert.deepEqual(
      outcomes?.map(({ uid, counted }) => [uid, counted]),
      [['another', 'Failure']],
    )
  })
})
