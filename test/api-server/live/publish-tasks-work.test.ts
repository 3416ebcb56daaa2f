import assert from 'node:assert/strict'
import type { Agent, Execution, Project, Task } from '../../../core/crd/types.ts'
import { type Change, createCache } from '../../../kube/cache.ts'
import { followScheduling } from '../../../kube/scheduling.ts'
import type { KubeObject } from '../../../kube/types.ts'
import type { Caches } from '../../../api-server/cache/caches.ts'
import { MAX_SENT, publishTasks } from '../../../api-server/live/publish-tasks.ts'
import { anAgent, aTask, NAMESPACE } from '../../helpers/build.ts'
import { type ManualClock, manualClock } from '../../helpers/clock.ts'

/** A cache that is filled by hand. */
function openCache<T extends KubeObject>(indexes: Readonly<Record<string, (object: T) => readonly string[]>> = {}) {
  const cache = createCache<T>(indexes)
  const handlers: ((change: Change<T>) => void)[] = []
  let version = 0
  return {
    informer: {
      byIndex: cache.byIndex,
      onChange(handler: (change: Change<T>) => void) {
        handlers.push(handler)
        return () => undefined
      },
    },
    find: (name: string) => cache.get({ namespace: NAMESPACE, name }),
    list: () => cache.list(),
    revision: () => version,
    put(object: T): void {
      version += 1
      const metadata = { ...object.metadata, resourceVersion: `${version}` }
      for (const change of cache.put({ ...object, metadata })) for (const handle of handlers) handle(change)
    },
  }
}

const wordsAt = (position: number): RegExp =>
  position === 0 ? /^next in line$/ : new RegExp(`^${position + 1}\\w\\w in line$`)

describe('the work that a change elsewhere makes', () => {
  let clock: ManualClock
  let tasks: ReturnType<typeof openCache<Task>>
  let agents: ReturnType<typeof openCache<Agent>>
  let looks: string[]
  let told: string[]
  let onChange: () => void
  let lastTold: Map<string, string | undefined>

  const queued = (n: number, spec: object = {}): Task =>
    aTask({
      name: `task-${n}`,
      spec,
      status: { state: 'QUEUED', agent: { type: 'claude' }, queuedAt: new Date(1e12 + n * 1000).toISOString() },
    })
  const open = (count: number): void => {
    clock = manualClock()
    tasks = openCache<Task>({
      state: ({ status }) => [status?.state ?? 'PENDING'],
      dependency: ({ spec }) => spec.dependsOn ?? [],
      parent: ({ spec }) => (spec.parentTaskId === undefined ? [] : [spec.parentTaskId]),
    })
    agents = openCache<Agent>()
    ;[looks, told, lastTold] = [[], [], new Map()]
    const projects = openCache<Project>()
    const caches = { tasks, agents, projects, executions: openCache<Execution>() } as unknown as Caches
    const none = { onChange: () => () => undefined }
    const scheduling = followScheduling({
      tasks: tasks.informer,
      agents: agents.informer,
      projects: projects.informer,
      stories: none,
      executions: none,
      leases: none,
      jobs: none,
      pods: none,
    })
    agents.put(anAgent({ name: 'claude', spec: { adapter: 'claude' } }))
    for (let n = 0; n < count; n++) tasks.put(queued(n))
    const derived = (task: Task) => {
      looks.push(task.metadata.name)
      const words = scheduling.formatWaitMessage(task, clock.now())
      return words === undefined ? undefined : { waiting_for: words }
    }
    publishTasks({
      caches,
      scheduling,
      clock,
      tasks: { derived, brief: () => ({ json: '{}' }) },
      deployments: { onChange: (handler) => void (onChange = handler) },
      hub: {
        publish(_, { task_id = '' }) {
          told.push(task_id)
          const task = tasks.find(task_id)
          lastTold.set(task_id, task && scheduling.formatWaitMessage(task, clock.now()))
        },
      },
    })
    looks.length = 0
  }

  it('looks at no finished task, however many there are', async () => {
    open(3)
    for (let n = 0; n < 10_000; n++) tasks.put(aTask({ name: `done-${n}`, status: { state: 'COMPLETED' } }))
    await clock.advance(2000)
    looks.length = 0
    tasks.put(aTask({ name: 'done-1', status: { state: 'COMPLETED', summary: 'again' } }))
    agents.put(
      anAgent({ name: 'claude', spec: { adapter: 'claude' }, status: { rateLimitedUntil: '2027-01-01T00:00:00Z' } }),
    )
    onChange()
    await clock.advance(2000)
    assert.deepEqual(new Set(looks), new Set(['done-1', 'task-0', 'task-1', 'task-2']))
    assert.ok(looks.length <= 4, looks.join())
    assert.deepEqual(told, ['task-0', 'task-1', 'task-2'])
  })

  it('looks at a task once a second at most, however many changes come', async () => {
    open(2)
    await clock.advance(2000)
    looks.length = 0
    for (let n = 0; n < 100; n++) {
      agents.put(anAgent({ name: 'claude', spec: { adapter: 'claude', maxConcurrent: 1 + (n % 2) } }))
      await clock.advance(50)
    }
    assert.ok(looks.length <= 2 * 6, `${looks.length} looks in 5 s`)
    assert.deepEqual(told, [])
  })

  it(`tells ${MAX_SENT} tasks at a time from the front of the line, and all of them in the end`, async () => {
    const count = 2 * MAX_SENT + 1
    open(count)
    const status = { rateLimitedUntil: '2027-01-01T00:00:00Z' }
    agents.put(anAgent({ name: 'claude', spec: { adapter: 'claude' }, status }))
    await clock.advance(300)
    assert.deepEqual(
      told,
      Array.from({ length: MAX_SENT }, (_, n) => `task-${n}`),
    )
    await clock.advance(3000)
    assert.equal(new Set(told).size, count)
    assert.equal(told.length, count)
  })

  it('looks at a part of a long queue at a time, at its front first while it moves on, and leaves nobody out', async () => {
    const count = 9000
    open(count)
    const leave = (n: number) => tasks.put(aTask({ name: `task-${n}`, status: { state: 'CANCELLED' } }))
    leave(0)
    await clock.advance(300)
    assert.ok(looks.length <= 2000, `${looks.length} looks at once`)
    assert.deepEqual(told.slice(0, 2), ['task-1', 'task-2'])
    for (let n = 1; n < 10; n++) {
      ;[looks.length, told.length] = [0, 0]
      leave(n)
      await clock.advance(1000)
      assert.ok(looks.length <= 2000 + 2, `${looks.length} looks at once`)
      assert.deepEqual(told.slice(0, 2), [`task-${n + 1}`, `task-${n + 2}`])
    }
    await clock.advance(200_000)
    assert.deepEqual([lastTold.get('task-10'), lastTold.get('task-8999')], ['next in line', '8990th in line'])
    for (let n = 10; n < count; n++) assert.match(lastTold.get(`task-${n}`) ?? '', wordsAt(n - 10))
    ;[looks.length, told.length] = [0, 0]
    await clock.advance(200_000)
    assert.deepEqual([looks.length, told], [0, []])
  })

  it('looks only at what depends on a task that ended, and tells it', async () => {
    open(0)
    tasks.put(aTask({ name: 'first', status: { state: 'RUNNING' } }))
    for (let n = 0; n < 50; n++) tasks.put(aTask({ name: `pending-${n}` }))
    tasks.put(queued(1, { dependsOn: ['first'] }))
    await clock.advance(2000)
    ;[looks.length, told.length] = [0, 0]
    tasks.put(aTask({ name: 'first', status: { state: 'FAILED' } }))
    await clock.advance(2000)
    assert.deepEqual([new Set(looks), told], [new Set(['first', 'task-1']), ['task-1']])
  })

  it('tells every task of a circle that it is one', async () => {
    open(0)
    tasks.put(aTask({ name: 'a', spec: { dependsOn: ['b'] } }))
    tasks.put(aTask({ name: 'b', spec: { dependsOn: ['c'] } }))
    tasks.put(aTask({ name: 'c' }))
    await clock.advance(2000)
    told.length = 0
    tasks.put(aTask({ name: 'c', spec: { dependsOn: ['a'] }, metadata: { generation: 2 } }))
    await clock.advance(2000)
    assert.deepEqual(told.toSorted(), ['a', 'b'])
  })
})
