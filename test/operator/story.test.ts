import assert from 'node:assert/strict'
import { AGENTS, PROJECTS, STORIES, STORY_EVENTS, TASKS } from '../../kube/resources.ts'
import { syncStory } from '../../operator/story/controller.ts'
import { anAgent, aProject, aStory, aTask, NAMESPACE, REVIEWED } from '../helpers/build.ts'
import { type World, openWorld, runSpecOf } from './world.ts'

describe('the operator and a story', () => {
  let world: World
  beforeEach(async () => void (world = await openWorld()))
  afterEach(() => world.close())
  const sync = () => syncStory(world.context, { namespace: NAMESPACE, name: 'story-a' })
  const story = () => world.kube.all(STORIES)[0]

  it('counts its tasks and makes it SHIPPABLE, and writes nothing when nothing changed', async () => {
    world.kube.put(STORIES, aStory())
    const status = { state: 'READY', finishedAt: '2026-01-01T00:00:00Z' } as const
    world.kube.put(TASKS, aTask({ spec: { storyId: 'story-a' }, status }))
    await sync()
    assert.deepEqual([story()?.status?.status, story()?.status?.tasks], ['SHIPPABLE', { total: 1, done: 1 }])
    const version = story()?.metadata.resourceVersion
    await sync()
    assert.equal(story()?.metadata.resourceVersion, version)
  })

  it('opens it again for an older task that came to it after it was validated', async () => {
    const done = { state: 'READY', finishedAt: '2026-01-01T00:00:00Z' } as const
    const statusChangedAt = '2026-01-02T00:00:00Z'
    world.kube.put(STORIES, aStory({ status: { status: 'VALIDATING', statusChangedAt } }))
    world.kube.put(TASKS, aTask({ spec: { storyId: 'story-a' }, status: done }))
    const annotations = { 'slipway.dev/joined-story-at': '2026-01-03T00:00:00Z' }
    const metadata = { creationTimestamp: '2026-01-01T00:00:00Z', annotations }
    world.kube.put(TASKS, aTask({ name: 'late', metadata, spec: { storyId: 'story-a' } }))
    await sync()
    assert.deepEqual([story()?.status?.status, story()?.status?.tasks], ['IN_PROGRESS', { total: 2, done: 1 }])
  })

  it("runs a task that names no repository on its story's project", async () => {
    const remoteUrl = 'https://git.example/of-story.git'
    world.kube.put(AGENTS, anAgent())
    world.kube.put(PROJECTS, aProject({ spec: { remoteUrl } }))
    world.kube.put(STORIES, aStory({ spec: { projectId: aProject().metadata.name } }))
    const { repositoryUrl: _, ...spec } = aTask({ spec: { storyId: 'story-a' } }).spec
    const status = { state: 'QUEUED', queuedAt: '2026-01-01T00:00:00Z' } as const
    world.kube.put(TASKS, { ...aTask({ status }), spec })
    await world.sync()
    assert.deepEqual(
      [world.task().status?.state, runSpecOf(world.job('task-a-1-run')).repositoryUrl],
      ['RUNNING', remoteUrl],
    )
  })

  it('tells a task of it which pushes to their branch are of another task', async () => {
    const [theirs, own] = REVIEWED.pushes
    const spec = { storyId: 'story-a' }
    const status = { state: 'QUEUED', queuedAt: '2026-01-01T00:00:00Z', pushes: [own] } as const
    world.kube.put(AGENTS, anAgent())
    world.kube.put(STORIES, aStory({ status: { pushes: [theirs] } }))
    world.kube.put(TASKS, aTask({ spec, status }))
    await world.sync()
    const pushes = runSpecOf(world.job('task-a-1-run')).pushes?.map(({ head, isOwn }) => [head, isOwn])
    assert.deepEqual(pushes, [
      [theirs.head, false],
      [own.head, undefined],
    ])
  })

  it('accepts it by annotation, records human_accepted once, and removes the annotation', async () => {
    const annotations = { 'slipway.dev/action': 'accept' }
    world.kube.put(STORIES, aStory({ metadata: { annotations }, status: { status: 'REVIEW_READY' } }))
    for (let round = 0; round < 3; round++) await sync()
    assert.equal(story()?.status?.status, 'DONE')
    assert.deepEqual(story()?.metadata.annotations, {})
    assert.deepEqual(
      story()?.status?.decisions?.map(({ action, status, by }) => [action, status, by]),
      [['accept', 'DONE', 'kubectl (annotation)']],
    )
    assert.deepEqual(
      world.kube.all(STORY_EVENTS).map(({ spec }) => [spec.kind, spec.by]),
      [['human_accepted', 'kubectl (annotation)']],
    )
  })

  it('tells who accepted it by annotation, where admission policies prove the name', async () => {
    const proven = await openWorld({ admissionPolicies: true })
    const annotations = { 'slipway.dev/action': 'accept', 'slipway.dev/by': 'alice' }
    proven.kube.put(STORIES, aStory({ metadata: { annotations }, status: { status: 'REVIEW_READY' } }))
    for (let round = 0; round < 3; round++) await syncStory(proven.context, { namespace: NAMESPACE, name: 'story-a' })
    const [found] = proven.kube.all(STORIES)
    await proven.close()
    assert.deepEqual(found?.metadata.annotations, {})
    assert.deepEqual(
      [found?.status?.decisions?.[0]?.by, found?.status?.accepted?.by, proven.kube.all(STORY_EVENTS)[0]?.spec.by],
      ['alice', 'alice', 'alice'],
    )
    assert.deepEqual(
      proven.events.filter(({ reason }) => reason === 'Accept').map(({ message }) => message),
      ['story accepted by alice'],
    )
  })

  it('takes no run by annotation of its tasks once it is DONE', async () => {
    world.kube.put(STORIES, aStory({ status: { status: 'DONE' } }))
    const task = aTask({ spec: { storyId: 'story-a' }, status: { state: 'FAILED' } })
    for (const action of ['run', 'resume']) {
      const annotations = { 'slipway.dev/action': action }
      world.kube.put(TASKS, { ...task, metadata: { ...task.metadata, annotations } })
      await world.sync()
      const { status } = world.task()
      assert.deepEqual([status?.state, status?.lastAction?.refused], ['FAILED', 'story is DONE'], action)
    }
  })

  it('refuses an illegal move by annotation with an Event', async () => {
    const annotations = { 'slipway.dev/action': 'move', 'slipway.dev/status': 'DONE' }
    world.kube.put(STORIES, aStory({ metadata: { annotations }, status: { status: 'BACKLOG' } }))
    await sync()
    assert.equal(story()?.status?.lastAction?.refused, 'story cannot move from BACKLOG to DONE')
    assert.deepEqual(
      world.events.map(({ reason }) => reason),
      ['ActionRefused'],
    )
  })

  it('makes the event human_accepted that an API server stored the acceptance for and died before making', async () => {
    const accepted = { by: 'ann', at: '2026-01-01T00:00:00Z' }
    world.kube.put(STORIES, aStory({ status: { status: 'DONE', accepted } }))
    await sync()
    assert.deepEqual(
      world.kube.all(STORY_EVENTS).map(({ spec }) => spec),
      [{ storyId: 'story-a', kind: 'human_accepted', ...accepted }],
    )
  })

  it('gives the event of a story with the longest name a name that the schema takes', async () => {
    const uid = '0f8fad5b-d9cb-469f-a165-70867728950e'
    const accepted = { at: '2026-01-01T00:00:00Z' }
    world.kube.put(STORIES, aStory({ name: 'story-a', metadata: { uid }, status: { status: 'DONE', accepted } }))
    await sync()
    assert.ok((world.kube.all(STORY_EVENTS)[0]?.metadata.name.length ?? 99) <= 50)
  })

  it('is Stalled, and its tasks FAILED, with a branch that the configuration keeps for tasks, until one has worked on it', async () => {
    world.kube.put(AGENTS, anAgent())
    world.kube.put(STORIES, aStory({ spec: { branchName: 'slipway' } }))
    const status = { state: 'QUEUED', queuedAt: '2026-01-01T00:00:00Z' } as const
    world.kube.put(TASKS, aTask({ spec: { storyId: 'story-a' }, status }))
    await sync()
    const [claim] = story()?.status?.conditions ?? []
    assert.deepEqual([claim?.type, claim?.reason], ['Stalled', 'BranchReserved'])
    assert.match(claim?.message ?? '', /^branchName must not be slipway: .*branchPrefix/)
    await world.sync()
    assert.deepEqual(world.task().status?.error, { category: 'git', message: claim?.message })
    assert.equal(world.job('task-a-1-run'), undefined)
    world.kube.put(STORIES, aStory({ spec: { branchName: 'slipway' }, status: { branch: { name: 'slipway' } } }))
    await sync()
    assert.equal(story()?.status?.conditions?.[0]?.type, 'Ready')
  })

  it('is Stalled, and its tasks FAILED, with the default branch of its project, whatever has worked on it', async () => {
    world.kube.put(AGENTS, anAgent())
    world.kube.put(PROJECTS, aProject({ name: 'shop', spec: { defaultBranch: 'trunk' } }))
    const spec = { branchName: 'trunk', projectId: 'shop' }
    world.kube.put(STORIES, aStory({ spec, status: { branch: { name: 'trunk' } } }))
    const status = { state: 'QUEUED', queuedAt: '2026-01-01T00:00:00Z' } as const
    world.kube.put(TASKS, aTask({ spec: { storyId: 'story-a', project: 'shop' }, status }))
    await sync()
    const [claim] = story()?.status?.conditions ?? []
    const message = 'branchName: trunk is the default branch of project shop; name another branch'
    assert.deepEqual([claim?.type, claim?.reason, claim?.message], ['Stalled', 'BranchReserved', message])
    await world.sync()
    assert.deepEqual(world.task().status?.error, { category: 'git', message })
    assert.equal(world.job('task-a-1-run'), undefined)
  })
})
