import assert from 'node:assert/strict'
import type { TaskStatus } from '../../core/crd/types.ts'
import { AGENTS, PROJECTS, TASKS } from '../../kube/resources.ts'
import { aProject, aTask, anAgent } from '../helpers/build.ts'
import { type World, openWorld } from './world.ts'

const QUEUED: TaskStatus = { state: 'QUEUED', queuedAt: '2026-01-01T00:00:00Z' }

describe('a limit on what waits for a person', () => {
  let world: World
  beforeEach(async () => {
    world = await openWorld({ allowUnsandboxed: true })
    const spec = { adapter: 'claude', credentials: {}, maxConcurrent: 5 } as const
    world.kube.put(AGENTS, anAgent({ name: 'held', spec: { ...spec, maxAwaitingReview: 1 } }))
    world.kube.put(AGENTS, anAgent({ name: 'open', spec }))
    world.kube.put(PROJECTS, aProject({ name: 'shop', spec: { maxAwaitingReview: 2 } }))
  })
  afterEach(() => world.close())

  const given = (name: string, agent: string | undefined, status: TaskStatus = QUEUED) =>
    world.kube.put(
      TASKS,
      aTask({ name, spec: { project: 'shop', agent: agent === undefined ? {} : { type: agent } }, status }),
    )
  const ready = (name: string, agent: string) =>
    given(name, agent, { state: 'READY', agent: { type: agent }, executions: 1, finishedAt: '2026-01-01T00:00:00Z' })
  const decide = (name: string) => given(name, 'held', { state: 'COMPLETED', agent: { type: 'held' }, executions: 1 })
  const stateOf = (name: string) => world.task(name).status?.state

  it('keeps a task QUEUED, with the limit in its condition, and starts it once one of them is decided', async () => {
    ready('login-form', 'held')
    given('next', 'held')
    await world.sync()
    assert.equal(stateOf('next'), 'QUEUED')
    const said = world.task('next').status?.conditions?.find(({ reason }) => reason === 'WaitingForReview')
    assert.equal(said?.message, 'agent held is at its limit of 1 task that waits for a person')
    decide('login-form')
    await world.sync()
    assert.equal(stateOf('next'), 'RUNNING')
  })

  it('gives unnamed tasks to an agent below its limit, until the project is at its own', async () => {
    ready('login-form', 'held')
    given('unnamed', undefined)
    await world.sync()
    assert.deepEqual([stateOf('unnamed'), world.task('unnamed').status?.agent?.type], ['RUNNING', 'open'])
    ready('basket', 'open')
    given('second', undefined)
    await world.sync()
    assert.equal(stateOf('second'), 'QUEUED')
    const reasons = world.task('second').status?.conditions?.map(({ reason }) => reason)
    assert.deepEqual(reasons, ['WaitingForReview'])
  })
})
