import assert from 'node:assert/strict'
import { type QueryCandidate, chooseForQuery } from '../../../core/agent/choose-for-query.ts'
import type { AgentSpec, AgentStatus } from '../../../core/crd/types.ts'
import { anAgent, text } from '../../helpers/build.ts'

const now = new Date('2026-03-01T10:00:00Z')

function candidate(
  name: string,
  parts: { spec?: Partial<AgentSpec>; status?: AgentStatus; unavailable?: string } & Partial<
    Pick<QueryCandidate, 'holders' | 'unanswered'>
  > = {},
): QueryCandidate {
  const { spec, status, unavailable, holders = [], unanswered = 0 } = parts
  const agent = anAgent({ name, spec: { adapter: 'claude', ...spec }, ...(status && { status }) })
  return { agent, now, queueLength: 0, holders, unavailable, unanswered }
}

const script = candidate('script', { spec: { adapter: 'script' } })
const limited = { rateLimitedUntil: '2026-03-01T10:05:00Z' }
const drained = { drained: { since: '2026-03-01T09:00:00Z', reason: text('three crashes') } }
const hidden = { classifier: { enabled: false } }

describe('the agent that answers a query', () => {
  it('is the least busy of those that are open, and never a script', () => {
    const busy = candidate('claude', { holders: [{ slot: 1, execution: 'x-1', task: 'x', isStarting: false }] })
    const choice = chooseForQuery('anything', [script, busy, candidate('gemini')])
    assert.equal(choice.kind === 'chosen' && choice.agent.type, 'gemini')
  })

  it('is the one whose hint fits the words, between equals', () => {
    const hinted = candidate('gemini', { spec: { classifier: { hint: 'translations and texts' } } })
    const choice = chooseForQuery('Mend the translations', [candidate('claude'), hinted])
    assert.equal(choice.kind === 'chosen' && choice.agent.type, 'gemini')
  })

  it('is one with fewer questions before this one, though it is busier with tasks', () => {
    const asked = candidate('claude', { unanswered: 1 })
    const busy = candidate('gemini', { holders: [{ slot: 1, execution: 'x-1', task: 'x', isStarting: false }] })
    const free = chooseForQuery('anything', [asked, busy])
    assert.equal(free.kind === 'chosen' && free.agent.type, 'gemini')
    const closed = chooseForQuery('anything', [asked, candidate('gemini', { status: drained })])
    assert.equal(closed.kind === 'chosen' && closed.agent.type, 'claude')
  })

  it('is none with only scripts, and says so', () => {
    const choice = chooseForQuery('anything', [script])
    assert.deepEqual(choice, { kind: 'none', reasons: ['there is no agent but scripts, and a script answers nothing'] })
  })

  it('is none where each is closed, with the reason of each and the end of the first limit', () => {
    const choice = chooseForQuery('anything', [
      candidate('a', { status: drained }),
      candidate('b', { status: limited }),
      candidate('c', { unavailable: 'agent c: codex is not installed' }),
      candidate('d', { spec: hidden }),
    ])
    assert.deepEqual(choice, {
      kind: 'none',
      reasons: [
        'agent a is drained: three crashes',
        'agent b is rate limited until 2026-03-01T10:05:00Z',
        'agent c: codex is not installed',
        'agent d is used only when it is named: ?agent=d',
      ],
      retryAfterSeconds: 300,
    })
  })

  it('promises no time for one that is limited and drained', () => {
    const choice = chooseForQuery('anything', [candidate('a', { status: { ...drained, ...limited } })])
    assert.equal(choice.kind === 'none' && choice.retryAfterSeconds, undefined)
  })

  it('is the one that is named where it can work, also one that the rules do not offer', () => {
    const candidates = [candidate('claude'), candidate('gemini', { spec: { ...hidden, defaultModel: 'flash' } })]
    const choice = chooseForQuery('anything', candidates, 'gemini')
    const agent = { type: 'gemini', model: 'flash', chosenBy: 'Request', reason: 'named in the request' }
    assert.deepEqual(choice, { kind: 'chosen', agent })
  })

  it('is no other than the one that is named, however free that is', () => {
    const choice = chooseForQuery('anything', [candidate('claude'), candidate('gemini', { status: drained })], 'gemini')
    assert.deepEqual(choice, { kind: 'none', reasons: ['agent gemini is drained: three crashes'] })
  })
})
