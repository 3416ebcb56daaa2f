import assert from 'node:assert/strict'
import { AGENTS, EVENTS, JOBS, TASKS } from '../../kube/resources.ts'
import { aTask, anAgent, NAMESPACE } from '../helpers/build.ts'
import type { World } from './world.ts'
import { openWorld } from './world.ts'

const REFUSAL = 'Error creating: pods "task-a-1-run-x" is forbidden: exceeded quota: small, requested: pods=1'

describe('a Job whose pod the cluster refuses', () => {
  let world: World
  beforeEach(async () => {
    world = await openWorld()
    world.kube.put(AGENTS, anAgent())
    world.kube.put(TASKS, aTask({ status: { state: 'QUEUED', queuedAt: '2026-01-01T00:00:00Z' } }))
    await world.sync()
  })
  afterEach(() => world.close())

  const stamp = (change: { spec?: object; status?: object } = {}) => {
    const job = world.job('task-a-1-run')
    assert.ok(job)
    const creationTimestamp = job.metadata.creationTimestamp ?? world.clock.now().toISOString()
    const metadata = { ...job.metadata, creationTimestamp }
    world.kube.put(JOBS, { ...job, metadata, spec: { ...job.spec, ...change.spec }, status: { ...change.status } })
  }
  const refuse = (reason: string) =>
    world.kube.put(EVENTS, {
      metadata: { name: `refused-${reason.toLowerCase()}`, namespace: NAMESPACE },
      involvedObject: { kind: 'Job', name: 'task-a-1-run', uid: world.job('task-a-1-run')?.metadata.uid ?? '' },
      reason,
      message: REFUSAL,
    })

  it('is FAILED with the words of the cluster within 30 s, and its slot is free', async () => {
    stamp()
    refuse('FailedCreate')
    await world.clock.advance(14_999)
    await world.sync()
    assert.equal(world.task().status?.state, 'RUNNING')
    await world.clock.advance(15_001)
    await world.sync()
    const { state, error } = world.task().status ?? {}
    assert.equal(state, 'FAILED')
    assert.equal(error?.category, 'unavailable')
    assert.match(error?.message ?? '', /exceeded quota: small.*; make room/)
    assert.equal(world.job('task-a-1-run'), undefined)
    assert.equal(world.holderOf('slipway-slot-script-1'), undefined)
  })

  it('waits while only its pod is late', async () => {
    stamp()
    refuse('SomethingElse')
    await world.clock.advance(60_000)
    await world.sync()
    assert.equal(world.task().status?.state, 'RUNNING')
  })

  it('may be suspended by a queue for as long as that takes; its pod is due from its start on', async () => {
    stamp({ spec: { suspend: true } })
    await world.clock.advance(24 * 3_600_000)
    await world.sync()
    assert.equal(world.task().status?.state, 'RUNNING')
    stamp({ spec: { suspend: false }, status: { startTime: world.clock.now().toISOString() } })
    refuse('FailedCreate')
    await world.sync()
    assert.equal(world.task().status?.state, 'RUNNING')
    await world.clock.advance(15_000)
    await world.sync()
    assert.equal(world.task().status?.state, 'FAILED')
  })
})
