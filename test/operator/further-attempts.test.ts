import assert from 'node:assert/strict'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TaskStatus } from '../../core/crd/types.ts'
import { AGENTS, PODS } from '../../kube/resources.ts'
import { aPod, anAgent } from '../helpers/build.ts'
import { type World, openWorld, readGiven, runSpecOf } from './world.ts'

const QUEUED: TaskStatus = { state: 'QUEUED', queuedAt: '2026-01-01T00:00:00Z' }

describe('the operator after an attempt that broke off', () => {
  let world: World
  beforeEach(async () => {
    world = await openWorld()
    world.kube.put(AGENTS, anAgent())
  })
  afterEach(() => world.close())

  it('resumes a task whose pod was lost while the agent ran, at once, in the kept clone', async () => {
    world.given({ status: QUEUED })
    await world.sync()
    await world.endJob('task-a-1-run', { result: 'none' })
    const [pod] = world.kube.all(PODS)
    assert.ok(pod)
    const state = { terminated: { exitCode: 137, reason: 'Error', startedAt: '2026-01-01T00:00:00Z' } }
    const agent = { name: 'agent', state, ready: false, restartCount: 0, image: '', imageID: '' }
    world.kube.put(PODS, { ...pod, status: { phase: 'Failed', reason: 'Evicted', initContainerStatuses: [agent] } })
    await world.sync()
    const { status } = world.task()
    assert.deepEqual([status?.state, status?.attempts, status?.execution], ['RUNNING', 1, 'task-a-2'])
    const run = runSpecOf(world.job('task-a-2-run'))
    assert.deepEqual([run.keepClone, run.deliverOnly], [true, false])
  })

  it('repeats only the delivery when the push failed and the task is resumed', async () => {
    world.given({ status: QUEUED })
    await world.sync()
    const refused = { outcome: 'failed', pushed: false, error: { category: 'git', message: 'rejected' } } as const
    await world.endJob('task-a-1-run', { outcome: {}, result: refused })
    await world.sync()
    assert.deepEqual([world.task().status?.state, world.execution('task-a-1')?.agentOutcome], ['FAILED', 'succeeded'])
    world.annotate('task-a', { 'slipway.dev/action': 'resume' })
    await world.sync()
    assert.equal(runSpecOf(world.job('task-a-2-run')).deliverOnly, true)
  })

  it('does not start the agent where the first Job of a repeated delivery is lost before it tells anything', async () => {
    world.given({ status: QUEUED })
    await world.sync()
    const refused = { outcome: 'failed', pushed: false, error: { category: 'git', message: 'rejected' } } as const
    await world.endJob('task-a-1-run', { outcome: {}, result: refused })
    await world.sync()
    world.annotate('task-a', { 'slipway.dev/action': 'resume' })
    await world.sync()
    for (const job of ['task-a-2-run', 'task-a-2-run-2']) {
      world.kube.put(PODS, aPod({ job, status: { phase: 'Failed', reason: 'Evicted' } }))
      await world.sync()
      assert.equal(runSpecOf(world.job(`task-a-2-run-${job.endsWith('-2') ? 3 : 2}`)).deliverOnly, true, job)
    }
  })

  it('goes on in its clone and session where changes are asked for in work that is done', async () => {
    world.given({ status: QUEUED })
    await world.sync()
    const done = { outcome: 'succeeded', sessionId: 's-1', costUSD: 0.4 } as const
    await world.endJob('task-a-1-run', { outcome: done, result: { ...done, pushed: true } })
    await world.sync()
    assert.deepEqual([world.task().status?.state, world.task().status?.costUSD], ['READY', 0.4])
    const revise = (comment: string) =>
      world.annotate('task-a', { 'slipway.dev/action': 'revise', 'slipway.dev/comment': comment })
    revise('Say two.')
    await world.sync()
    const { keepClone, deliverOnly, agent } = runSpecOf(world.job('task-a-2-run'))
    assert.deepEqual([keepClone, deliverOnly, agent.sessionId], [true, false, 's-1'])
    // What failed after that is the push alone.
    const refused = { outcome: 'failed', pushed: false, error: { category: 'git', message: 'rejected' } } as const
    await world.endJob('task-a-2-run', { outcome: done, result: { ...refused, costUSD: 0.1 } })
    await world.sync()
    assert.deepEqual([world.task().status?.state, world.task().status?.revision], ['FAILED', 'Say two.'])
    world.annotate('task-a', { 'slipway.dev/action': 'resume' })
    await world.sync()
    assert.equal(runSpecOf(world.job('task-a-3-run')).deliverOnly, true)
    await world.endJob('task-a-3-run', { result: { outcome: 'succeeded', pushed: true } })
    await world.sync()
    assert.deepEqual([world.task().status?.state, world.task().status?.revision], ['READY', undefined])
    await world.clock.advance(1_000)
    revise('Say three.')
    await world.sync()
    assert.equal(runSpecOf(world.job('task-a-4-run')).deliverOnly, false)
  })

  for (const session of ['kept', 'gone'] as const)
    it(`tells its agent all that was asked for before one has worked on it, in a session that is ${session}`, async () => {
      await world.close()
      world = await openWorld({ allowUnsandboxed: true })
      world.kube.put(AGENTS, anAgent({ name: 'claude', spec: { adapter: 'claude', credentials: {} } }))
      world.given({ status: QUEUED, spec: { agent: { type: 'claude' } } })
      await world.sync()
      await world.endJob('task-a-1-run', { outcome: { sessionId: 's-1' }, result: { pushed: true } })
      await world.sync()
      const decide = async (action: string, comment: string): Promise<void> => {
        await world.clock.advance(1_000)
        world.annotate('task-a', { 'slipway.dev/action': action, 'slipway.dev/comment': comment })
        await world.sync()
      }
      if (session === 'gone') await rm(join(world.volumeRoot, 'sandboxes'), { recursive: true, force: true })
      await decide('revise', 'Say two.')
      // Its agent never begins.
      const refused = { outcome: 'failed', pushed: false, error: { category: 'git', message: 'no such host' } } as const
      await world.endJob('task-a-2-run', { result: refused })
      if (session === 'gone') await rm(join(world.volumeRoot, 'sandboxes'), { recursive: true, force: true })
      await world.sync()
      assert.equal(world.task().status?.state, 'FAILED')
      await decide('revise', 'Say three.')
      const { prompt = '', resume } = await readGiven(world, 'task-a-3')
      for (const told of [prompt, resume]) assert.match(told, /Say two\.[^]*Say three\./)
      assert.equal(runSpecOf(world.job('task-a-3-run')).deliverOnly, false)
    })

  it('logs in once more with fresh credentials, in a second Job of the same execution', async () => {
    world.given({ status: QUEUED })
    await world.sync()
    const auth = { outcome: 'failed', pushed: false, error: { category: 'auth', message: 'expired' } } as const
    await world.endJob('task-a-1-run', { result: auth })
    await world.sync()
    assert.deepEqual([world.execution('task-a-1')?.authRetried, world.execution('task-a-1')?.jobs], [true, 2])
    await world.endJob('task-a-1-run-2', { result: auth })
    await world.sync()
    assert.deepEqual([world.task().status?.state, world.task().status?.error?.category], ['FAILED', 'auth'])
  })

  it('goes on in its session after a login that was refused on the way, with what is left of the budget', async () => {
    world.given({ status: QUEUED, spec: { budgetUSD: 1 } })
    await world.sync()
    const auth = { outcome: 'failed', error: { category: 'auth', message: 'expired' }, sessionId: 's-1' } as const
    await world.endJob('task-a-1-run', { outcome: { ...auth, costUSD: 0.4 }, result: { ...auth, pushed: false } })
    await world.sync()
    const { agent, budgetUSD, keepClone, deliverOnly } = runSpecOf(world.job('task-a-1-run-2'))
    assert.deepEqual([agent.sessionId, budgetUSD, keepClone, deliverOnly], ['s-1', 0.6, true, false])
  })

  it('tells the next execution what a kept clone was made from when the first was killed before it could', async () => {
    world.given({ status: QUEUED })
    await world.sync()
    const baseCommit = 'a'.repeat(40)
    const prepared = join(world.volumeRoot, 'executions/task-a-1/prepared.json')
    await writeFile(prepared, JSON.stringify({ schemaVersion: 1, baseCommit }))
    const startedAt = '2026-01-01T00:00:00Z'
    const killed = { terminated: { exitCode: 137, startedAt, finishedAt: startedAt } }
    const agent = { name: 'agent', ready: false, restartCount: 0, image: '', imageID: '', state: killed }
    await world.endJob('task-a-1-run', { result: 'none' })
    world.kube.put(PODS, aPod({ job: 'task-a-1-run', status: { phase: 'Failed', initContainerStatuses: [agent] } }))
    await world.sync()
    const { keepClone, baseCommit: told } = runSpecOf(world.job('task-a-2-run'))
    assert.deepEqual([keepClone, told], [true, baseCommit])
  })
})
