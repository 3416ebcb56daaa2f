import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { AgentSpec, ExecutionSpec, ExecutionStatus } from '../../core/crd/types.ts'
import { makeBranchDelivery } from '../../core/story/approval.ts'
import { AGENTS, EXECUTIONS, JOBS, LEASES, PROJECTS, STORIES, TASKS } from '../../kube/resources.ts'
import { anAgent, anExecution, aProject, aStory, aTask } from '../helpers/build.ts'
import { type World, openWorld, runSpecOf } from './world.ts'

const LEASE = 'slipway-query-claude'

describe('a query', () => {
  let world: World

  beforeEach(async () => {
    world = await openWorld({ allowUnsandboxed: true })
    putAgent()
  })
  afterEach(() => world.close())

  const putAgent = (spec: Partial<AgentSpec> = {}) =>
    void world.kube.put(AGENTS, anAgent({ name: 'claude', spec: { adapter: 'claude', credentials: {}, ...spec } }))
  const agent = () => world.kube.all(AGENTS).find(({ metadata }) => metadata.name === 'claude')

  function ask(name: string, spec: Partial<ExecutionSpec> = {}, second = 0): void {
    const metadata = { creationTimestamp: `2026-01-01T00:00:0${second}Z` }
    const { taskRef: _, attempt: __, ...rest } = anExecution().spec
    const wanted = { ...rest, agent: 'claude', purpose: 'Elaborate', answerSchema: 'TaskDraft', ...spec } as const
    world.kube.put(EXECUTIONS, { ...anExecution({ name, metadata }), spec: wanted })
  }
  const cancel = (name: string) => {
    const found = world.kube.all(EXECUTIONS).find(({ metadata }) => metadata.name === name)
    const status: ExecutionStatus = { ...found?.status, cancelRequestedAt: world.clock.now().toISOString() }
    world.kube.put(EXECUTIONS, { ...(found ?? anExecution()), status })
  }
  const stateOf = (name: string) => world.execution(name)?.state
  const outcome = { answer: 'Usable' } as const
  /** As an operator of before the rename would have made it. */
  async function renameLease(from: string, to: string): Promise<void> {
    const lease = world.kube.all(LEASES).find(({ metadata }) => metadata.name === from)
    assert.ok(lease !== undefined)
    await world.kube.delete(LEASES, lease.metadata)
    world.kube.put(LEASES, { ...lease, metadata: { ...lease.metadata, name: to } })
  }

  it('takes its Lease, runs three steps with reading tools, and gives the Lease back at the end', async () => {
    world.kube.put(PROJECTS, aProject())
    ask('elaborate-a', { projectRef: { name: 'project-a' } })
    await world.sync()
    assert.equal(world.holderOf(LEASE), 'elaborate-a')
    const job = world.job('elaborate-a-run')
    const run = runSpecOf(job)
    assert.deepEqual(
      [run.answerSchema, run.repositoryUrl, run.timeoutSeconds, run.agent.allowedTools],
      ['TaskDraft', 'https://git.example/repo.git', 300, ['Read', 'Grep', 'Glob', 'LS']],
    )
    assert.deepEqual(
      job?.spec.template.spec.initContainers?.map(({ name }) => name),
      ['prepare', 'agent'],
    )
    await world.endJob('elaborate-a-run', { result: { pushed: false, ...outcome }, outcome })
    await world.sync()
    assert.deepEqual([stateOf('elaborate-a'), world.execution('elaborate-a')?.answer], ['COMPLETED', 'Usable'])
    assert.equal(world.holderOf(LEASE), undefined)
    assert.deepEqual(readdirSync(join(world.volumeRoot, 'sandboxes')), [])
  })

  it('is kept with its files for the time that it names, and then gone', async () => {
    ask('elaborate-a', { ttlSecondsAfterFinished: 60 })
    await world.sync()
    await world.endJob('elaborate-a-run', { outcome })
    await world.sync()
    await world.clock.advance(59_000)
    await world.sync()
    assert.equal(stateOf('elaborate-a'), 'COMPLETED')
    await world.clock.advance(2000)
    await world.sync()
    assert.equal(world.kube.all(EXECUTIONS).length, 0)
    assert.ok(!existsSync(join(world.volumeRoot, 'executions/elaborate-a')))
  })

  it('waits for another one of its agent; the older goes first', async () => {
    ask('elaborate-a', {}, 0)
    await world.sync()
    ask('elaborate-c', {}, 2)
    ask('elaborate-b', {}, 1)
    await world.sync()
    assert.deepEqual(['elaborate-a', 'elaborate-b', 'elaborate-c'].map(stateOf), ['RUNNING', undefined, undefined])
    await world.endJob('elaborate-a-run', { outcome })
    await world.sync()
    assert.deepEqual(['elaborate-b', 'elaborate-c'].map(stateOf), ['RUNNING', undefined])
  })

  it('waits for one that holds the Lease by its former name, and takes the new name once that is given back', async () => {
    ask('elaborate-a', {}, 0)
    await world.sync()
    await renameLease(LEASE, 'slipway-aside-claude')
    ask('elaborate-b', {}, 1)
    await world.sync()
    assert.deepEqual(['elaborate-a', 'elaborate-b'].map(stateOf), ['RUNNING', undefined])
    await world.endJob('elaborate-a-run', { outcome })
    await world.sync()
    assert.deepEqual([stateOf('elaborate-a'), stateOf('elaborate-b')], ['COMPLETED', 'RUNNING'])
    assert.deepEqual([world.holderOf('slipway-aside-claude'), world.holderOf(LEASE)], [undefined, 'elaborate-b'])
  })

  it('does not wait for a task of its agent, nor a task for it', async () => {
    world.kube.put(TASKS, aTask({ spec: { agent: { type: 'claude' } }, status: { state: 'QUEUED' } }))
    ask('elaborate-a')
    await world.sync()
    assert.deepEqual([stateOf('elaborate-a'), world.task().status?.state], ['RUNNING', 'RUNNING'])
  })

  it('runs in the slot of an agent whose login is renewed by its CLI', async () => {
    putAgent({ credentials: { writeBack: true } })
    world.kube.put(TASKS, aTask({ spec: { agent: { type: 'claude' } }, status: { state: 'QUEUED' } }))
    await world.sync()
    ask('elaborate-a')
    await world.sync()
    assert.deepEqual([stateOf('elaborate-a'), world.holderOf('slipway-slot-claude-1')], [undefined, 'task-a-1'])
    await world.endJob('task-a-1-run')
    await world.sync()
    assert.deepEqual([stateOf('elaborate-a'), world.holderOf('slipway-slot-claude-1')], ['RUNNING', 'elaborate-a'])
  })

  it('waits until the limit of its agent is over', async () => {
    const rateLimitedUntil = new Date(world.clock.now().getTime() + 60_000).toISOString()
    world.kube.put(AGENTS, { ...(agent() ?? anAgent()), status: { rateLimitedUntil } })
    ask('elaborate-a')
    await world.sync()
    assert.equal(stateOf('elaborate-a'), undefined)
    await world.clock.advance(61_000)
    await world.sync()
    assert.equal(stateOf('elaborate-a'), 'RUNNING')
  })

  it('tells its agent of the limit that it met, and nothing else of its failures', async () => {
    ask('elaborate-a')
    await world.sync()
    const error = { category: 'rate_limit', message: '429' } as const
    await world.endJob('elaborate-a-run', { result: { outcome: 'failed', error, pushed: false } })
    await world.sync()
    assert.equal(stateOf('elaborate-a'), 'FAILED')
    const { rateLimitedUntil, outcomes, events } = agent()?.status ?? {}
    assert.equal(rateLimitedUntil, new Date(world.clock.now().getTime() + 60_000).toISOString().replace('.000', ''))
    assert.deepEqual([outcomes, events?.map(({ kind }) => kind)], [undefined, ['rate_limited']])
    await world.sync()
    assert.equal(agent()?.status?.events?.length, 1)
  })

  it('ends without a Job when it is cancelled while it waits', async () => {
    ask('elaborate-a')
    cancel('elaborate-a')
    await world.sync()
    assert.deepEqual([stateOf('elaborate-a'), world.job('elaborate-a-run')], ['CANCELLED', undefined])
  })

  it('ends with its Job when it is cancelled while it runs', async () => {
    ask('elaborate-a')
    await world.sync()
    cancel('elaborate-a')
    await world.sync()
    assert.deepEqual(
      [stateOf('elaborate-a'), world.job('elaborate-a-run'), world.holderOf(LEASE)],
      ['CANCELLED', undefined, undefined],
    )
  })

  it('fails at once, saying why, when its agent does not exist', async () => {
    ask('elaborate-a', { agent: 'nobody' })
    await world.sync()
    assert.deepEqual(world.execution('elaborate-a')?.error, {
      category: 'unavailable',
      message: 'agent nobody does not exist',
    })
  })

  it('works in an empty folder where there is no repository', async () => {
    ask('classify-a', { purpose: 'Classify', answerSchema: 'Classification' })
    await world.sync()
    assert.equal(runSpecOf(world.job('classify-a-run')).repositoryUrl, '')
  })

  it('leaves nothing behind when it is deleted while it runs, once its pod has ended', async () => {
    ask('elaborate-a')
    await world.sync()
    const [gone] = world.kube.all(EXECUTIONS)
    await world.kube.delete(EXECUTIONS, gone?.metadata ?? { name: '' })
    ask('elaborate-b')
    await world.sync('task-a')
    await world.syncQuery('elaborate-a')
    assert.equal(world.holderOf(LEASE), 'elaborate-a')
    await world.sweep()
    assert.equal(readdirSync(join(world.volumeRoot, 'sandboxes')).length, 2)
    await world.endJob('elaborate-a-run', { outcome })
    // As the collector does with what the execution owned.
    await world.kube.delete(JOBS, world.job('elaborate-a-run')?.metadata ?? { name: '' })
    await world.syncQuery('elaborate-a')
    await world.sweep()
    for (const parent of ['executions', 'sandboxes']) assert.deepEqual(readdirSync(join(world.volumeRoot, parent)), [])
    await world.sync()
    assert.equal(world.holderOf(LEASE), 'elaborate-b')
  })
})

describe('a delivery', () => {
  it('has one step, no agent and no Lease of one, and shows what it brought about', async () => {
    const world = await openWorld()
    try {
      const project = aProject()
      const decisions = [{ action: 'approve', by: 'ann', at: '2026-01-01T00:00:00Z' }] as const
      const story = aStory({ spec: { projectId: 'project-a' }, status: { status: 'BACKLOG', decisions } })
      world.kube.put(PROJECTS, project)
      world.kube.put(STORIES, story)
      const { remoteUrl, defaultBranch: base } = project.spec
      const execution = makeBranchDelivery(story, { project: 'project-a', remoteUrl, base })
      world.kube.put(EXECUTIONS, { ...execution, metadata: { ...execution.metadata, uid: 'uid-delivery' } })
      await world.sync()
      const job = world.job('deliver-story-a-run')
      const { initContainers, containers } = job?.spec.template.spec ?? {}
      assert.deepEqual([initContainers, containers?.map(({ name }) => name)], [undefined, ['deliver']])
      assert.deepEqual(runSpecOf(job).delivery, execution.spec.delivery)
      await world.endJob('deliver-story-a-run', { result: { pushed: true, delivered: { commit: 'a'.repeat(40) } } })
      await world.sync()
      const { state, delivered } = world.execution('deliver-story-a') ?? {}
      assert.deepEqual([state, delivered], ['COMPLETED', { commit: 'a'.repeat(40) }])
    } finally {
      await world.close()
    }
  })
})
