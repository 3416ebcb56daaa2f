import assert from 'node:assert/strict'
import type { TaskStatus } from '../../core/crd/types.ts'
import { type HandBack, checkOut, handBack } from '../../core/task/take-over.ts'
import { AGENTS, TASKS } from '../../kube/resources.ts'
import { anAgent } from '../helpers/build.ts'
import { type World, openWorld, runSpecOf } from './world.ts'

const HEAD = 'a'.repeat(40)

describe('the operator, of a task that a person takes over', () => {
  let world: World
  beforeEach(async () => {
    world = await openWorld()
    world.kube.put(AGENTS, anAgent())
    world.given({ status: { state: 'QUEUED', queuedAt: '2026-01-01T00:00:00Z' } })
    await world.sync()
    const done = { outcome: 'succeeded', sessionId: 's-1' } as const
    await world.endJob('task-a-1-run', { outcome: done, result: { ...done, pushed: true } })
    await world.sync()
    take(checkOut(world.task(), { by: 'ann', at: world.clock.now() }))
  })
  afterEach(() => world.close())

  const take = (outcome: ReturnType<typeof checkOut>): void => {
    assert.equal(outcome.kind, 'allowed')
    if (outcome.kind === 'allowed') write(outcome.status)
  }
  const write = (status: TaskStatus): void => {
    world.kube.put(TASKS, { ...world.task(), status })
  }
  const handBackNow = async (parts: Partial<HandBack> = {}): Promise<void> => {
    take(handBack(world.task(), { by: 'ann', at: world.clock.now(), head: HEAD, ...parts }, undefined))
    await world.sync()
  }

  it('starts nothing of it, and says who has it', async () => {
    world.annotate('task-a', { 'slipway.dev/action': 'revise', 'slipway.dev/comment': 'Say two.' })
    await world.sync()
    const { state, conditions } = world.task().status ?? {}
    assert.equal(state, 'QUEUED')
    assert.deepEqual([conditions?.[0]?.reason, conditions?.[0]?.message], ['CheckedOut', 'checked out by ann'])
    assert.equal(world.job('task-a-2-run'), undefined)
  })

  it('runs no agent for what is handed back as it is, and keeps the session for later', async () => {
    await handBackNow()
    const run = runSpecOf(world.job('task-a-2-run'))
    assert.deepEqual(
      [run.handedBack, run.deliverOnly, run.keepClone, run.hasInbox, run.agent.sessionId],
      [{ head: HEAD, withoutAgent: true }, false, true, undefined, 's-1'],
    )
    const done = { outcome: 'succeeded', sessionId: 's-1' } as const
    await world.endJob('task-a-2-run', { outcome: done, result: { ...done, pushed: true } })
    await world.sync()
    const { state, handedBack, handedBackBy } = world.task().status ?? {}
    assert.deepEqual([state, handedBack, handedBackBy], ['READY', undefined, ['ann']])
  })

  it('tries again without an agent where that came to nothing', async () => {
    await handBackNow()
    const error = { category: 'git', message: 'out of reach' } as const
    await world.endJob('task-a-2-run', { result: { outcome: 'failed', error, pushed: false } })
    await world.sync()
    assert.equal(world.task().status?.state, 'FAILED')
    world.annotate('task-a', { 'slipway.dev/action': 'resume' })
    await world.sync()
    assert.deepEqual(runSpecOf(world.job('task-a-3-run')).handedBack, { head: HEAD, withoutAgent: true })
  })

  it('lets the agent go on from what is handed back with a comment, and takes back nothing that it makes since', async () => {
    await handBackNow({ comment: 'Say two.' })
    const run = runSpecOf(world.job('task-a-2-run'))
    assert.deepEqual([run.handedBack, run.deliverOnly], [{ head: HEAD, withoutAgent: false }, false])
    const auth = { outcome: 'failed', error: { category: 'auth', message: 'expired' }, sessionId: 's-1' } as const
    await world.endJob('task-a-2-run', { outcome: auth, result: { ...auth, pushed: false } })
    await world.sync()
    assert.equal(runSpecOf(world.job('task-a-2-run-2')).handedBack, undefined)
    const failed = { outcome: 'failed', error: { category: 'failed', message: 'broke' }, sessionId: 's-1' } as const
    await world.endJob('task-a-2-run-2', { outcome: failed, result: { ...failed, pushed: false } })
    await world.sync()
    world.annotate('task-a', { 'slipway.dev/action': 'resume' })
    await world.sync()
    assert.equal(runSpecOf(world.job('task-a-3-run')).handedBack, undefined)
  })
})
