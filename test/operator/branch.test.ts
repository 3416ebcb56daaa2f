import assert from 'node:assert/strict'
import type { Task } from '../../core/crd/types.ts'
import { AGENTS, LEASES, PROJECTS, STORIES, TASKS } from '../../kube/resources.ts'
import { isConflict } from '../../kube/types.ts'
import { applyStep } from '../../operator/apply.ts'
import { observeTask } from '../../operator/task/observe.ts'
import { reconcileTask } from '../../operator/task/reconcile.ts'
import { aProject, aStory, aTask, anAgent, NAMESPACE } from '../helpers/build.ts'
import { type World, openWorld } from './world.ts'

describe('the branch that tasks of a story share', () => {
  let world: World
  beforeEach(async () => {
    world = await openWorld()
    for (const name of ['one', 'two']) world.kube.put(AGENTS, anAgent({ name }))
    world.kube.put(STORIES, aStory())
  })
  afterEach(() => world.close())

  const queue = (name: string, agent: string, spec: Partial<Task['spec']> = { storyId: 'story-a' }): void => {
    const status = { state: 'QUEUED', queuedAt: '2026-01-01T00:00:00Z' } as const
    world.kube.put(TASKS, aTask({ name, spec: { agent: { type: agent }, ...spec }, status }))
  }
  const branches = () => world.kube.all(LEASES).filter(({ metadata }) => metadata.name.startsWith('slipway-branch-'))
  const writer = (): string | undefined => branches()[0]?.spec?.holderIdentity || undefined
  const state = (name: string): string | undefined => world.task(name).status?.state

  it('is written by one at a time, whatever agents they have, and the next starts when it is free', async () => {
    queue('task-a', 'one')
    queue('task-b', 'two')
    await world.sync()
    assert.deepEqual([state('task-a'), state('task-b'), writer()], ['RUNNING', 'QUEUED', 'task-a-1'])
    const words = 'branch story/story-a of git.example/repo is written by task-a'
    assert.equal(world.context.scheduling.formatWaitMessage(world.task('task-b'), world.clock.now()), words)
    assert.equal(world.task('task-b').status?.waitingFor, words)
    const told: string[] = []
    world.context.scheduling.onEffects(({ tasks }) => void told.push(...tasks))
    await world.endJob('task-a-1-run')
    await world.sync()
    assert.deepEqual([state('task-a'), state('task-b'), writer()], ['READY', 'RUNNING', 'task-b-1'])
    assert.ok(told.includes('task-b'), 'nobody told task-b that its branch is free')
    await world.endJob('task-b-1-run')
    await world.sync()
    assert.equal(writer(), undefined)
  })

  it('is not written by a second task while its Lease, deleted by hand, is gone', async () => {
    queue('task-a', 'one')
    await world.sync()
    for (const { metadata } of branches()) await world.kube.delete(LEASES, metadata)
    queue('task-b', 'two')
    await world.sync()
    assert.deepEqual([state('task-a'), state('task-b')], ['RUNNING', 'QUEUED'])
    await world.endJob('task-a-1-run')
    await world.sync()
    assert.deepEqual([state('task-a'), state('task-b'), writer()], ['READY', 'RUNNING', 'task-b-1'])
  })

  it('keeps no slot from others: who waits for it holds none and stands in no line', async () => {
    queue('task-a', 'one')
    await world.sync()
    queue('task-b', 'two')
    queue('task-c', 'two', {})
    await world.sync()
    assert.deepEqual([state('task-b'), state('task-c')], ['QUEUED', 'RUNNING'])
    assert.equal(world.holderOf('slipway-slot-two-1'), 'task-c-1')
  })

  it('is the same in whatever form the repository is named, and another in another repository', async () => {
    queue('task-a', 'one', { storyId: 'story-a', repositoryUrl: 'git@git.example:Repo' })
    queue('task-b', 'two')
    await world.sync()
    assert.deepEqual([state('task-a'), state('task-b')], ['RUNNING', 'QUEUED'])
    queue('task-b', 'two', { storyId: 'story-a', repositoryUrl: 'https://git.example/other.git' })
    await world.sync()
    assert.equal(state('task-b'), 'RUNNING')
  })

  it("is known of a task that names no repository by its story's project", async () => {
    world.kube.put(PROJECTS, aProject())
    world.kube.put(STORIES, aStory({ spec: { projectId: 'project-a' } }))
    const { repositoryUrl: _, ...spec } = aTask({ spec: { storyId: 'story-a', agent: { type: 'one' } } }).spec
    const status = { state: 'QUEUED', queuedAt: '2026-01-01T00:00:00Z' } as const
    world.kube.put(TASKS, { ...aTask({ status }), spec })
    queue('task-b', 'two')
    await world.sync()
    assert.deepEqual([state('task-a'), state('task-b')], ['RUNNING', 'QUEUED'])
  })

  it('is not guarded where a task has one of its own', async () => {
    queue('task-a', 'one', {})
    await world.sync()
    assert.deepEqual([state('task-a'), branches()], ['RUNNING', []])
  })

  describe('taken by a start that got no slot', () => {
    /** An operator decided to start task-a, took the branch, and was too slow; its agent was drained meanwhile. */
    async function stall(): Promise<() => Promise<void>> {
      queue('task-a', 'one')
      const key = { namespace: NAMESPACE, name: 'task-a' }
      const seen = await observeTask(world.context, key)
      assert.ok(seen)
      const { actions } = reconcileTask(seen)
      const taken = actions.findIndex(({ kind }) => kind === 'takeBranch')
      await applyStep(world.context, actions.slice(taken, taken + 1))
      assert.equal(writer(), 'task-a-1')
      const drained = { since: '2026-01-01T00:00:00Z', reason: 'it failed' }
      world.kube.put(AGENTS, anAgent({ name: 'one', status: { drained } }))
      return () => applyStep(world.context, actions.slice(taken + 1))
    }

    it('is freed for others, and the task keeps its place and its agent', async () => {
      await stall()
      queue('task-b', 'two')
      await world.sync()
      assert.deepEqual([state('task-a'), state('task-b'), writer()], ['QUEUED', 'RUNNING', 'task-b-1'])
      assert.equal(world.task('task-a').status?.agent?.type, 'one')
    })

    it('is not written by that start any more, should its operator wake up later', async () => {
      const wakeUp = await stall()
      queue('task-b', 'two')
      await world.sync()
      await assert.rejects(wakeUp(), isConflict)
      await world.sync()
      assert.deepEqual([state('task-a'), world.job('task-a-1-run')], ['QUEUED', undefined])
      assert.equal(world.holderOf('slipway-slot-one-1'), undefined)
    })

    it('is used by the same task as soon as its agent takes work again', async () => {
      await stall()
      await world.sync()
      world.kube.put(AGENTS, anAgent({ name: 'one' }))
      await world.sync()
      assert.deepEqual([state('task-a'), writer()], ['RUNNING', world.task('task-a').status?.execution])
    })
  })

  describe('with a start that was interrupted behind its slot', () => {
    /** An operator took the slot and made the execution; the task was suspended before it could write RUNNING. */
    const interrupt = async (): Promise<void> => {
      queue('task-a', 'one', {})
      const seen = await observeTask(world.context, { namespace: NAMESPACE, name: 'task-a' })
      assert.ok(seen)
      const { actions } = reconcileTask(seen)
      const written = actions.findIndex(({ kind }) => kind === 'writeTask')
      await applyStep(world.context, actions.slice(0, written))
      assert.equal(world.holderOf('slipway-slot-one-1'), 'task-a-1')
      queue('task-a', 'one', { suspend: true })
    }

    it('frees the slot for others when its task may not start any more', async () => {
      await interrupt()
      queue('task-b', 'one', {})
      await world.sync()
      assert.deepEqual([state('task-a'), state('task-b')], ['QUEUED', 'RUNNING'])
      assert.equal(world.holderOf('slipway-slot-one-1'), 'task-b-1')
    })

    it('starts the task under the next number when it may again', async () => {
      await interrupt()
      await world.sync()
      world.kube.put(TASKS, { ...world.task('task-a'), spec: { ...world.task('task-a').spec, suspend: false } })
      await world.sync()
      assert.deepEqual([state('task-a'), world.holderOf('slipway-slot-one-1')], ['RUNNING', 'task-a-2'])
    })
  })
})
