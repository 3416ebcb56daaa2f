import assert from 'node:assert/strict'
import { EPICS, STORIES } from '../../kube/resources.ts'
import { syncEpic } from '../../operator/epic/controller.ts'
import { aStory, NAMESPACE } from '../helpers/build.ts'
import { type World, openWorld } from './world.ts'

describe('the operator and an epic', () => {
  let world: World
  beforeEach(async () => {
    world = await openWorld()
    world.kube.put(EPICS, {
      apiVersion: 'slipway.dev/v1alpha1',
      kind: 'Epic',
      metadata: { name: 'e', namespace: NAMESPACE },
      spec: { title: 'E' },
    })
  })
  afterEach(() => world.close())
  const sync = () => syncEpic(world.context, { namespace: NAMESPACE, name: 'e' })
  const epic = () => world.kube.all(EPICS)[0]

  it('is Ready as soon as it exists, and its condition is written once', async () => {
    await sync()
    const version = epic()?.metadata.resourceVersion
    assert.deepEqual(
      epic()?.status?.conditions?.map(({ type, status, reason }) => [type, status, reason]),
      [['Ready', 'True', 'Tracked']],
    )
    await sync()
    assert.equal(epic()?.metadata.resourceVersion, version)
  })

  it('says in its condition how many of its stories are DONE, and counts no others', async () => {
    const spec = { epicId: 'e' }
    world.kube.put(STORIES, aStory({ name: 'a', spec, status: { status: 'DONE' } }))
    world.kube.put(STORIES, aStory({ name: 'b', spec }))
    world.kube.put(STORIES, aStory({ name: 'c', status: { status: 'DONE' } }))
    await sync()
    assert.equal(epic()?.status?.conditions?.[0]?.message, '1 of 2 stories are DONE')
  })
})
