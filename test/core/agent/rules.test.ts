import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import type { Candidate } from '../../../core/agent/fitness.ts'
import { classify } from '../../../core/agent/classify.ts'
import type { AgentSpec, AgentStatus } from '../../../core/crd/types.ts'
import { aTask, anAgent } from '../../helpers/build.ts'

const now = new Date('2026-03-01T10:00:00Z')

function candidate(
  name: string,
  parts: Partial<Candidate> & { spec?: Partial<AgentSpec>; status?: AgentStatus } = {},
): Candidate {
  const { spec, status, ...rest } = parts
  const agent = anAgent({ name, spec: { adapter: 'claude', ...spec }, ...(status === undefined ? {} : { status }) })
  return { agent, now, queueLength: 0, holders: [], ...rest }
}

const holders = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ slot: n + 1, execution: `x${n}-1`, task: `x${n}`, isStarting: false }))
const choose = (candidates: readonly Candidate[], title = 'Write migrations') =>
  classify(aTask({ spec: { title, agent: {} } }), candidates)

describe('the rules of classification', () => {
  it('pass over an agent that keeps failing on the project, also for one with a task ahead', () => {
    const failing = candidate('a', { record: { succeeded: 0, failed: 4 } })
    const chosen = choose([failing, candidate('b', { holders: holders(1), record: { succeeded: 3, failed: 0 } })])
    assert.equal(chosen?.type, 'b')
    assert.equal(
      chosen.reason,
      'b has 1 task ahead; 3 of its 3 executions on this project succeeded. Passed over: a (0 of its 4 executions on this project succeeded)',
    )
  })

  it('do not exclude an agent for one failure', () => {
    const once = candidate('a', { record: { succeeded: 0, failed: 1 } })
    assert.equal(choose([once, candidate('b', { holders: holders(1) })])?.type, 'a')
    const hinted = candidate('a', { record: { succeeded: 0, failed: 1 }, spec: { classifier: { hint: 'migrations' } } })
    assert.equal(choose([hinted, candidate('b', { record: { succeeded: 9, failed: 0 } })])?.type, 'a')
  })

  it('give an agent that always failed work again when the others have more than three tasks ahead', () => {
    const failing = candidate('a', { record: { succeeded: 0, failed: 1000 } })
    assert.equal(choose([failing, candidate('b', { holders: holders(3) })])?.type, 'b')
    assert.equal(choose([failing, candidate('b', { holders: holders(4) })])?.type, 'a')
  })

  it('prefer between equals who did better, and try who is new rather than who fails', () => {
    const good = candidate('b', { record: { succeeded: 9, failed: 0 } })
    assert.equal(choose([candidate('a'), good])?.type, 'b')
    assert.equal(choose([candidate('a', { record: { succeeded: 1, failed: 1 } }), candidate('b')])?.type, 'b')
  })

  it('say why each other agent was passed over', () => {
    const chosen = choose([
      candidate('best', { spec: { classifier: { hint: 'schema migrations' } } }),
      candidate('plain'),
      candidate('busy', { holders: holders(2) }),
      candidate('drained', { status: { drained: { since: '2026-03-01T09:00:00Z' } } }),
      candidate('limited', { status: { rateLimitedUntil: '2026-03-01T11:00:00Z' } }),
      candidate('gone', { unavailable: 'not installed' }),
      candidate('script', { spec: { adapter: 'script' } }),
    ])
    const over =
      'plain (its hint fits less), busy (2 tasks ahead), drained (drained), gone (unavailable), limited (rate limited until 2026-03-01T11:00:00Z)'
    assert.equal(chosen?.reason, `best can start at once; its hint fits the task: migrations. Passed over: ${over}`)
  })

  const someAgent = fc.record({
    isScript: fc.boolean(),
    isOffered: fc.boolean(),
    isUnavailable: fc.boolean(),
    isDrained: fc.boolean(),
    limited: fc.constantFrom(undefined, '2026-03-01T09:00:00Z', '2026-03-01T11:00:00Z'),
    busy: fc.nat({ max: 4 }),
    hint: fc.constantFrom('', 'migrations', 'schema migrations', 'write migrations'),
    record: fc.record({ succeeded: fc.nat({ max: 20 }), failed: fc.nat({ max: 20 }) }),
  })
  const someAgents = fc.array(someAgent, { maxLength: 8 }).map((agents) =>
    agents.map((made, n) =>
      candidate(`agent-${n}`, {
        spec: {
          adapter: made.isScript ? 'script' : 'claude',
          classifier: { enabled: made.isOffered, hint: made.hint },
        },
        status: {
          ...(made.isDrained ? { drained: { since: '2026-03-01T09:00:00Z' } } : {}),
          ...(made.limited === undefined ? {} : { rateLimitedUntil: made.limited }),
        },
        unavailable: made.isUnavailable ? 'not installed' : undefined,
        holders: holders(made.busy),
        record: made.record,
      }),
    ),
  )
  const isOpen = ({ agent, unavailable }: Candidate): boolean =>
    agent.spec.adapter !== 'script' &&
    agent.spec.classifier?.enabled === true &&
    unavailable === undefined &&
    agent.status?.drained === undefined &&
    agent.status?.rateLimitedUntil !== '2026-03-01T11:00:00Z'

  it('never choose a closed, unavailable or script agent, and always one where any is open', () => {
    fc.assert(
      fc.property(someAgents, (candidates) => {
        const chosen = choose(candidates)
        const open = candidates.filter(isOpen).map(({ agent }) => agent.metadata.name)
        assert.equal(chosen === undefined, open.length === 0)
        if (chosen !== undefined) assert.ok(open.includes(chosen.type ?? ''))
      }),
    )
  })

  it('do not depend on the order in which agents come', () => {
    const shuffled = someAgents.chain((agents) =>
      fc.tuple(fc.constant(agents), fc.shuffledSubarray(agents, { minLength: agents.length })),
    )
    fc.assert(fc.property(shuffled, ([agents, others]) => assert.deepEqual(choose(agents), choose(others))))
  })

  it('begin their reason with the chosen agent, and fit it into the field', () => {
    fc.assert(
      fc.property(someAgents, (candidates) => {
        const { type, reason } = choose(candidates) ?? { type: '', reason: '' }
        assert.ok(reason?.startsWith(type ?? ''))
        assert.ok((reason?.length ?? 0) <= 1024)
      }),
    )
  })

  it('fit the reason into the field however many agents there are', () => {
    const many = Array.from({ length: 200 }, (_, n) => candidate(`agent-${String(n).padStart(3, '0')}`))
    assert.ok((choose(many)?.reason?.length ?? 0) <= 1024)
  })
})
