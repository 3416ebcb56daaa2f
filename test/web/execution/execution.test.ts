import assert from 'node:assert/strict'
import type { Execution } from '../../../core/rest/client/client.ts'
import { lateNotes, phaseSteps } from '../../../web/features/execution/phases.ts'
import { parseExecutionSearch } from '../../../web/features/execution/search.ts'
import { formatTokens } from '../../../core/sentences/amounts.ts'
import { spendingOf } from '../../../web/features/execution/spending.ts'

const AT = '2026-01-01T12:00:00Z'
const second = (n: number): string => new Date(Date.parse(AT) + n * 1_000).toISOString()

function anExecution(parts: Partial<Execution> = {}): Execution {
  return {
    id: 'a-1',
    purpose: 'run',
    state: 'RUNNING',
    phases: [],
    fix_commits: [],
    auth_retried: false,
    created_at: AT,
    ...parts,
  }
}

const phase = (name: string, from: number, to?: number) => ({
  name,
  started_at: second(from),
  ...(to === undefined ? {} : { finished_at: second(to) }),
})

describe('the phases of an execution', () => {
  const shown = (execution: Execution, now = 60) =>
    phaseSteps(execution, second(-10), Date.parse(second(now))).map(({ id, state, spanMs }) => [
      id,
      state,
      spanMs === undefined ? undefined : spanMs / 1_000,
    ])

  it('have their times, and the one under way counts on', () => {
    const running = anExecution({ phases: [phase('prepare', 2, 5), phase('agent', 5)] })
    assert.deepEqual(shown(running), [
      ['queued', 'done', 10],
      ['start', 'done', 2],
      ['prepare', 'done', 3],
      ['agent', 'now', 55],
      ['deliver', 'next', undefined],
    ])
  })

  it('of a later round are told apart from the time of those before it', () => {
    const mended = anExecution({
      rounds: 2,
      round_started_at: second(20),
      // The pod of the first round is still in the record.
      phases: [phase('prepare', 2, 5), phase('agent', 5, 15), phase('stage', 15, 16), phase('checks', 16, 19)],
    })
    assert.deepEqual(shown(mended), [
      ['queued', 'done', 10],
      ['rounds', 'done', 20],
      ['start', 'now', 40],
      ['prepare', 'next', undefined],
      ['agent', 'next', undefined],
      ['deliver', 'next', undefined],
    ])
    const begun = { ...mended, phases: [phase('prepare', 22, 25), phase('agent', 25)] }
    assert.deepEqual(shown(begun).slice(1, 5), [
      ['rounds', 'done', 20],
      ['start', 'done', 2],
      ['prepare', 'done', 3],
      ['agent', 'now', 35],
    ])
  })

  const notesOf = (execution: Execution) =>
    lateNotes(phaseSteps(execution, undefined, Date.parse(second(90))), execution)

  it('show the environment where it is waited for, and that no later run will wait', () => {
    const environment = { execution: 'shop-e1' }
    const waited = anExecution({
      environment,
      phases: [phase('environment', 1, 41), phase('mirror', 44, 45), phase('prepare', 44, 47), phase('agent', 47)],
    })
    assert.deepEqual(shown(waited).slice(1, 6), [
      ['start', 'done', 1],
      ['environment', 'done', 40],
      ['mirror', 'done', 1],
      ['prepare', 'done', 2],
      ['agent', 'now', 13],
    ])
    assert.match(notesOf(waited)[0] ?? '', /^The setup of the project ran first\. Later runs begin/)
    const still = anExecution({ environment: {}, phases: [phase('environment', 1)] })
    assert.deepEqual(shown(still).slice(2, 3), [['environment', 'now', 59]])
    assert.deepEqual(notesOf(still), [])
  })

  it('promise the same where the task was queued while its environment was built', () => {
    const queuedAt = second(-30)
    const run = anExecution({ environment: { execution: 'shop-e1' }, phases: [phase('prepare', 1, 2)] })
    const notes = (builtAt: number) =>
      lateNotes(phaseSteps(run, queuedAt, Date.parse(second(9))), run, { built_at: second(builtAt) }, queuedAt)
    assert.equal(notes(-1).length, 1)
    assert.deepEqual(notes(-60), [])
  })

  it('show what taking the environment over took, behind the mirror, and promise nothing for it', () => {
    const taken = anExecution({
      environment: { execution: 'shop-e1' },
      phases: [phase('mirror', 2, 4), phase('environment', 4, 14), phase('prepare', 2, 17), phase('agent', 17)],
    })
    assert.deepEqual(shown(taken).slice(2, 5), [
      ['mirror', 'done', 2],
      ['environment', 'done', 10],
      ['prepare', 'done', 3],
    ])
    assert.deepEqual(notesOf(taken), [])
  })

  it('of a setup have its own names', () => {
    const setup = anExecution({ purpose: 'prepare', phases: [phase('prepare', 2, 3), phase('agent', 3)] })
    assert.deepEqual(
      phaseSteps(setup, undefined, Date.parse(second(9))).map(({ label }) => label),
      ['credentials', 'clone', 'setup', 'seal'],
    )
  })

  it('show what the mirror took apart from the clone, and why once it took long', () => {
    const withMirror = (end: number): Execution =>
      anExecution({ phases: [phase('mirror', 2, end), phase('prepare', 2, end + 3), phase('agent', end + 3)] })
    assert.deepEqual(shown(withMirror(4)).slice(1, 5), [
      ['start', 'done', 2],
      ['mirror', 'done', 2],
      ['prepare', 'done', 3],
      ['agent', 'now', 53],
    ])
    const noteAfter = (end: number) => notesOf(withMirror(end))[0]
    assert.equal(noteAfter(4), undefined)
    assert.match(noteAfter(40) ?? '', /Later runs fetch only what is new/)
  })

  it('show services between clone and agent, where the project has some', () => {
    const phases = [phase('prepare', 2, 5), phase('services', 5, 8), phase('agent', 8)]
    const ids = shown(anExecution({ phases })).map(([id, , span]) => [id, span])
    assert.deepEqual(ids.slice(2, 4), [
      ['prepare', 3],
      ['services', 3],
    ])
  })

  it('name the one that failed', () => {
    const phases = [phase('prepare', 2, 5), phase('agent', 5, 9), phase('deliver', 9, 11)]
    const end = { state: 'FAILED', finished_at: second(11) } as const
    const failedIn = (parts: Partial<Execution>) =>
      shown(anExecution({ ...end, ...parts })).find(([, state]) => state === 'failed')?.[0]
    assert.equal(failedIn({ phases, error_category: 'failed' }), 'agent')
    assert.equal(failedIn({ phases, error_category: 'git' }), 'deliver')
    assert.equal(failedIn({ phases: phases.slice(0, 1), error_category: 'git' }), 'prepare')
    assert.equal(failedIn({ error_category: 'credentials' }), 'start')
    assert.equal(failedIn({ phases, state: 'COMPLETED' }), undefined)
    const checked = [...phases.slice(0, 2), phase('stage', 9, 10), phase('checks', 10, 20), phase('deliver', 20, 21)]
    assert.equal(failedIn({ phases: checked, error_category: 'failed' }), 'agent')
    const red = anExecution({ ...end, phases: checked, error_category: 'checks' })
    assert.deepEqual(
      shown(red).flatMap(([id, state]) => (state === 'failed' ? [id] : [])),
      ['checks'],
    )
    // Nothing was pushed.
    assert.equal(shown(red).at(-1)?.[0], 'checks')
  })
})

describe('the page of an execution', () => {
  it('takes from its address what fits', () => {
    assert.deepEqual(parseExecutionSearch({ tab: 'log', stream: 'stderr', q: 404 }), {
      tab: 'log',
      stream: 'stderr',
      q: '404',
    })
    assert.deepEqual(parseExecutionSearch({ tab: 'secrets', stream: 'events', q: '' }), {})
    assert.equal(parseExecutionSearch({ q: 'a\nb'.repeat(200) }).q?.length, 200)
  })

  it('counts what the conversation says until the record knows better', () => {
    const tokens = { input: 10, output: 5, cache_read: 90, cache_write: 0 }
    const transcript = {
      entries: [],
      todo: [],
      usage: { at: AT, kind: 'usage', tokens, cost_usd: 0.5, turns: 3 },
    } as const
    assert.deepEqual(spendingOf(anExecution(), transcript), {
      costUSD: 0.5,
      tokensIn: 100,
      tokensOut: 5,
      cached: 0.9,
      turns: 3,
    })
    assert.equal(spendingOf(anExecution({ cost_usd: 0.75 }), transcript).costUSD, 0.75)
    assert.deepEqual([999, 1_000, 1_250_000].map(formatTokens), ['999', '1 k', '1.3 M'])
  })
})
