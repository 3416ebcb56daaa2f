import assert from 'node:assert/strict'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { ExecutionStatus } from '../../core/crd/types.ts'
import { checksOf } from '../../operator/execution/checks.ts'
import { AGENTS, PODS, PROJECTS } from '../../kube/resources.ts'
import { anAgent, anExecution, aPod, aProject } from '../helpers/build.ts'
import { type World, openWorld, runSpecOf } from './world.ts'

describe('work that its checks do not hold back', () => {
  let world: World
  beforeEach(async () => {
    world = await openWorld({ allowUnsandboxed: true })
  })
  afterEach(() => world.close())

  it('starts no agent where what a person has waived them for is gone with its Job', async () => {
    world.kube.put(AGENTS, anAgent())
    world.kube.put(PROJECTS, aProject({ spec: { checks: [{ name: 'test', run: 'npm test' }], maxCheckRounds: 0 } }))
    world.given({ status: { state: 'QUEUED', queuedAt: '2026-01-01T00:00:00Z' }, spec: { project: 'project-a' } })
    await world.sync()
    const error = { category: 'checks', message: 'check test is red: exit code 1' } as const
    const result = { outcome: 'failed', pushed: false, error } as const
    await world.endJob('task-a-1-run', { outcome: { outcome: 'succeeded' }, result })
    await world.sync()
    await mkdir(join(world.volumeRoot, 'sandboxes/task-a/repo/.git'), { recursive: true })
    await world.clock.advance(1_000)
    world.annotate('task-a', { 'slipway.dev/action': 'waive', 'slipway.dev/comment': 'because' })
    await world.sync()
    assert.equal(runSpecOf(world.job('task-a-2-run')).deliverOnly, true)
    await rm(join(world.volumeRoot, 'sandboxes'), { recursive: true })
    world.kube.put(PODS, aPod({ job: 'task-a-2-run', status: { phase: 'Failed', reason: 'Evicted' } }))
    await world.sync()
    assert.equal(world.job('task-a-2-run-2'), undefined)
    assert.match(world.task().status?.error?.message ?? '', /clone .* is gone/)
  })

  it('is checked by one that was killed, if that holds work back by now', () => {
    const killed = { name: 'slow', round: 1, required: false, state: 'Failed' } as const
    const status: ExecutionStatus = { checks: [killed] }
    const namesOf = (required: boolean): string[] => {
      const project = aProject({ spec: { checks: [{ name: 'slow', run: 'true', required }] } })
      return checksOf({ project, execution: anExecution() }, status).map(({ name }) => name)
    }
    assert.deepEqual([namesOf(false), namesOf(true)], [[], ['slow']])
  })
})
