import assert from 'node:assert/strict'
import { unavailableReason } from '../../../core/agent/availability.ts'
import type { Candidate } from '../../../core/agent/fitness.ts'
import { classify } from '../../../core/agent/classify.ts'
import type { AgentSpec, AgentStatus, TaskSpec } from '../../../core/crd/types.ts'
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

function choose(spec: Partial<TaskSpec>, candidates: Candidate[], executions = 0) {
  return classify(aTask({ spec, status: { state: 'QUEUED', executions } }), candidates)
}

const busy = { holders: [{ slot: 1, execution: 'x-1', task: 'x', isStarting: false }] }

describe('classification', () => {
  it('follows the spec on the first run, and takes it as a hint afterwards', () => {
    const candidates = [candidate('claude', busy), candidate('gemini')]
    assert.equal(choose({ agent: { type: 'claude' } }, candidates)?.type, 'claude')
    assert.equal(choose({ agent: { type: 'claude' } }, candidates, 1)?.type, 'gemini')
    assert.equal(choose({ agent: { type: 'gemini' } }, [candidate('claude'), candidate('gemini')], 1)?.type, 'gemini')
  })

  it('always follows a spec that says script, and never picks a script agent by itself', () => {
    const candidates = [candidate('script', { spec: { adapter: 'script' } }), candidate('claude', busy)]
    assert.equal(choose({ agent: { type: 'script' } }, candidates, 3)?.type, 'script')
    assert.equal(choose({ agent: {} }, candidates)?.type, 'claude')
  })

  it('takes for a script what names an agent with that adapter, whatever the agent is called', () => {
    const candidates = [candidate('shell', { spec: { adapter: 'script' } }), candidate('claude')]
    assert.equal(choose({ agent: { type: 'shell' } }, candidates, 3)?.type, 'shell')
  })

  it('keeps the agent of the spec, else of the last run, where rules may choose no agent at all', () => {
    const closed = candidate('own', { spec: { classifier: { enabled: false } } })
    const script = candidate('shell', { spec: { adapter: 'script' } })
    assert.equal(choose({ agent: { type: 'own' } }, [closed, script], 1)?.type, 'own')
    const ran = aTask({ spec: { agent: {} }, status: { state: 'QUEUED', executions: 1 } })
    assert.equal(classify(ran, [closed, script], 'shell')?.type, 'shell')
    assert.equal(classify(ran, [closed, script], 'gone'), undefined)
    assert.equal(classify(ran, [closed, candidate('claude')], 'own')?.type, 'claude')
  })

  it('keeps that agent where all that rules may choose are unavailable, and waits for those that will be open again', () => {
    const own = candidate('own', { spec: { classifier: { enabled: false } } })
    const missing = [
      candidate('claude', { unavailable: 'not installed' }),
      candidate('gemini', { unavailable: 'not installed' }),
    ]
    const barred = candidate('claude', { spec: { allowedImages: ['registry.example/*'] } })
    const limited = candidate('claude', { status: { rateLimitedUntil: '2026-03-01T11:00:00Z' } })
    assert.equal(choose({ agent: { type: 'own' } }, [own, ...missing], 1)?.type, 'own')
    assert.equal(choose({ agent: { type: 'own' }, containerImage: 'other' }, [own, barred], 1)?.type, 'own')
    assert.equal(choose({ agent: { type: 'own' } }, [own, limited], 1), undefined)
    assert.equal(choose({ agent: { type: 'claude' } }, missing, 1), undefined)
  })

  it('reads the legacy key as the agent', () => {
    assert.deepEqual(classify({ ...aTask(), spec: { title: 't', claude: { model: 'opus' } } }, [candidate('claude')]), {
      type: 'claude',
      model: 'opus',
      chosenBy: 'Spec',
      reason: 'named in spec.agent.type',
    })
  })

  it('chooses nobody while all are drained, limited, closed to it or unavailable', () => {
    const closed = [
      candidate('a', { status: { drained: { since: '2026-03-01T09:00:00Z' } } }),
      candidate('b', { status: { rateLimitedUntil: '2026-03-01T11:00:00Z' } }),
      candidate('c', { spec: { classifier: { enabled: false } } }),
      candidate('d', { unavailable: 'no isolation' }),
    ]
    assert.equal(choose({ agent: {} }, closed), undefined)
  })

  it('prefers who is free, then whose hint speaks of the task', () => {
    const hinted = candidate('b', { spec: { classifier: { hint: 'database migrations' } } })
    assert.equal(choose({ agent: {}, title: 'Write a migrations guide' }, [candidate('a'), hinted])?.type, 'b')
    assert.equal(choose({ agent: {} }, [candidate('a', busy), candidate('b')])?.type, 'b')
  })

  it('gives the default model where the agent has not the one asked for', () => {
    const agent = candidate('claude', { spec: { models: ['opus', 'haiku'], defaultModel: 'haiku' } })
    assert.equal(choose({ agent: { model: 'opus' } }, [agent])?.model, 'opus')
    assert.equal(choose({ agent: { model: 'unknown' } }, [agent])?.model, 'haiku')
  })
})

describe('availability of an agent', () => {
  const bare = { isolation: 'none', allowUnsandboxed: false, embedded: true } as const

  it('is given to scripts without isolation', () => assert.equal(unavailableReason(anAgent(), bare), undefined))

  it('is refused while its program is not installed here, and says how to install it', () => {
    const here = { ...bare, isolation: 'sandbox', programs: new Set(['gemini']) } as const
    const agent = anAgent({ name: 'claude', spec: { adapter: 'claude' } })
    assert.match(unavailableReason(agent, here) ?? '', /claude is not installed.*npm install -g/)
    assert.equal(unavailableReason(anAgent({ name: 'gemini', spec: { adapter: 'gemini' } }), here), undefined)
    assert.equal(unavailableReason(anAgent({ spec: { adapter: 'claude', command: ['/opt/claude'] } }), here), undefined)
  })

  it('cannot be told where programs are in images', () => {
    const agent = anAgent({ name: 'claude', spec: { adapter: 'claude' } })
    assert.equal(unavailableReason(agent, { ...bare, isolation: 'container' }), undefined)
  })

  it('is refused in a cluster for credentials on the host', () => {
    const files = [{ path: '.token', hostPath: '/home/ann/.token' }]
    const agent = anAgent({ spec: { credentials: { files } } })
    assert.equal(unavailableReason(agent, bare), undefined)
    assert.match(unavailableReason(agent, { ...bare, embedded: false }) ?? '', /hostPath/)
  })
})
