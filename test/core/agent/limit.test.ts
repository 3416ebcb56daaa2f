import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { undrain } from '../../../core/agent/drain.ts'
import { noteLimit, recordLimit, recoverIfDue } from '../../../core/agent/limit.ts'
import { slotCount, closedReason } from '../../../core/agent/schedule.ts'
import type { AgentStatus, ExecutionStatus } from '../../../core/crd/types.ts'
import { findResumeAfter } from '../../../core/task/retry.ts'
import { addMs, parseTimestamp, toTimestamp } from '../../../core/time.ts'
import { aTask, anAgent, anExecution, text } from '../../helpers/build.ts'

const start = new Date('2026-03-01T10:00:00Z')
const HOUR_MS = 3_600_000
const error = { category: 'quota', message: text('Credit balance is too low') } as const

/** An execution that began and ended then. */
function ended(at: Date, status: ExecutionStatus, began = at, name = 'a-1') {
  return anExecution({ name, status: { startedAt: toTimestamp(began), finishedAt: toTimestamp(at), ...status } })
}
const spent = { state: 'BUDGET_EXCEEDED', error } as const

const hoursUntil = (status: AgentStatus, at: Date) =>
  (parseTimestamp(status.rateLimitedUntil ?? '').getTime() - at.getTime()) / HOUR_MS

describe('a limit whose end nobody names', () => {
  it('is taken to last 1 h, then 4 h, then 24 h each time that a task tries in vain', () => {
    let [status, at]: [AgentStatus, Date] = [{}, start]
    const hours: number[] = []
    for (let i = 0; i < 5; i++) {
      status = noteLimit(status, ended(at, spent, at, `a-${i}`), at)
      hours.push(hoursUntil(status, at))
      at = addMs(parseTimestamp(status.rateLimitedUntil ?? ''), 1000)
      status = recoverIfDue(anAgent({ status }), at) ?? {}
      assert.equal(status.rateLimitedUntil, undefined)
    }
    assert.deepEqual(hours, [1, 4, 24, 24, 24])
  })

  it('begins and ends with an event, which says for how long it is taken to last', () => {
    const status = recoverIfDue(anAgent({ status: noteLimit({}, ended(start, spent), start) }), addMs(start, HOUR_MS))
    assert.deepEqual(
      status?.events?.map(({ kind }) => kind),
      ['rate_limited', 'recovered'],
    )
    assert.match(status?.events?.[0]?.message ?? '', /^taken to last 1 h, for nobody names its end: Credit balance/)
  })

  it('is as long as it was for those that ran already when it was met', () => {
    const first = noteLimit({}, ended(start, spent), start)
    const later = addMs(start, 60_000)
    assert.equal(noteLimit(first, ended(later, spent, addMs(start, -60_000), 'b-1'), later), first)
    const recovered = recoverIfDue(anAgent({ status: first }), addMs(start, 2 * HOUR_MS)) ?? {}
    const muchLater = addMs(start, 3 * HOUR_MS)
    assert.equal(noteLimit(recovered, ended(muchLater, spent, addMs(start, -60_000), 'c-1'), muchLater), recovered)
  })

  it('is tried by one task at a time, and passed over until then', () => {
    const status = noteLimit({}, ended(start, spent), start)
    const agent = anAgent({ spec: { maxConcurrent: 5 }, status })
    assert.match(
      closedReason(agent, start) ?? '',
      /is rate limited until 2026-03-01T11:00:00Z \(assumed: nobody names the end\)/,
    )
    const trying = { ...agent, status: recoverIfDue(agent, addMs(start, HOUR_MS)) ?? {} }
    assert.deepEqual([closedReason(trying, addMs(start, HOUR_MS)), slotCount(trying)], [undefined, 1])
  })

  for (const state of ['COMPLETED', 'BLOCKED'] as const) {
    it(`is over with a task that tried and is ${state}, and begins with an hour when it comes again`, () => {
      const status = recoverIfDue(anAgent({ status: noteLimit({}, ended(start, spent), start) }), addMs(start, HOUR_MS))
      const at = addMs(start, 2 * HOUR_MS)
      const proven = noteLimit(status ?? {}, ended(at, { state }), at)
      assert.equal(proven.assumedLimit, undefined)
      assert.equal(slotCount(anAgent({ spec: { maxConcurrent: 5 }, status: proven })), 5)
      const again = addMs(at, HOUR_MS)
      assert.equal(hoursUntil(noteLimit(proven, ended(again, spent, again, 'b-1'), again), again), 1)
    })
  }

  it('is not over with a task that had begun before it', () => {
    const status = noteLimit({}, ended(start, spent), start)
    const at = addMs(start, 60_000)
    assert.equal(noteLimit(status, ended(at, { state: 'COMPLETED' }, addMs(start, -60_000)), at), status)
  })

  it('is over with an undrain, and begins with an hour when it comes again', () => {
    const limited = anAgent({ status: { ...noteLimit({}, ended(start, spent), start) } })
    const lifted = undrain(limited, 'ann', addMs(start, 60_000))
    assert.deepEqual([lifted.rateLimitedUntil, lifted.assumedLimit], [undefined, undefined])
    const at = addMs(start, 120_000)
    assert.equal(hoursUntil(noteLimit(lifted, ended(at, spent, at, 'b-1'), at), at), 1)
  })

  it('gives way to an end that somebody names', () => {
    const at = addMs(start, 2 * HOUR_MS)
    const status = recoverIfDue(anAgent({ status: noteLimit({}, ended(start, spent), start) }), at) ?? {}
    const told = noteLimit(status, ended(at, { ...spent, resumeAfter: '2026-03-01T15:00:00Z' }), at)
    assert.deepEqual([told.rateLimitedUntil, told.assumedLimit], ['2026-03-01T15:00:00Z', undefined])
  })

  it('has its tasks tried again by themselves at its assumed end, unless the agent resumes none', () => {
    const execution = ended(start, spent)
    const status = noteLimit({}, execution, start)
    const failure = { task: aTask(), execution, agent: anAgent({ status }), now: start }
    assert.equal(findResumeAfter(failure), '2026-03-01T11:00:00Z')
    const agent = anAgent({ spec: { autoResume: false }, status })
    assert.equal(findResumeAfter({ ...failure, agent }), undefined)
    assert.equal(findResumeAfter({ ...failure, agent: anAgent() }), undefined)
  })

  it('is learned from a query, once', () => {
    const agent = anAgent()
    const query = ended(start, spent, start, 'elaborate-x')
    const status = recordLimit(agent, query, start)
    assert.equal(status?.assumedLimit?.level, 1)
    assert.equal(recordLimit({ ...agent, status: status ?? {} }, query, addMs(start, 60_000)), status)
    assert.equal(recordLimit(agent, ended(start, { state: 'COMPLETED' }), start), undefined)
  })

  it('is the same however often an end is noted, and never lasts more than a day', () => {
    const step = fc.record({
      waitMs: fc.integer({ min: 1000, max: 30 * HOUR_MS }),
      state: fc.constantFrom('spent', 'COMPLETED', 'FAILED'),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
        let [status, at]: [AgentStatus, Date] = [{}, start]
        for (const [i, { waitMs, state }] of steps.entries()) {
          const began = addMs(at, 1000)
          at = addMs(at, 1000 + waitMs)
          const end = ended(at, state === 'spent' ? spent : { state }, began, `a-${i}`)
          status = noteLimit(recoverIfDue(anAgent({ status }), at) ?? {}, end, at)
          assert.ok(status.rateLimitedUntil === undefined || hoursUntil(status, at) <= 24)
          assert.ok((status.assumedLimit?.level ?? 1) <= 3)
        }
      }),
    )
  })
})
