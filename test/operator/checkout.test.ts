import assert from 'node:assert/strict'
import type { ProjectSpec } from '../../core/crd/types.ts'
import { AGENTS, PROJECTS, TASKS } from '../../kube/resources.ts'
import { aProject, aTask, anAgent } from '../helpers/build.ts'
import { type World, openWorld, runSpecOf } from './world.ts'

describe('what a project says of its clones', () => {
  let world: World
  beforeEach(async () => {
    world = await openWorld()
  })
  afterEach(() => world.close())

  async function toldWith(checkout: ProjectSpec['checkout']) {
    world.kube.put(AGENTS, anAgent())
    world.kube.put(PROJECTS, aProject({ spec: checkout === undefined ? {} : { checkout } }))
    const spec = { project: 'project-a', agent: { type: 'script', instructions: 'true' } }
    world.kube.put(TASKS, aTask({ spec, status: { state: 'QUEUED', queuedAt: '2026-01-01T00:00:00Z' } }))
    await world.sync()
    return runSpecOf(world.job('task-a-1-run')).checkout
  }

  it('is what its steps are told, in the words of the resource', async () => {
    const checkout = {
      sparse: ['services/shop'],
      submodules: 'Shallow',
      lfs: 'Fetch',
      depth: 1,
      borrow: false,
    } as const
    assert.deepEqual(await toldWith(checkout), checkout)
  })

  for (const checkout of [undefined, {}])
    it(`is nothing where it says ${JSON.stringify(checkout)}`, async () => {
      assert.equal(await toldWith(checkout), undefined)
    })
})
