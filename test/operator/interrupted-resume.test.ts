import assert from 'node:assert/strict'
import type { AgentOutcome } from '../../core/execution/result.ts'
import type { TaskStatus } from '../../core/crd/types.ts'
import { AGENTS, EXECUTIONS, PODS } from '../../kube/resources.ts'
import { aPod, anAgent, NAMESPACE } from '../helpers/build.ts'
import { type World, openWorld, readGiven, runSpecOf } from './world.ts'

const QUEUED: TaskStatus = { state: 'QUEUED', queuedAt: '2026-01-01T00:00:00Z' }
const LOGIN = { secretName: 'gone', env: [{ name: 'KEY', key: 'key' }] }

describe('the operator after a resume that came to nothing', () => {
  let world: World
  beforeEach(async () => {
    world = await openWorld({ allowUnsandboxed: true })
    world.given({ status: QUEUED, spec: { agent: { type: 'claude' }, maxAttempts: 9 } })
    await offer({})
  })
  afterEach(() => world.close())

  async function offer(credentials: object): Promise<void> {
    world.kube.put(AGENTS, anAgent({ name: 'claude', spec: { adapter: 'claude', credentials } }))
    await world.sync()
  }
  async function ends(n: number, found: Partial<AgentOutcome>): Promise<void> {
    const outcome = { sessionId: 's-1', costUSD: 0.4, ...found }
    await world.endJob(`task-a-${n}-run`, { outcome, result: { ...outcome, pushed: outcome.outcome === undefined } })
    await world.sync()
  }
  async function decide(action: string, words: Readonly<Record<string, string>> = {}): Promise<void> {
    await world.clock.advance(1_000)
    world.annotate('task-a', { 'slipway.dev/action': action, ...words })
    await world.sync()
  }
  /** Its agent never begins: the key of its login is not there. */
  async function isRefused(action: string, words: Readonly<Record<string, string>> = {}): Promise<void> {
    await offer(LOGIN)
    await decide(action, words)
    assert.equal(world.task().status?.error?.category, 'credentials')
    await offer({})
  }
  async function loseAgent(n: number): Promise<void> {
    await world.endJob(`task-a-${n}-run`, { result: 'none' })
    const startedAt = '2026-01-01T00:00:00Z'
    const state = { terminated: { exitCode: 137, reason: 'Error', startedAt, finishedAt: startedAt } }
    const agent = { name: 'agent', state, ready: false, restartCount: 0, image: '', imageID: '' }
    const status = { phase: 'Failed', reason: 'Evicted', initContainerStatuses: [agent] } as const
    world.kube.put(PODS, aPod({ job: `task-a-${n}-run`, status }))
    await world.sync()
  }
  const asked: Partial<AgentOutcome> = { outcome: 'blocked', questions: [{ text: 'Which zone?' }] }
  const answer = { 'slipway.dev/answer': 'UTC, please' }

  it('goes on in the session, with the answer, where one before it never came to its agent', async () => {
    await ends(1, asked)
    await isRefused('answer', answer)
    await isRefused('resume')
    await decide('resume')
    const { agent } = runSpecOf(world.job('task-a-4-run'))
    const { resume, answer: given } = await readGiven(world, 'task-a-4')
    assert.deepEqual([agent.sessionId, given], ['s-1', 'UTC, please'])
    assert.match(resume, /^Your question was answered\.[^]*UTC, please/)
  })

  it('goes on in the session, with the answer, where the agent before it was lost on the way', async () => {
    await ends(1, asked)
    await decide('answer', answer)
    await loseAgent(2)
    const { agent } = runSpecOf(world.job('task-a-3-run'))
    const { resume, answer: given } = await readGiven(world, 'task-a-3')
    assert.deepEqual([agent.sessionId, given], ['s-1', 'UTC, please'])
    assert.match(resume, /^The machine you ran on went away[^]*in case you have not seen it:\s+UTC, please/)
  })

  it('goes on in the session where somebody has deleted the run before it', async () => {
    await ends(1, asked)
    await isRefused('answer', answer)
    await world.kube.delete(EXECUTIONS, { namespace: NAMESPACE, name: 'task-a-2' })
    await decide('resume')
    const { agent } = runSpecOf(world.job('task-a-3-run'))
    assert.deepEqual([agent.sessionId, (await readGiven(world, 'task-a-3')).answer], ['s-1', 'UTC, please'])
  })

  it('tells the answer to who was cancelled before the agent began, and never again once it asks anew', async () => {
    await ends(1, asked)
    world.kube.put(
      AGENTS,
      anAgent({
        name: 'claude',
        spec: { adapter: 'claude', credentials: {} },
        status: { rateLimitedUntil: '2030-01-01T00:00:00Z' },
      }),
    )
    await decide('answer', answer)
    await decide('cancel')
    assert.equal(world.task().status?.state, 'CANCELLED')
    await offer({})
    await decide('resume')
    assert.match((await readGiven(world, 'task-a-2')).resume, /^Your question was answered/)
    await ends(2, asked)
    assert.deepEqual([world.task().status?.state, world.task().status?.answer], ['BLOCKED', undefined])
  })

  it('does not have the agent do again what only could not be delivered', async () => {
    const refused = { outcome: 'failed', error: { category: 'git', message: 'rejected' } } as const
    const done = { outcome: 'succeeded', sessionId: 's-1', costUSD: 0.4 } as const
    await world.endJob('task-a-1-run', { outcome: done, result: { ...done, ...refused, pushed: false } })
    await world.sync()
    await isRefused('resume')
    await decide('resume')
    const { deliverOnly, agent } = runSpecOf(world.job('task-a-3-run'))
    assert.deepEqual([deliverOnly, agent.sessionId], [true, 's-1'])
  })

  it('asks for changes again where the run that was to make them never began', async () => {
    const done = { outcome: 'succeeded', sessionId: 's-1', costUSD: 0.4 } as const
    await world.endJob('task-a-1-run', { outcome: done, result: { ...done, pushed: true } })
    await world.sync()
    await isRefused('revise', { 'slipway.dev/comment': 'Say two.' })
    await decide('resume')
    assert.equal(runSpecOf(world.job('task-a-3-run')).deliverOnly, false)
    assert.match((await readGiven(world, 'task-a-3')).resume, /asks for these changes[^]*Say two\./)
  })
})
