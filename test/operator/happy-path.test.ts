import assert from 'node:assert/strict'
import { AGENTS, TASKS } from '../../kube/resources.ts'
import { aTask, anAgent } from '../helpers/build.ts'
import { type World, openWorld, runSpecOf } from './world.ts'

describe('the way of a task through the operator', () => {
  let world: World
  beforeEach(async () => {
    world = await openWorld()
    world.kube.put(AGENTS, anAgent())
  })
  afterEach(() => world.close())

  it('starts a queued task: slot, Execution, RUNNING and Job', async () => {
    world.kube.put(TASKS, aTask({ status: { state: 'QUEUED', queuedAt: '2026-01-01T00:00:00Z' } }))
    await world.sync()
    assert.equal(world.task().status?.state, 'RUNNING')
    assert.equal(world.holderOf('slipway-slot-script-1'), 'task-a-1')
    assert.equal(world.execution('task-a-1')?.jobName, 'task-a-1-run')
    assert.equal(runSpecOf(world.job('task-a-1-run')).branch, 'slipway/task-a')
  })

  it('makes a task READY and frees the slot when its Job has succeeded', async () => {
    world.kube.put(TASKS, aTask({ status: { state: 'QUEUED', queuedAt: '2026-01-01T00:00:00Z' } }))
    await world.sync()
    await world.endJob('task-a-1-run', {
      result: { summary: 'done', changes: { files: 1, insertions: 2, deletions: 0 } },
    })
    await world.sync()
    const { status } = world.task()
    assert.deepEqual([status?.state, status?.summary], ['READY', 'done'])
    assert.equal(world.holderOf('slipway-slot-script-1'), undefined)
    assert.deepEqual(
      status?.conditions?.map(({ type, status }) => [type, status]),
      [['Ready', 'True']],
    )
  })

  it('starts the next task of the agent as soon as the slot is free', async () => {
    for (const name of ['task-a', 'task-b']) {
      world.kube.put(TASKS, aTask({ name, status: { state: 'QUEUED', queuedAt: '2026-01-01T00:00:00Z' } }))
    }
    await world.sync()
    assert.equal(world.task('task-b').status?.state, 'QUEUED')
    await world.endJob('task-a-1-run')
    await world.sync()
    assert.equal(world.task('task-a').status?.state, 'READY')
    assert.equal(world.task('task-b').status?.state, 'RUNNING')
  })

  it('starts the task of the lowest priority first, in whatever order they are looked at', async () => {
    for (const [name, priority] of [
      ['task-a', 5],
      ['task-b', 1],
    ] as const) {
      world.kube.put(
        TASKS,
        aTask({ name, spec: { priority }, status: { state: 'QUEUED', queuedAt: '2026-01-01T00:00:00Z' } }),
      )
    }
    await world.sync('task-a', 'task-b')
    assert.deepEqual([world.task('task-a').status?.state, world.task('task-b').status?.state], ['QUEUED', 'RUNNING'])
    assert.equal(world.task('task-a').status?.agent?.type, 'script')
  })
})
