import assert from 'node:assert/strict'
import { STORIES, STORY_EVENTS, TASKS } from '../../kube/resources.ts'
import { settleStory } from '../../operator/story/controller.ts'
import { aStory, aTask, NAMESPACE } from '../helpers/build.ts'
import type { World } from './world.ts'
import { openWorld } from './world.ts'

describe('the operator and a story', () => {
  let world: World
  beforeEach(async () => void (world = await openWorld()))
  afterEach(() => world.close())
  const settle = () => settleStory(world.context, { namespace: NAMESPACE, name: 'story-a' })
  const story = () => world.kube.all(STORIES)[0]

  it('counts its tasks and makes it SHIPPABLE, and writes nothing when nothing changed', async () => {
    world.kube.put(STORIES, aStory())
    const status = { state: 'READY', finishedAt: '2026-01-01T00:00:00Z' } as const
    world.kube.put(TASKS, aTask({ spec: { storyId: 'story-a' }, status }))
    await settle()
    assert.deepEqual([story()?.status?.status, story()?.status?.tasks], ['SHIPPABLE', { total: 1, done: 1 }])
    const version = story()?.metadata.resourceVersion
    await settle()
    assert.equal(story()?.metadata.resourceVersion, version)
  })

  it('accepts it by annotation, records human_accepted once, and removes the annotation', async () => {
    const annotations = { 'slipway.dev/action': 'accept' }
    world.kube.put(STORIES, aStory({ metadata: { annotations }, status: { status: 'REVIEW_READY' } }))
    await settle()
    assert.equal(story()?.status?.status, 'DONE')
    assert.deepEqual(story()?.metadata.annotations, {})
    assert.deepEqual(
      world.kube.all(STORY_EVENTS).map(({ spec }) => spec.kind),
      ['human_accepted'],
    )
  })

  it('refuses an illegal move by annotation with an Event', async () => {
    const annotations = { 'slipway.dev/action': 'move', 'slipway.dev/status': 'DONE' }
    world.kube.put(STORIES, aStory({ metadata: { annotations }, status: { status: 'BACKLOG' } }))
    await settle()
    assert.equal(story()?.status?.lastAction?.refused, 'story cannot move from BACKLOG to DONE')
    assert.deepEqual(
      world.events.map(({ reason }) => reason),
      ['ActionRefused'],
    )
  })
})
