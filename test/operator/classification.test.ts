import assert from 'node:assert/strict'
import { createTrackRecords } from '../../core/agent/track-record.ts'
import { AGENTS, EXECUTIONS, PROJECTS, TASKS } from '../../kube/resources.ts'
import { aProject, aTask, anAgent, anExecution } from '../helpers/build.ts'
import { type World, openWorld } from './world.ts'

const FAILED = { state: 'FAILED', error: { category: 'failed', message: 'the tests fail' } } as const

describe('a task without an agent', () => {
  let world: World
  const trackRecords = createTrackRecords()

  before(async () => {
    world = await openWorld()
    Object.assign(world.context, {
      trackRecords,
      installation: { ...world.context.installation, isolation: 'sandbox' },
    })
    for (const name of ['able', 'abler'])
      world.kube.put(AGENTS, anAgent({ name, spec: { adapter: 'claude', credentials: {} } }))
    world.kube.put(AGENTS, anAgent())
    world.kube.put(PROJECTS, aProject({ name: 'shop' }))
    for (let n = 1; n <= 4; n++) {
      const metadata = { labels: { 'slipway.dev/project': 'shop' } }
      const object = anExecution({ name: `old-${n}`, metadata, spec: { agent: 'able' }, status: FAILED })
      trackRecords.enter({ object: world.kube.put(EXECUTIONS, object) })
    }
  })
  after(() => world.close())

  const chooseFor = async (name: string, project?: string) => {
    const spec = { agent: {}, ...(project === undefined ? {} : { project }) }
    world.kube.put(TASKS, aTask({ name, spec, status: { state: 'QUEUED', queuedAt: '2026-01-01T00:00:00Z' } }))
    await world.sync(name)
    return world.task(name).status?.agent
  }

  it('is given to the one that did not fail on its project, and says so', async () => {
    const reason = 'abler can start at once. Passed over: able (0 of its 4 executions on this project succeeded)'
    assert.deepEqual(await chooseFor('of-the-shop', 'shop'), { type: 'abler', chosenBy: 'Rules', reason })
  })

  it('of another project does not count by that', async () => {
    assert.equal((await chooseFor('elsewhere'))?.type, 'able')
  })
})
