import assert from 'node:assert/strict'
import { FINALIZER } from '../../core/names.ts'
import { AGENTS, EVENTS, EXECUTIONS, JOBS, STORIES, TASKS } from '../../kube/resources.ts'
import { type KubeClient, type KubeObject, type Resource, KubeError } from '../../kube/types.ts'
import { syncAgent } from '../../operator/agent/controller.ts'
import type { OperatorContext } from '../../operator/context.ts'
import { syncStory } from '../../operator/story/controller.ts'
import { syncTask } from '../../operator/task/sync.ts'
import { anAgent, anExecution, aStory, NAMESPACE, text } from '../helpers/build.ts'
import { type World, openWorld } from './world.ts'

const UNDRAIN = { 'slipway.dev/action': 'undrain' }
const RUN = { 'slipway.dev/action': 'run' }
const of = (name: string) => ({ namespace: NAMESPACE, name })

describe('what the API server refuses for good', () => {
  let world: World
  beforeEach(async () => {
    world = await openWorld({ allowUnsandboxed: true })
  })
  afterEach(() => world.close())

  const refuse = (resource: Resource<KubeObject>, code: number): Pick<KubeClient, 'mergePatch' | 'list'> => {
    const guard = (asked: Resource<KubeObject>): void => {
      if (asked.plural !== resource.plural) return
      throw new KubeError(code, code === 403 ? 'Forbidden' : 'Invalid', 'a policy lets nobody do that')
    }
    return {
      mergePatch: async (asked, ...rest) => (guard(asked), world.kube.mergePatch(asked, ...rest)),
      list: async (asked, ...rest) => (guard(asked), world.kube.list(asked, ...rest)),
    }
  }

  /** Looks again and again, a second later each time; counts what is written after the third look. */
  async function countWrites(refused: ReturnType<typeof refuse>, sync: (context: OperatorContext) => Promise<unknown>) {
    const context = { ...world.context, client: { ...world.kube, ...refused } }
    const writes: string[] = []
    world.kube.onWrite = (moment, write) => void (moment === 'before' && writes.push(write))
    for (let looks = 0; looks < 6; looks++) {
      if (looks === 3) writes.length = 0
      await world.clock.advance(1000)
      await sync(context).catch((error: unknown) => assert.ok(error instanceof KubeError, String(error)))
    }
    return writes
  }

  for (const code of [403, 422]) {
    it(`is with ${code} an agent's annotation that stays: its undrain is carried out once`, async () => {
      world.kube.put(AGENTS, anAgent({ metadata: { annotations: UNDRAIN } }))
      assert.deepEqual(await countWrites(refuse(AGENTS, code), (context) => syncAgent(context, of('script'))), [])
    })

    it(`is with ${code} a task's annotation that stays: it is run once`, async () => {
      world.kube.put(AGENTS, anAgent())
      world.given({ metadata: { annotations: RUN }, status: { state: 'FAILED' } })
      assert.deepEqual(await countWrites(refuse(TASKS, code), (context) => syncTask(context, of('task-a'))), [])
    })

    it(`is with ${code} a story's annotation that stays: it is refused once`, async () => {
      world.kube.put(STORIES, aStory({ metadata: { annotations: { 'slipway.dev/action': 'fly' } } }))
      assert.deepEqual(await countWrites(refuse(STORIES, code), (context) => syncStory(context, of('story-a'))), [])
    })
  }

  it('is taken again where a person removed the annotation, and set the same one later', async () => {
    world.kube.put(AGENTS, anAgent({ metadata: { annotations: UNDRAIN } }))
    const refused = { ...world.context, client: { ...world.kube, ...refuse(AGENTS, 403) } }
    await assert.rejects(syncAgent(refused, of('script')))
    const agent = world.kube.all(AGENTS)[0]
    assert.ok(agent)
    const { lastAction: first, ...status } = agent.status ?? {}
    assert.equal(first?.action, 'undrain')
    for (const annotations of [{}, UNDRAIN]) {
      world.kube.put(AGENTS, { ...agent, status, metadata: { ...agent.metadata, annotations } })
      await syncAgent(world.context, of('script'))
    }
    assert.equal(world.kube.all(AGENTS)[0]?.status?.lastAction?.action, 'undrain')
  })

  it('is taken again where the annotation has changed', async () => {
    world.kube.put(AGENTS, anAgent())
    world.given({ metadata: { annotations: RUN }, status: { state: 'FAILED' } })
    const refused = { ...world.context, client: { ...world.kube, ...refuse(TASKS, 422) } }
    await syncTask(refused, of('task-a'))
    await syncTask(refused, of('task-a'))
    assert.equal(world.task().status?.state, 'FAILED')
    world.annotate('task-a', { ...RUN, 'slipway.dev/agent': 'script' })
    await world.sync()
    assert.equal(world.task().status?.state, 'RUNNING')
    assert.equal(world.task().metadata.annotations?.['slipway.dev/action'], undefined)
  })

  it('is a look at why a pod is late: the task says one thing of it, once', async () => {
    world.kube.put(AGENTS, anAgent())
    world.given({ status: { state: 'QUEUED', queuedAt: '2026-01-01T00:00:00Z' } })
    await world.sync()
    const [execution] = world.kube.all(EXECUTIONS)
    assert.ok(execution)
    world.kube.put(EXECUTIONS, { ...execution, status: { ...execution.status, waitingFor: text('no room') } })
    const creationTimestamp = '2025-12-31T23:59:00Z'
    const [job] = world.kube.all(JOBS)
    assert.ok(job)
    world.kube.put(JOBS, { ...job, metadata: { ...job.metadata, creationTimestamp } })
    assert.deepEqual(await countWrites(refuse(EVENTS, 403), (context) => syncTask(context, of('task-a'))), [])
    assert.match(JSON.stringify(world.task().status?.conditions), /a policy lets nobody do that/)
    await syncTask(world.context, of('task-a'))
    await syncTask(world.context, of('task-a'))
    assert.match(JSON.stringify(world.task().status?.conditions), /"runs with agent script"/)
  })

  it('is the finalizer of an execution while its task waits in a queue: the task says one thing of it, once', async () => {
    const ended = anExecution({ status: { state: 'FAILED', finishedAt: '2026-01-01T00:00:00Z' } })
    world.kube.put(EXECUTIONS, {
      ...ended,
      metadata: { ...ended.metadata, finalizers: [FINALIZER] },
    })
    world.given({ status: { state: 'QUEUED', executions: 1, queuedAt: '2026-01-01T00:00:00Z' } })
    assert.deepEqual(await countWrites(refuse(EXECUTIONS, 403), (context) => syncTask(context, of('task-a'))), [])
    assert.match(JSON.stringify(world.task().status?.conditions), /a policy lets nobody do that/)
    await world.sync()
    assert.doesNotMatch(JSON.stringify(world.task().status?.conditions), /a policy/)
  })
})
