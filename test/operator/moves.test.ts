import assert from 'node:assert/strict'
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import type { TaskStatus } from '../../core/crd/types.ts'
import { AGENTS, JOBS, STORIES, TASKS } from '../../kube/resources.ts'
import { NotStable } from '../../operator/reconcile-until-stable.ts'
import { syncTask } from '../../operator/task/sync.ts'
import { syncAgent } from '../../operator/agent/controller.ts'
import { aStory, aTask, anAgent, NAMESPACE } from '../helpers/build.ts'
import { type World, openWorld, readGiven } from './world.ts'

const QUEUED: TaskStatus = { state: 'QUEUED', queuedAt: '2026-01-01T00:00:00Z' }
const FAILURE = { outcome: 'failed', pushed: false, error: { category: 'failed', message: 'boom' } } as const

describe('the operator moves tasks', () => {
  let world: World
  beforeEach(async () => {
    world = await openWorld()
    world.kube.put(AGENTS, anAgent())
  })
  afterEach(() => world.close())

  const reason = (name = 'task-a') =>
    world.task(name).status?.conditions?.map(({ type, reason }) => `${type} ${reason}`)

  it('queues an Auto task once, and after a reject waits for a person', async () => {
    world.given({ spec: { runPolicy: 'Auto' } })
    await world.sync()
    await world.endJob('task-a-1-run')
    await world.sync()
    world.annotate('task-a', { 'slipway.dev/action': 'reject', 'slipway.dev/comment': 'not so' })
    await world.sync()
    const { status, metadata } = world.task()
    assert.deepEqual([status?.state, status?.rejectionComment, metadata.annotations], ['PENDING', 'not so', {}])
  })

  it('starts nothing by itself in a DONE story: neither an Auto task nor an attempt that is due', async () => {
    world.kube.put(STORIES, aStory({ name: 'over', status: { status: 'DONE' } }))
    const spec = { storyId: 'over' }
    world.given({ name: 'auto', spec: { ...spec, runPolicy: 'Auto' } })
    world.given({ name: 'due', spec, status: { state: 'FAILED', resumeAfter: '2026-01-01T00:00:00Z' } })
    await world.sync('auto', 'due')
    assert.deepEqual(
      ['auto', 'due'].map((name) => world.task(name).status?.state),
      ['PENDING', 'FAILED'],
    )
    assert.deepEqual(reason('auto'), ['Stalled StoryDone'])
  })

  it('lets a Manual task wait for run, and runs it by annotation', async () => {
    world.given({})
    await world.sync()
    assert.equal(world.task().status?.state, 'PENDING')
    const seen = world.task().metadata.resourceVersion
    await world.sync()
    assert.equal(world.task().metadata.resourceVersion, seen, 'the first state is written once')
    world.annotate('task-a', { 'slipway.dev/action': 'run' })
    await world.sync()
    assert.equal(world.task().status?.state, 'RUNNING')
  })

  it('runs failed dependencies first when a task is run', async () => {
    world.given({ name: 'dep', status: { state: 'FAILED', executions: 1 } })
    world.given({ spec: { dependsOn: ['dep'] } })
    world.annotate('task-a', { 'slipway.dev/action': 'run' })
    await world.sync()
    assert.deepEqual([world.task('dep').status?.state, world.task().status?.state], ['RUNNING', 'QUEUED'])
    assert.deepEqual(reason(), ['Reconciling WaitingForDependencies'])
    await world.endJob('dep-2-run')
    await world.sync()
    assert.equal(world.task().status?.state, 'RUNNING')
  })

  it('leaves an automatic attempt alone while its agent does not resume by itself, and makes it when that changes', async () => {
    const [agent] = world.kube.all(AGENTS)
    assert.ok(agent)
    const put = (autoResume: boolean) => world.kube.put(AGENTS, { ...agent, spec: { ...agent.spec, autoResume } })
    put(false)
    const resumeAfter = '2020-01-01T00:00:00Z'
    world.given({ status: { state: 'FAILED', agent: { type: 'script' }, executions: 1, resumeAfter } })
    await world.sync()
    assert.equal(world.task().status?.state, 'FAILED')
    put(true)
    await world.sync()
    assert.equal(world.task().status?.state, 'RUNNING')
  })

  it('says that a task is Stalled while its dependency does not exist, and mends it when it does', async () => {
    world.given({ spec: { dependsOn: ['later'] }, status: QUEUED })
    await world.sync()
    assert.deepEqual(reason(), ['Stalled UnknownDependency'])
    world.given({ name: 'later', status: { state: 'READY' } })
    await world.sync()
    assert.equal(world.task().status?.state, 'RUNNING')
  })

  it('drains the agent at the third failure in a row, asks on that task, and undrains by annotation', async () => {
    for (const name of ['a', 'b', 'c', 'd']) {
      world.given({ name, status: { ...QUEUED } })
      await world.sync()
      if (name !== 'd') await world.endJob(`${name}-1-run`, { result: FAILURE })
      await world.sync()
    }
    assert.ok(world.task('c').status?.question)
    assert.equal(world.task('d').status?.state, 'QUEUED')
    assert.deepEqual(reason('d'), ['Reconciling AgentDrained'])
    const [agent] = world.kube.all(AGENTS)
    assert.ok(agent?.status?.drained)
    world.kube.put(AGENTS, {
      ...agent,
      metadata: { ...agent.metadata, annotations: { 'slipway.dev/action': 'undrain', 'slipway.dev/by': 'alice' } },
    })
    await syncAgent({ ...world.context, admissionPolicies: true }, { namespace: NAMESPACE, name: 'script' })
    assert.equal(world.task('c').status?.question, undefined)
    assert.deepEqual(
      world.kube.all(AGENTS)[0]?.status?.decisions?.map(({ action, by }) => [action, by]),
      [['undrain', 'alice']],
    )
    assert.deepEqual(world.kube.all(AGENTS)[0]?.metadata.annotations, {})
    await world.sync()
    assert.equal(world.task('d').status?.state, 'RUNNING')
  })

  it('queues the subtasks of a parent that is done, and makes it READY after them', async () => {
    world.given({ name: 'child', spec: { parentTaskId: 'task-a' } })
    world.given({ status: QUEUED })
    await world.sync()
    await world.endJob('task-a-1-run')
    await world.sync()
    assert.deepEqual([world.task().status?.state, world.task('child').status?.state], ['BLOCKED', 'RUNNING'])
    await world.endJob('child-1-run')
    await world.sync()
    assert.equal(world.task().status?.state, 'READY')
  })

  const failures: [string, Parameters<typeof aTask>[0], string, RegExp][] = [
    ['no repository', { spec: { repositoryUrl: '' } }, 'no_repository', /^task has no repository_url$/],
    ['a repository that does not exist', { spec: { repositoryUrl: '/nowhere/repo' } }, 'git', /does not exist/],
    ['an agent that nothing isolates', { spec: { agent: { type: 'claude' } } }, 'unavailable', /only in isolation/],
  ]
  for (const [title, parts, category, message] of failures) {
    it(`fails a task with ${title} before any Job is made, and counts nothing`, async () => {
      world.kube.put(AGENTS, anAgent({ name: 'claude', spec: { adapter: 'claude' } }))
      const { repositoryUrl, ...rest } = aTask(parts).spec
      const spec = repositoryUrl === '' ? rest : { ...rest, ...(repositoryUrl === undefined ? {} : { repositoryUrl }) }
      world.kube.put(TASKS, { ...aTask({ status: QUEUED }), spec })
      await world.sync()
      const { status } = world.task()
      assert.deepEqual([status?.state, status?.error?.category], ['FAILED', category])
      assert.match(status?.error?.message ?? '', message)
      assert.equal(world.kube.all(JOBS).length, 0)
      assert.equal(world.holderOf('slipway-slot-script-1'), undefined)
    })
  }

  it('fails a look that goes in circles, so that it is tried again with a back-off', async () => {
    world.given({ status: QUEUED })
    const { client } = world.context
    const forgetful = { ...client, replaceStatus: (_: unknown, object: object) => Promise.resolve(object) }
    const context = { ...world.context, client: forgetful as typeof client }
    await assert.rejects(syncTask(context, { namespace: NAMESPACE, name: 'task-a' }), NotStable)
  })

  it('writes the script verbatim, and removes the clone once the work is accepted', async () => {
    world.given({ spec: { agent: { type: 'script', instructions: 'echo one\n# two\n' } }, status: QUEUED })
    await world.sync()
    assert.equal((await readGiven(world, 'task-a-1')).prompt, 'echo one\n# two\n')
    await world.endJob('task-a-1-run')
    await world.sync()
    assert.equal(world.task().status?.workspace, join(world.volumeRoot, 'sandboxes/task-a'))
    await access(join(world.volumeRoot, 'sandboxes/task-a/repo'))
    world.annotate('task-a', { 'slipway.dev/action': 'accept' })
    await world.sync()
    assert.equal(world.task().status?.workspace, undefined)
    await world.sweep()
    await assert.rejects(access(join(world.volumeRoot, 'sandboxes/task-a/repo')), { code: 'ENOENT' })
  })
})
