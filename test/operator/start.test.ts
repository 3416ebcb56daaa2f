import assert from 'node:assert/strict'
import { withFolder } from '../../bench/measure.ts'
import { createOutageLog } from '../../kube/outage.ts'
import { AGENTS, PROJECTS, STORIES, TASKS } from '../../kube/resources.ts'
import type { KubeClient, KubeObject, ListOptions, Resource } from '../../kube/types.ts'
import { makeLogger } from '../../lib/log.ts'
import { startOperator } from '../../operator/main.ts'
import { createTaskController } from '../../operator/task/controller.ts'
import { aProject, aStory, aTask, anAgent, NAMESPACE } from '../helpers/build.ts'
import { manualClock } from '../helpers/clock.ts'
import { type MemoryKube, memoryKube, watchNothing } from '../helpers/memory-kube.ts'
import { until } from '../helpers/until.ts'
import { operatorOptions } from './live/rig.ts'
import { openWorld } from './world.ts'

const logger = makeLogger('silent')

/** Lists stories when `gate` opens, and tells of no change. */
function slowStories(kube: MemoryKube, gate: Promise<void>): KubeClient {
  return {
    ...kube,
    async list<T extends KubeObject>(resource: Resource<T>, query?: ListOptions) {
      if (resource.plural === STORIES.plural) await gate
      return kube.list(resource, query)
    },
    watch: watchNothing,
  }
}

describe('an operator that starts', () => {
  it('decides nothing before it knows the stories: it would queue a task of one that is DONE', () =>
    withFolder(async (volumeRoot) => {
      const kube = memoryKube()
      kube.put(STORIES, aStory({ status: { status: 'DONE' } }))
      kube.put(TASKS, aTask({ spec: { runPolicy: 'Auto', storyId: 'story-a' } }))
      kube.put(TASKS, aTask({ name: 'task-b', spec: { runPolicy: 'Auto' } }))
      const stateOf = (name: string): string | undefined =>
        kube.all(TASKS).find(({ metadata }) => metadata.name === name)?.status?.state
      let open: () => void = () => undefined
      const clock = manualClock()
      const client = slowStories(kube, new Promise((resolve) => (open = resolve)))
      const operator = await startOperator({
        ...operatorOptions({ client, namespace: NAMESPACE, volumeRoot }),
        installation: { isolation: 'none', allowUnsandboxed: false, embedded: true },
        clock,
        logger,
        random: () => 0,
      })
      await clock.advance(1000)
      open()
      await until('the other task is queued', () => stateOf('task-b') === 'QUEUED')
      await until('this one has been looked at', () => stateOf('task-a') !== undefined)
      assert.equal(stateOf('task-a'), 'PENDING')
      await operator.stop()
    }))
})

describe('an execution in an image that its agent may not run', () => {
  for (const [whose, task, project] of [
    ['the task', 'evil.example/tool', undefined],
    ['its project', undefined, 'evil.example/tool'],
  ] as const)
    it(`fails before its Job when ${whose} names the image, with the images that are allowed`, async () => {
      const world = await openWorld()
      world.kube.put(AGENTS, anAgent({ spec: { allowedImages: ['registry.example.com/team/*'] } }))
      world.kube.put(PROJECTS, aProject({ spec: { ...(project && { containerImage: project }) } }))
      const spec = { project: 'project-a', ...(task && { containerImage: task }) }
      world.kube.put(TASKS, aTask({ spec, status: { state: 'QUEUED', queuedAt: '2026-01-01T00:00:00Z' } }))
      await world.sync()
      const { error } = world.task().status ?? {}
      assert.equal(error?.category, 'credentials')
      assert.match(error?.message ?? '', /may not run image evil\.example\/tool: .* registry\.example\.com\/team\/\*;/)
      assert.equal(world.job('task-a-1-run'), undefined)
      await world.close()
    })
})

describe('a task without an agent, in a project with an image', () => {
  it('is given to an agent that may run the image', async () => {
    const world = await openWorld()
    const { kube, context } = world
    Object.assign(context, { installation: { ...context.installation, isolation: 'sandbox' } })
    const spec = { adapter: 'claude', credentials: {} } as const
    kube.put(AGENTS, anAgent({ name: 'closed', spec: { ...spec, allowedImages: [] } }))
    kube.put(AGENTS, anAgent({ name: 'open', spec }))
    kube.put(PROJECTS, aProject({ spec: { containerImage: 'registry.example.com/tool:1' } }))
    const status = { state: 'QUEUED', queuedAt: '2026-01-01T00:00:00Z' } as const
    kube.put(TASKS, aTask({ spec: { agent: {}, project: 'project-a' }, status }))
    await world.sync()
    const { type, reason = '' } = world.task().status?.agent ?? {}
    assert.equal(type, 'open')
    assert.match(reason, /closed \(may not run the image of the task\)/)
    await world.close()
  })
})

describe('an operator that has many conditions to write', () => {
  it('first chooses the agent of a task that has none', async () => {
    const world = await openWorld()
    const { kube, clock, context } = world
    Object.assign(context, { installation: { ...context.installation, isolation: 'sandbox' } })
    const spec = { adapter: 'claude', credentials: {} } as const
    const drained = { since: '2026-01-01T00:00:00Z', reason: 'it failed' }
    kube.put(AGENTS, anAgent({ name: 'closed', spec, status: { drained } }))
    kube.put(AGENTS, anAgent({ name: 'open', spec }))
    const status = { state: 'QUEUED', queuedAt: '2026-01-01T00:00:00Z' } as const
    for (let n = 10; n < 60; n++)
      kube.put(TASKS, aTask({ name: `waits-${n}`, spec: { agent: { type: 'closed' } }, status }))
    kube.put(TASKS, aTask({ name: 'chooses', spec: { agent: {} }, status }))
    const written: string[] = []
    kube.onWrite = (moment, write) => {
      if (moment === 'before' && write.startsWith('status Task')) written.push(write)
    }
    const synced = <T extends object>(views: T) => ({ ...views, synced: Promise.resolve(true) })
    const informers = Object.fromEntries(Object.entries(context.views).map(([kind, view]) => [kind, synced(view)]))
    const timing = { clock, logger, random: () => 0, outages: createOutageLog(clock, logger) }
    const controller = createTaskController(context, informers as never, timing, NAMESPACE)
    const stop = new AbortController()
    const running = controller.run(stop.signal)
    await until('all have been written', () => new Set(written).size === 51)
    stop.abort()
    await running
    await world.close()
    assert.equal(written[0], 'status Task chooses')
  })
})
