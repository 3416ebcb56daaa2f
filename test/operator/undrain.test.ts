import assert from 'node:assert/strict'
import { AGENTS, TASKS } from '../../kube/resources.ts'
import { syncAgent } from '../../operator/agent/controller.ts'
import { aTask, anAgent, NAMESPACE } from '../helpers/build.ts'
import { type World, openWorld } from './world.ts'

const LATER = '2999-01-01T00:00:00Z'

describe('an undrain by annotation', () => {
  let world: World
  beforeEach(async () => {
    world = await openWorld()
    world.kube.put(AGENTS, anAgent())
  })
  afterEach(() => world.close())

  it('ends the limit of an agent: what waited for it starts, and what met the limit is queued again', async () => {
    const [agent] = world.kube.all(AGENTS)
    assert.ok(agent)
    const limited = world.kube.put(AGENTS, { ...agent, status: { rateLimitedUntil: LATER } })
    const error = { category: 'quota', message: 'no credit' } as const
    const used = { state: 'BUDGET_EXCEEDED', agent: { type: 'script' }, error, executions: 1 } as const
    world.kube.put(TASKS, aTask({ name: 'met', status: { ...used, resumeAfter: LATER } }))
    world.kube.put(TASKS, aTask({ name: 'waits', status: { state: 'QUEUED', agent: { type: 'script' } } }))
    await world.sync()
    assert.equal(world.task('waits').status?.state, 'QUEUED')
    const annotations = { 'slipway.dev/action': 'undrain' }
    world.kube.put(AGENTS, { ...limited, metadata: { ...limited.metadata, annotations } })
    await syncAgent(world.context, { namespace: NAMESPACE, name: 'script' })
    await world.sync()
    const states = ['met', 'waits'].map((name) => world.task(name).status?.state ?? '').sort()
    // One slot: whichever is first in line has it.
    assert.deepEqual(states, ['QUEUED', 'RUNNING'])
    const { rateLimitedUntil, events } = world.kube.all(AGENTS)[0]?.status ?? {}
    assert.deepEqual([rateLimitedUntil, events?.map(({ kind }) => kind)], [undefined, ['recovered']])
  })
})
