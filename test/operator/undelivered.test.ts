import assert from 'node:assert/strict'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { AGENTS } from '../../kube/resources.ts'
import { anAgent } from '../helpers/build.ts'
import { type World, openWorld, runSpecOf } from './world.ts'

describe('a task whose execution did not deliver everything', () => {
  let world: World
  let clone = ''
  const missing = { undelivered: [{ path: 'vendor/x', reason: 'it is a clone' }], undeliveredCount: 3 }
  beforeEach(async () => {
    world = await openWorld()
    world.kube.put(AGENTS, anAgent())
    world.given({ status: { state: 'QUEUED', queuedAt: '2026-01-01T00:00:00Z' } })
    await world.sync()
    clone = join(world.volumeRoot, 'sandboxes', 'task-a', 'repo')
    mkdirSync(clone, { recursive: true })
  })
  afterEach(() => world.close())

  it('says so on the execution and as an Event, and keeps the clone at READY until it is COMPLETED', async () => {
    await world.endJob('task-a-1-run', { result: missing })
    await world.sync()
    await world.sync()
    const { undelivered, undeliveredCount } = world.execution('task-a-1') ?? {}
    assert.deepEqual({ undelivered, undeliveredCount }, missing)
    assert.equal(world.task().status?.state, 'READY')
    assert.ok(world.task().status?.workspace !== undefined && existsSync(clone), 'the clone is gone')
    const [event] = world.events.filter(({ reason }) => reason === 'Undelivered')
    assert.equal(event?.message, 'not delivered, and kept in the clone: vendor/x: it is a clone · 2 more')
    world.annotate('task-a', { 'slipway.dev/action': 'accept' })
    await world.sync()
    assert.equal(world.task().status?.state, 'COMPLETED')
    await world.sweep()
    assert.deepEqual([world.task().status?.workspace, existsSync(clone)], [undefined, false])
  })

  it('is resumed in its session when the agent has to go on, and without the agent when only the commit failed', async () => {
    const error = { category: 'git', message: 'nothing can be delivered' } as const
    const failed = { outcome: 'failed', error, sessionId: 's-1' } as const
    await world.endJob('task-a-1-run', { outcome: failed, result: { ...failed, ...missing, pushed: false } })
    await world.sync()
    world.annotate('task-a', { 'slipway.dev/action': 'resume' })
    await world.sync()
    const again = runSpecOf(world.job('task-a-2-run'))
    assert.deepEqual([again.deliverOnly, again.keepClone, again.agent.sessionId], [false, true, 's-1'])
    const result = { outcome: 'failed', error, costUSD: 2, pushed: false } as const
    await world.endJob('task-a-2-run', { outcome: { uncommitted: error, costUSD: 2 }, result })
    await world.sync()
    assert.deepEqual([world.task().status?.state, world.task().status?.costUSD], ['FAILED', 2])
    world.annotate('task-a', { 'slipway.dev/action': 'resume' })
    await world.sync()
    assert.equal(runSpecOf(world.job('task-a-3-run')).deliverOnly, true)
  })
})
