import assert from 'node:assert/strict'
import { AGENTS, TASKS } from '../../kube/resources.ts'
import { aTask, anAgent } from '../helpers/build.ts'
import { type World, openWorld } from './world.ts'

describe('a further run after a reject', () => {
  let world: World
  beforeEach(async () => {
    world = await openWorld()
  })
  afterEach(() => world.close())

  const decide = async (action: string): Promise<void> => {
    world.annotate('task-a', { 'slipway.dev/action': action })
    await world.sync()
  }

  for (const [what, agent, spec] of [
    ['a script under another name', anAgent({ name: 'shell' }), { type: 'shell' }],
    ['the agent of the last run, which the spec does not name', anAgent({ name: 'shell' }), undefined],
  ] as const)
    it(`starts with ${what}, if there is no other`, async () => {
      const { name } = agent.metadata
      world.kube.put(AGENTS, agent)
      const status = {
        state: 'QUEUED',
        queuedAt: '2026-01-01T00:00:00Z',
        ...(!spec && { agent: { type: name } }),
      } as const
      world.kube.put(TASKS, aTask({ spec: { agent: spec ?? {} }, status }))
      await world.sync()
      await world.endJob('task-a-1-run', { outcome: {} })
      await world.sync()
      for (const action of ['reject', 'run']) await decide(action)
      const { state, executions, agent: chosen } = world.task().status ?? {}
      assert.deepEqual([state, executions, chosen?.type], ['RUNNING', 2, name])
    })
})
