import assert from 'node:assert/strict'
import { access, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TaskStatus } from '../../core/crd/types.ts'
import { AGENTS, EXECUTIONS, JOBS, LEASES, PODS, STORIES, TASKS } from '../../kube/resources.ts'
import { NotStable } from '../../operator/reconcile-until-stable.ts'
import { syncTask } from '../../operator/task/sync.ts'
import { syncAgent } from '../../operator/agent/controller.ts'
import { aJob, aPod, aStory, aTask, anAgent, NAMESPACE } from '../helpers/build.ts'
import type { World } from './world.ts'
import { openWorld, runSpecOf, syncOnce } from './world.ts'

const QUEUED: TaskStatus = { state: 'QUEUED', queuedAt: '2026-01-01T00:00:00Z' }
const FAILURE = { outcome: 'failed', pushed: false, error: { category: 'failed', message: 'boom' } } as const

describe('the operator', () => {
  let world: World
  beforeEach(async () => {
    world = await openWorld()
    world.kube.put(AGENTS, anAgent())
  })
  afterEach(() => world.close())

  const given = (parts: Parameters<typeof aTask>[0]) => world.kube.put(TASKS, aTask(parts))
  const annotate = (name: string, annotations: Record<string, string>) => {
    const task = world.task(name)
    world.kube.put(TASKS, { ...task, metadata: { ...task.metadata, annotations } })
  }
  const reason = (name = 'task-a') =>
    world.task(name).status?.conditions?.map(({ type, reason }) => `${type} ${reason}`)

  it('queues an Auto task once, and after a reject waits for a person', async () => {
    given({ spec: { runPolicy: 'Auto' } })
    await world.sync()
    await world.endJob('task-a-1-run')
    await world.sync()
    annotate('task-a', { 'slipway.dev/action': 'reject', 'slipway.dev/comment': 'not so' })
    await world.sync()
    const { status, metadata } = world.task()
    assert.deepEqual([status?.state, status?.rejectionComment, metadata.annotations], ['PENDING', 'not so', {}])
  })

  it('starts nothing by itself in a DONE story: neither an Auto task nor an attempt that is due', async () => {
    world.kube.put(STORIES, aStory({ name: 'over', status: { status: 'DONE' } }))
    const spec = { storyId: 'over' }
    given({ name: 'auto', spec: { ...spec, runPolicy: 'Auto' } })
    given({ name: 'due', spec, status: { state: 'FAILED', resumeAfter: '2026-01-01T00:00:00Z' } })
    await world.sync('auto', 'due')
    assert.deepEqual(
      ['auto', 'due'].map((name) => world.task(name).status?.state),
      ['PENDING', 'FAILED'],
    )
    assert.deepEqual(reason('auto'), ['Stalled StoryDone'])
  })

  it('lets a Manual task wait for run, and runs it by annotation', async () => {
    given({})
    await world.sync()
    assert.equal(world.task().status?.state, 'PENDING')
    const seen = world.task().metadata.resourceVersion
    await world.sync()
    assert.equal(world.task().metadata.resourceVersion, seen, 'the first state is written once')
    annotate('task-a', { 'slipway.dev/action': 'run' })
    await world.sync()
    assert.equal(world.task().status?.state, 'RUNNING')
  })

  it('runs failed dependencies first when a task is run', async () => {
    given({ name: 'dep', status: { state: 'FAILED', executions: 1 } })
    given({ spec: { dependsOn: ['dep'] } })
    annotate('task-a', { 'slipway.dev/action': 'run' })
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
    given({ status: { state: 'FAILED', agent: { type: 'script' }, executions: 1, resumeAfter } })
    await world.sync()
    assert.equal(world.task().status?.state, 'FAILED')
    put(true)
    await world.sync()
    assert.equal(world.task().status?.state, 'RUNNING')
  })

  it('says that a task is Stalled while its dependency does not exist, and mends it when it does', async () => {
    given({ spec: { dependsOn: ['later'] }, status: QUEUED })
    await world.sync()
    assert.deepEqual(reason(), ['Stalled UnknownDependency'])
    given({ name: 'later', status: { state: 'READY' } })
    await world.sync()
    assert.equal(world.task().status?.state, 'RUNNING')
  })

  it('drains the agent at the third failure in a row, asks on that task, and undrains by annotation', async () => {
    for (const name of ['a', 'b', 'c', 'd']) {
      given({ name, status: { ...QUEUED } })
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
      metadata: { ...agent.metadata, annotations: { 'slipway.dev/action': 'undrain' } },
    })
    await syncAgent(world.context, { namespace: NAMESPACE, name: 'script' })
    assert.equal(world.task('c').status?.question, undefined)
    assert.deepEqual(
      world.kube.all(AGENTS)[0]?.status?.decisions?.map(({ action, by }) => [action, by]),
      [['undrain', 'kubectl (annotation)']],
    )
    await world.sync()
    assert.equal(world.task('d').status?.state, 'RUNNING')
  })

  it('cancels a RUNNING task by deleting its Job, and frees the slot only when the pod has ended', async () => {
    given({ status: QUEUED })
    await world.sync()
    const pod = world.kube.put(PODS, aPod({ job: 'task-a-1-run', status: { phase: 'Running' } }))
    annotate('task-a', { 'slipway.dev/action': 'cancel' })
    await world.sync()
    assert.equal(world.job('task-a-1-run'), undefined)
    assert.deepEqual([world.task().status?.state, world.holderOf('slipway-slot-script-1')], ['RUNNING', 'task-a-1'])
    world.kube.put(PODS, { ...pod, status: { phase: 'Failed' } })
    await world.sync()
    assert.deepEqual([world.task().status?.state, world.holderOf('slipway-slot-script-1')], ['CANCELLED', undefined])
  })

  it('makes no second Job while its caches have yet to hear of the first', async () => {
    given({ status: QUEUED })
    const { views } = world.context
    const deaf = { get: () => undefined, list: () => [], byIndex: () => [] }
    const context = {
      ...world.context,
      views: { ...views, jobs: { ...views.jobs, ...deaf }, pods: { ...views.pods, ...deaf } },
    }
    await syncOnce(context, 'task-a')
    world.kube.put(PODS, aPod({ status: { phase: 'Pending' } }))
    await syncOnce(context, 'task-a')
    assert.deepEqual(
      world.kube.all(JOBS).map(({ metadata }) => metadata.name),
      ['task-a-1-run'],
    )
    assert.equal(world.task().status?.state, 'RUNNING')
  })

  it('records the steps of a running pod once, and writes nothing while they stay as they are', async () => {
    given({ status: QUEUED })
    await world.sync()
    const startedAt = world.clock.now().toISOString()
    const state = { running: { startedAt } }
    const initContainerStatuses = [{ name: 'prepare', state, ready: false, restartCount: 0, image: '', imageID: '' }]
    world.kube.put(PODS, aPod({ status: { initContainerStatuses } }))
    const writes: string[] = []
    world.kube.onWrite = (moment, write) => void (moment === 'before' && writes.push(write))
    await world.sync()
    await world.sync()
    assert.deepEqual(writes, ['status Execution task-a-1'])
    assert.deepEqual(world.execution('task-a-1')?.phases, [{ name: 'prepare', startedAt }])
  })

  it('holds the slot of a pod that does not end, and says which pod it is', async () => {
    given({ status: QUEUED })
    given({ name: 'task-b', status: { ...QUEUED, queuedAt: '2026-01-01T00:01:00Z' } })
    await world.sync()
    const deletionTimestamp = world.clock.now().toISOString()
    world.kube.put(
      PODS,
      aPod({ job: 'task-a-1-run', metadata: { deletionTimestamp, finalizers: ['x'] }, status: { phase: 'Running' } }),
    )
    await world.clock.advance(5 * 60_000)
    await world.sync()
    assert.equal(world.execution('task-a-1')?.error?.category, 'lost')
    assert.equal(world.holderOf('slipway-slot-script-1'), 'task-a-1')
    assert.equal(world.task('task-b').status?.state, 'QUEUED')
  })

  it('resumes a task whose pod was lost while the agent ran, at once, in the kept clone', async () => {
    given({ status: QUEUED })
    await world.sync()
    await world.endJob('task-a-1-run', { result: 'none' })
    const [pod] = world.kube.all(PODS)
    assert.ok(pod)
    const state = { terminated: { exitCode: 137, reason: 'Error', startedAt: '2026-01-01T00:00:00Z' } }
    const agent = { name: 'agent', state, ready: false, restartCount: 0, image: '', imageID: '' }
    world.kube.put(PODS, { ...pod, status: { phase: 'Failed', reason: 'Evicted', initContainerStatuses: [agent] } })
    await world.sync()
    const { status } = world.task()
    assert.deepEqual([status?.state, status?.attempts, status?.execution], ['RUNNING', 1, 'task-a-2'])
    const run = runSpecOf(world.job('task-a-2-run'))
    assert.deepEqual([run.keepClone, run.deliverOnly], [true, false])
  })

  it('repeats only the delivery when the push failed and the task is resumed', async () => {
    given({ status: QUEUED })
    await world.sync()
    const refused = { outcome: 'failed', pushed: false, error: { category: 'git', message: 'rejected' } } as const
    await world.endJob('task-a-1-run', { outcome: {}, result: refused })
    await world.sync()
    assert.deepEqual([world.task().status?.state, world.execution('task-a-1')?.agentOutcome], ['FAILED', 'succeeded'])
    annotate('task-a', { 'slipway.dev/action': 'resume' })
    await world.sync()
    assert.equal(runSpecOf(world.job('task-a-2-run')).deliverOnly, true)
  })

  it('logs in once more with fresh credentials, in a second Job of the same execution', async () => {
    given({ status: QUEUED })
    await world.sync()
    const auth = { outcome: 'failed', pushed: false, error: { category: 'auth', message: 'expired' } } as const
    await world.endJob('task-a-1-run', { result: auth })
    await world.sync()
    assert.deepEqual([world.execution('task-a-1')?.authRetried, world.execution('task-a-1')?.jobs], [true, 2])
    await world.endJob('task-a-1-run-2', { result: auth })
    await world.sync()
    assert.deepEqual([world.task().status?.state, world.task().status?.error?.category], ['FAILED', 'auth'])
  })

  it('goes on in its session after a login that was refused on the way, with what is left of the budget', async () => {
    given({ status: QUEUED, spec: { budgetUSD: 1 } })
    await world.sync()
    const auth = { outcome: 'failed', error: { category: 'auth', message: 'expired' }, sessionId: 's-1' } as const
    await world.endJob('task-a-1-run', { outcome: { ...auth, costUSD: 0.4 }, result: { ...auth, pushed: false } })
    await world.sync()
    const { agent, budgetUSD, keepClone, deliverOnly } = runSpecOf(world.job('task-a-1-run-2'))
    assert.deepEqual([agent.sessionId, budgetUSD, keepClone, deliverOnly], ['s-1', 0.6, true, false])
  })

  it('queues the subtasks of a parent that is done, and makes it READY after them', async () => {
    given({ name: 'child', spec: { parentTaskId: 'task-a' } })
    given({ status: QUEUED })
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

  it("fails a pod that does not start within ten minutes with the pod's reason", async () => {
    given({ status: QUEUED })
    await world.sync()
    const waiting = {
      name: 'prepare',
      state: { waiting: { reason: 'ErrImagePull' } },
      ready: false,
      restartCount: 0,
      image: '',
      imageID: '',
    }
    world.kube.put(PODS, aPod({ job: 'task-a-1-run', status: { phase: 'Pending', initContainerStatuses: [waiting] } }))
    await world.clock.advance(10 * 60_000)
    await world.sync()
    assert.equal(world.task().status?.error?.category, 'unavailable')
    assert.match(world.task().status?.error?.message ?? '', /ErrImagePull/)
    assert.equal(world.job('task-a-1-run'), undefined)
  })

  it("frees the slot of a pod whose agent's image cannot be had, ten minutes after prepare has ended", async () => {
    given({ status: QUEUED })
    await world.sync()
    const finishedAt = world.clock.now().toISOString()
    const ended = { terminated: { exitCode: 0, reason: 'Completed', startedAt: finishedAt, finishedAt } }
    const status = { ready: false, restartCount: 0, image: '', imageID: '' }
    const initContainerStatuses = [
      { ...status, name: 'prepare', state: ended },
      { ...status, name: 'agent', state: { waiting: { reason: 'ImagePullBackOff' } } },
    ]
    const initContainers = [{ name: 'agent', image: 'registry.example/agent:1', command: [], env: [] }]
    const spec = { containers: [], initContainers }
    const pod = world.kube.put(PODS, aPod({ job: 'task-a-1-run', spec, status: { initContainerStatuses } }))
    await world.clock.advance(10 * 60_000 - 1)
    await world.sync()
    assert.equal(world.task().status?.state, 'RUNNING')
    await world.clock.advance(1)
    await world.sync()
    assert.deepEqual(world.task().status?.error, {
      category: 'unavailable',
      message: 'step agent did not start within 10 minutes: ImagePullBackOff (image registry.example/agent:1)',
    })
    world.kube.put(PODS, { ...pod, status: { ...pod.status, phase: 'Failed' } })
    await world.sync()
    assert.equal(world.holderOf('slipway-slot-script-1'), undefined)
  })

  it('tells the next execution what a kept clone was made from when the first was killed before it could', async () => {
    given({ status: QUEUED })
    await world.sync()
    const baseCommit = 'a'.repeat(40)
    const prepared = join(world.volumeRoot, 'executions/task-a-1/prepared.json')
    await writeFile(prepared, JSON.stringify({ schemaVersion: 1, baseCommit }))
    const startedAt = '2026-01-01T00:00:00Z'
    const killed = { terminated: { exitCode: 137, startedAt, finishedAt: startedAt } }
    const agent = { name: 'agent', ready: false, restartCount: 0, image: '', imageID: '', state: killed }
    await world.endJob('task-a-1-run', { result: 'none' })
    world.kube.put(PODS, aPod({ job: 'task-a-1-run', status: { phase: 'Failed', initContainerStatuses: [agent] } }))
    await world.sync()
    const { keepClone, baseCommit: told } = runSpecOf(world.job('task-a-2-run'))
    assert.deepEqual([keepClone, told], [true, baseCommit])
  })

  it('starts nothing beside an execution whose Lease was deleted by hand', async () => {
    given({ status: QUEUED })
    await world.sync()
    const [lease] = world.kube.all(LEASES)
    assert.ok(lease)
    await world.kube.delete(LEASES, lease.metadata)
    given({ name: 'task-b', status: QUEUED })
    await world.sync()
    assert.equal(world.task('task-b').status?.state, 'QUEUED')
    await world.endJob('task-a-1-run')
    await world.sync()
    assert.deepEqual([world.task().status?.state, world.task('task-b').status?.state], ['READY', 'RUNNING'])
  })

  it('keeps the Job of an ended execution for an hour, then deletes it', async () => {
    given({ status: QUEUED })
    await world.sync()
    await world.endJob('task-a-1-run')
    await world.sync()
    await world.clock.advance(3_599_000)
    await world.sync()
    assert.notEqual(world.job('task-a-1-run'), undefined)
    await world.clock.advance(1_000)
    await world.sync()
    assert.equal(world.job('task-a-1-run'), undefined)
    assert.equal(world.task().status?.state, 'READY')
  })

  it('fails a look that goes in circles, so that it is tried again with a back-off', async () => {
    given({ status: QUEUED })
    const { client } = world.context
    const forgetful = { ...client, replaceStatus: (_: unknown, object: object) => Promise.resolve(object) }
    const context = { ...world.context, client: forgetful as typeof client }
    await assert.rejects(syncTask(context, { namespace: NAMESPACE, name: 'task-a' }), NotStable)
  })

  it('finishes a task whose Execution was deleted while it ran', async () => {
    given({ spec: { maxAttempts: 1 }, status: { ...QUEUED, attempts: 1 } })
    await world.sync()
    await world.kube.delete(EXECUTIONS, { namespace: NAMESPACE, name: 'task-a-1' })
    await world.kube.delete(JOBS, { namespace: NAMESPACE, name: 'task-a-1-run' })
    await world.sync()
    assert.deepEqual([world.task().status?.state, world.task().status?.error?.category], ['FAILED', 'lost'])
    assert.equal(world.holderOf('slipway-slot-script-1'), undefined)
  })

  it('gives back a slot that a deleted task left, but not while a pod of it may run', async () => {
    const lease = {
      metadata: { name: 'slipway-slot-script-1', namespace: NAMESPACE, labels: { 'slipway.dev/agent': 'script' } },
    }
    world.kube.put(LEASES, { ...lease, spec: { holderIdentity: 'gone-1' } })
    const job = world.kube.put(JOBS, aJob({ execution: 'gone-1' }))
    await world.sync('gone')
    assert.equal(world.holderOf('slipway-slot-script-1'), 'gone-1')
    world.kube.put(JOBS, { ...job, status: { conditions: [{ type: 'FailureTarget', status: 'True' }] } })
    await world.sync('gone')
    assert.equal(world.holderOf('slipway-slot-script-1'), 'gone-1')
    world.kube.put(JOBS, { ...job, status: { conditions: [{ type: 'Failed', status: 'True' }] } })
    await world.sync('gone')
    assert.equal(world.holderOf('slipway-slot-script-1'), undefined)
  })

  it('writes the script verbatim, and removes the clone once the work is READY', async () => {
    given({ spec: { agent: { type: 'script', instructions: 'echo one\n# two\n' } }, status: QUEUED })
    await world.sync()
    assert.equal(await readFile(join(world.volumeRoot, 'executions/task-a-1/prompt.md'), 'utf8'), 'echo one\n# two\n')
    await world.endJob('task-a-1-run')
    await access(join(world.volumeRoot, 'sandboxes/task-a/repo'))
    await world.sync()
    await assert.rejects(access(join(world.volumeRoot, 'sandboxes/task-a/repo')), { code: 'ENOENT' })
  })
})
