import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { slotCount, closedReason } from '../../../core/agent/schedule.ts'
import type { SchedulingChange } from '../../../core/agent/scheduling-objects.ts'
import { type SchedulingSnapshot, createSchedulingSnapshot } from '../../../core/agent/snapshot.ts'
import type { FindSharedBranch } from '../../../core/agent/task-queues.ts'
import type { Agent, EnvironmentState, Task, TaskState, TaskStatus } from '../../../core/crd/types.ts'
import { makeFindEnvironmentWait } from '../../../core/environment/choose.ts'
import { stateOf } from '../../../core/task/decide.ts'
import { anAgent, anExecution, aProject, aStory, aTask, text } from '../../helpers/build.ts'
import { runs } from '../../helpers/runs.ts'

const now = new Date('2026-03-01T10:00:00Z')
const AGENTS = ['claude', 'gemini']

/** As the real one does, by story and repository. */
const findBranch: FindSharedBranch = ({ spec }, story, project) => {
  const repository = spec.repositoryUrl ?? project?.spec.remoteUrl
  if (spec.storyId === undefined || repository === undefined) return undefined
  const branch = story?.spec.branchName ?? `story/${spec.storyId}`
  return { lease: `slipway-branch-${branch}-${repository.at(-5)}`, branch, repository }
}

/** As the real one does, with agents in images of their own. */
const findEnvironmentWait = makeFindEnvironmentWait((recipe, image) => `${recipe.setup}/${image}`, 'slipway')

const one = <const T>(...values: readonly T[]) => fc.constantFrom(...values)
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 2 })
const present = <T extends object>(parts: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined)) as never

/** The names that a history is about. */
interface Names {
  readonly tasks: readonly string[]
  readonly agents: readonly string[]
  readonly stories: readonly string[]
  readonly projects: readonly string[]
}

const executionsOf = ({ tasks }: Names): string[] => tasks.flatMap((task) => [`${task}-1`, `${task}-2`])

const putTask = (names: Names) =>
  fc
    .record({
      name: one(...names.tasks),
      // Mostly QUEUED: that is what the snapshot is about.
      state: one<TaskState>('QUEUED', 'QUEUED', 'QUEUED', 'PENDING', 'RUNNING', 'READY', 'FAILED', 'BLOCKED'),
      priority: maybe(one(-1, 0, 1)),
      queuedAt: maybe(one('2026-03-01T09:00:00Z', '2026-03-01T09:00:01Z')),
      suspend: maybe(one(true)),
      agent: maybe(one(...names.agents)),
      dependsOn: maybe(fc.uniqueArray(one(...names.tasks, 'nowhere'), { maxLength: 2 })),
      parentTaskId: maybe(one(...names.tasks)),
      project: maybe(one(...names.projects)),
      repositoryUrl: maybe(one('https://git.example/1.git')),
      storyId: maybe(one(...names.stories)),
      executions: one(0, 1),
      finishedAt: maybe(one('2026-03-01T09:30:00Z')),
      resume: maybe(one(true)),
      execution: maybe(one(...executionsOf(names))),
    })
    .map(({ name, state, queuedAt, agent, executions, execution, finishedAt, resume, ...spec }): SchedulingChange => {
      const status: TaskStatus = { state, executions, ...present({ queuedAt, execution, finishedAt, resume }) }
      const task = aTask({ name, status: agent === undefined ? status : { ...status, agent: { type: agent } } })
      return { kind: 'task', name, object: { ...task, spec: { title: name, ...present(spec), agent: {} } } }
    })

const putAgent = (names: Names) =>
  fc
    .record({
      name: one(...names.agents),
      slots: one(1, 2, 3),
      isDrained: one(false, false, false, true),
      isLimited: one(false, false, true),
      image: maybe(one('node:24')),
      maxAwaitingReview: maybe(one(1, 2)),
    })
    .map(({ name, slots, isDrained, isLimited, ...spec }): SchedulingChange => {
      const drained = isDrained ? { since: '2026-03-01T09:00:00Z' } : undefined
      const status = present({ drained, rateLimitedUntil: isLimited ? '2026-03-01T11:00:00Z' : undefined })
      return {
        kind: 'agent',
        name,
        object: anAgent({ name, spec: { maxConcurrent: slots, ...present(spec) }, status }),
      }
    })

const leasesOf = ({ agents, stories }: Names): string[] => [
  ...agents.flatMap((agent) => [1, 2, 3].map((n) => `slipway-slot-${agent}-${n}`)),
  ...[...stories.map((story) => `story/${story}`), 'feature'].flatMap((branch) =>
    [1, 2].map((repository) => `slipway-branch-${branch}-${repository}`),
  ),
]
const putLease = (names: Names) =>
  fc
    .record({ name: one(...leasesOf(names)), holder: maybe(one(...executionsOf(names), 'elaborate-x')) })
    .map(({ name, holder }): SchedulingChange => ({ kind: 'lease', name, object: { holder } }))

const putStory = (names: Names) =>
  fc
    .record({
      name: one(...names.stories),
      branchName: maybe(one('feature')),
      projectId: maybe(one(...names.projects)),
      status: maybe(one('IN_PROGRESS' as const)),
    })
    .map(({ name, status, ...spec }): SchedulingChange => ({
      kind: 'story',
      name,
      object: aStory({ name, spec: present(spec), status: present({ status }) }),
    }))

const putProject = (names: Names) =>
  fc
    .record({
      name: one(...names.projects),
      remoteUrl: one('https://git.example/1.git', 'https://git.example/2.git'),
      setup: maybe(one('npm ci')),
      built: maybe(one<EnvironmentState>('Building', 'Ready', 'Failed')),
      image: one('slipway', 'node:24'),
      maxAwaitingReview: maybe(one(1, 2)),
    })
    .map(({ name, remoteUrl, setup, built, image, maxAwaitingReview }): SchedulingChange => {
      const environment = setup === undefined ? undefined : { setup }
      const recipe = setup === undefined ? '' : `${setup}/${image}`
      const environments = built === undefined ? [] : [{ execution: `${name}-e1`, state: built, recipe, image }]
      const object = aProject({
        name,
        spec: { remoteUrl, ...present({ environment, maxAwaitingReview }) },
        status: { environments },
      })
      return { kind: 'project', name, object }
    })

const putExecution = (names: Names) =>
  fc
    .record({
      name: one(...executionsOf(names), 'elaborate-x'),
      agent: one(...names.agents),
      state: one('RUNNING', 'COMPLETED'),
      isOrphan: one(false, false, true),
    })
    .map(({ name, agent, state, isOrphan }): SchedulingChange => {
      const purpose = name.startsWith('elaborate') ? 'Elaborate' : 'Run'
      const owner = {
        apiVersion: '',
        kind: 'Task',
        name: name.slice(0, 1),
        uid: isOrphan ? 'gone' : `uid-${name.slice(0, 1)}`,
      }
      const metadata = { uid: `${name}-${isOrphan}`, ownerReferences: [owner] }
      const object = anExecution({ name, metadata, spec: { agent, purpose }, status: { state } })
      return { kind: 'execution', name, object }
    })

const putWorkload = (names: Names) =>
  fc
    .record({
      execution: one(...executionsOf(names)),
      isPod: fc.boolean(),
      isOver: fc.boolean(),
      deletedAt: maybe(one('2026-03-01T09:00:00Z')),
    })
    .map(({ execution, isPod, isOver, deletedAt }): SchedulingChange => {
      const [task, job] = [execution.slice(0, 1), `${execution}-run`]
      return isPod
        ? { kind: 'pod', name: `${job}-x`, object: { task, execution, job, hasEnded: isOver, deletedAt } }
        : { kind: 'job', name: job, object: { task, isFinished: isOver } }
    })

const historiesOf = (names: Names) => {
  const puts = fc.oneof(
    { arbitrary: putTask(names), weight: 8 },
    { arbitrary: putLease(names), weight: 4 },
    { arbitrary: putWorkload(names), weight: 2 },
    putAgent(names),
    putStory(names),
    putProject(names),
    putExecution(names),
  )
  const changes = fc
    .tuple(puts, one(false, false, false, true))
    .map(([put, isRemoval]): SchedulingChange => (isRemoval ? { ...put, object: undefined } : put))
  return fc.array(changes, { maxLength: 60, size: 'max' })
}

const queued = { state: 'QUEUED', agent: { type: 'claude' } } as const
const running = { state: 'RUNNING', execution: 'b-1', agent: { type: 'claude' } } as const
const remoteUrl = 'https://git.example/1.git'
/** One waits for a branch of its story's project, one runs without a Lease, and the start of one was interrupted. */
const busy: readonly SchedulingChange[] = [
  { kind: 'agent', name: 'claude', object: anAgent({ name: 'claude', spec: { maxConcurrent: 2 } }) },
  { kind: 'project', name: 'p', object: aProject({ name: 'p', spec: { remoteUrl } }) },
  { kind: 'story', name: 's', object: aStory({ name: 's', spec: { projectId: 'p' } }) },
  { kind: 'lease', name: 'slipway-branch-story/s-1', object: { holder: 'b-1' } },
  { kind: 'task', name: 'a', object: { ...aTask({ name: 'a', status: queued }), spec: { title: 'a', storyId: 's' } } },
  { kind: 'execution', name: 'b-1', object: anExecution({ name: 'b-1', spec: { agent: 'claude' } }) },
  { kind: 'task', name: 'b', object: aTask({ name: 'b', status: running }) },
  { kind: 'lease', name: 'slipway-slot-claude-1', object: { holder: 'c-1' } },
  { kind: 'task', name: 'c', object: aTask({ name: 'c', status: queued }) },
]

// With few names most changes concern something that is there already; with many, tasks get in one another's way.
const few = historiesOf({ tasks: ['a', 'b', 'c'], agents: ['claude'], stories: ['s'], projects: ['p'] })
const many = historiesOf({
  tasks: ['a', 'b', 'c', 'd', 'e'],
  agents: AGENTS,
  stories: ['s', 't'],
  projects: ['p', 'q'],
})
const histories = fc.oneof(
  few,
  few.map((history) => [...busy, ...history.slice(0, 10)]),
  many,
)

/** All that the snapshot says, as plain data. */
function everything(snapshot: SchedulingSnapshot, known: ReadonlyMap<string, Task>) {
  return {
    agents: AGENTS.map((agent) => ({
      agent,
      queue: snapshot.queueOf(agent),
      length: snapshot.queueLength(agent),
      queued: [...snapshot.queuedFor(agent)].sort(),
      holders: snapshot.holdersOf(agent, now),
      starts: snapshot.nextToStart(agent, now),
    })),
    unassigned: [...snapshot.queuedFor('')].sort(),
    tasks: [...known.values()].map((task) => {
      const { name } = task.metadata
      return {
        name,
        schedule: snapshot.scheduleOf(task, now),
        words: snapshot.formatWaitMessage(task, now),
        position: snapshot.positionOf(name),
        mayStillRun: snapshot.mayStillRun(name),
        subtasks: snapshot.tasks
          .subtasks(name)
          .map(({ metadata }) => metadata.name)
          .sort(),
      }
    }),
  }
}

/** The objects that a history leaves, the snapshot that has followed it, and that of those objects alone. */
function play(history: readonly SchedulingChange[]) {
  const snapshot = createSchedulingSnapshot(findBranch, findEnvironmentWait)
  const left = new Map<string, SchedulingChange>()
  for (const change of history) {
    snapshot.apply(change)
    left.set(`${change.kind}/${change.name}`, change)
  }
  const objects = [...left.values()].filter(({ object }) => object !== undefined)
  const known = new Map<string, Task>()
  const present = new Map<string, Agent>()
  for (const change of objects) {
    if (change.kind === 'task' && change.object !== undefined) known.set(change.name, change.object)
    if (change.kind === 'agent' && change.object !== undefined) present.set(change.name, change.object)
  }
  return { snapshot, objects, known, agents: present }
}

describe('the scheduling snapshot', () => {
  it('kept change by change equals one built anew from the objects, in whatever order', () => {
    fc.assert(
      fc.property(histories, fc.nat(), (history, seed) => {
        const { snapshot, objects, known } = play(history)
        const anew = createSchedulingSnapshot(findBranch, findEnvironmentWait)
        const turned = [...objects.slice(seed % 7), ...objects.slice(0, seed % 7)]
        for (const change of seed % 2 === 0 ? turned : turned.toReversed()) anew.apply(change)
        const [kept, built] = [everything(snapshot, known), everything(anew, known)]
        assert.deepEqual(kept, built)
      }),
      { numRuns: runs(500) },
    )
  })

  it('counts a task that waits for a person for the project that its story turns out to have, started or not', () => {
    const snapshot = createSchedulingSnapshot(findBranch)
    const [name, limit] = ['claude', { remoteUrl, maxAwaitingReview: 1 }]
    const waiting = { ...aTask({ name: 'a', status: { state: 'READY' } }), spec: { title: 'a', storyId: 's' } }
    const next = { ...aTask({ name: 'b', status: queued }), spec: { title: 'b', project: 'p' } }
    snapshot.apply({ kind: 'agent', name, object: anAgent({ name }) })
    snapshot.apply({ kind: 'project', name: 'p', object: aProject({ name: 'p', spec: limit }) })
    snapshot.apply({ kind: 'task', name: 'a', object: waiting })
    snapshot.apply({ kind: 'task', name: 'b', object: next })
    assert.equal(snapshot.queueLength(name), 1)
    snapshot.apply({ kind: 'story', name: 's', object: aStory({ name: 's', spec: { projectId: 'p' } }) })
    assert.equal(snapshot.queueLength(name), 0)
    assert.equal(snapshot.scheduleOf(next, now).wait?.reason, 'WaitingForReview')
  })

  it('queues the tasks that lack nothing but a slot, by priority, then queue time, then name, and positions agree', () => {
    fc.assert(
      fc.property(histories, (history) => {
        const { snapshot, known, agents } = play(history)
        for (const agent of AGENTS) {
          const startable = [...known.values()].filter((task) => {
            const isStartable = snapshot.scheduleOf(task, now).isStartable
            return agents.has(agent) && isStartable && task.status?.agent?.type === agent
          })
          const order = ({ spec, status, metadata }: Task): [number, number, string] => [
            spec.priority ?? 0,
            status?.queuedAt === undefined ? Infinity : Date.parse(status.queuedAt),
            metadata.name,
          ]
          startable.sort((x, y) => {
            const [[p, t, n], [q, u, m]] = [order(x), order(y)]
            return p - q || (t === u ? 0 : t - u) || (n < m ? -1 : 1)
          })
          const queue = snapshot.queueOf(agent).map(({ name }) => name)
          if (agents.has(agent))
            assert.deepEqual(
              queue,
              startable.map(({ metadata }) => metadata.name),
            )
          queue.forEach((name, position) => assert.equal(snapshot.positionOf(name), position))
          assert.equal(snapshot.queueLength(agent), queue.length)
        }
      }),
    )
  })

  it('gives no slot to two, none that is held, none of a closed agent, and leaves none free while somebody waits', () => {
    fc.assert(
      fc.property(histories, (history) => {
        const { snapshot, agents } = play(history)
        for (const [name, agent] of agents) {
          const holders = snapshot.holdersOf(name, now)
          const starts = snapshot.nextToStart(name, now)
          const taken = starts.map(({ slot }) => slot)
          assert.equal(new Set(taken).size, taken.length)
          assert.equal(new Set(starts.map(({ task }) => task)).size, starts.length)
          for (const { slot, task } of starts) {
            const holder = holders.find((held) => held.slot === slot)
            assert.ok(
              holder === undefined ? slot >= 1 && slot <= slotCount(agent) : holder.isStarting && holder.task === task,
            )
          }
          const resumed = new Set(holders.flatMap(({ isStarting, task }) => (isStarting ? [task] : []))).size
          const free = Math.max(0, slotCount(agent) - holders.length)
          const waiting = snapshot.queueLength(name) - resumed
          const expected = closedReason(agent, now) === undefined ? resumed + Math.min(free, waiting) : 0
          assert.equal(starts.length, expected)
        }
      }),
    )
  })

  it('says of each change which agents and which tasks it concerns: all others stand as before', () => {
    fc.assert(
      fc.property(histories, (history) => {
        const snapshot = createSchedulingSnapshot(findBranch, findEnvironmentWait)
        const known = new Map<string, Task>()
        const look = () => ({
          agents: new Map(
            AGENTS.map((agent) => [
              agent,
              [snapshot.queueOf(agent), snapshot.holdersOf(agent, now), snapshot.nextToStart(agent, now)],
            ]),
          ),
          tasks: new Map([...known].map(([name, task]) => [name, standing(snapshot, task)])),
        })
        for (const change of history) {
          if (change.kind === 'task') known.delete(change.name)
          const before = look()
          const effects = snapshot.apply(change)
          const after = look()
          for (const agent of AGENTS) {
            if (!effects.agents.has(agent)) assert.deepEqual(after.agents.get(agent), before.agents.get(agent), agent)
          }
          for (const [name, stood] of before.tasks) {
            const agent = known.get(name)?.status?.agent?.type ?? ''
            if (effects.tasks.has(name) || effects.agents.has(agent)) continue
            assert.deepEqual(after.tasks.get(name), stood, name)
          }
          if (change.kind === 'task' && change.object !== undefined) known.set(change.name, change.object)
        }
      }),
      { numRuns: runs(600) },
    )
  })

  it('tells nobody of a condition that was written to a task that waits', () => {
    const snapshot = createSchedulingSnapshot(findBranch, findEnvironmentWait)
    snapshot.apply({ kind: 'agent', name: 'script', object: anAgent() })
    const task = aTask({ name: 'a', status: { state: 'QUEUED', queuedAt: '2026-03-01T09:00:00Z' } })
    snapshot.apply({ kind: 'task', name: 'a', object: task })
    const said = { ...task, status: { ...task.status, waitingFor: text('waits for a slot') } }
    const { agents: told, tasks: others } = snapshot.apply({ kind: 'task', name: 'a', object: said })
    assert.deepEqual([[...told], [...others]], [[], []])
  })

  it('tells nobody of the progress of a task whose branch others wait for', () => {
    const snapshot = createSchedulingSnapshot(findBranch, findEnvironmentWait)
    const status = { state: 'RUNNING', execution: 'a-1' } as const
    const writer = aTask({ name: 'a', spec: { storyId: 's' }, status })
    const waiter = aTask({ name: 'b', spec: { storyId: 's' }, status: { state: 'QUEUED' } })
    snapshot.apply({ kind: 'task', name: 'b', object: waiter })
    assert.deepEqual([...snapshot.apply({ kind: 'task', name: 'a', object: writer }).tasks], ['b'])
    const later = { ...writer, status: { ...status, costUSD: 1 } }
    const { agents: told, tasks: others } = snapshot.apply({ kind: 'task', name: 'a', object: later })
    assert.deepEqual([[...told], [...others]], [[], []])
  })

  it('costs the same to ask and to change, however many wait', () => {
    const costOf = (count: number): number => {
      const snapshot = createSchedulingSnapshot(findBranch, findEnvironmentWait)
      snapshot.apply({ kind: 'agent', name: 'script', object: anAgent() })
      for (let n = 0; n < count; n++) snapshot.apply(waiting(n))
      const before = process.cpuUsage()
      for (let n = 0; n < 2000; n++) {
        snapshot.apply({ kind: 'task', name: `t${n % count}`, object: undefined })
        snapshot.nextToStart('script', now)
        snapshot.apply(waiting(n % count))
        snapshot.positionOf(`t${n % count}`)
      }
      return process.cpuUsage(before).user
    }
    costOf(10)
    // A thousand times as many are four times as deep; a walk over all of them would cost a thousand times as much.
    assert.ok(costOf(10_000) < 50 * costOf(10))
  })
})

/** What its condition says, save for dependencies: a circle of these is told to the nearest task alone. */
function standing(snapshot: SchedulingSnapshot, task: Task): unknown {
  const { isStartable, wait } = snapshot.scheduleOf(task, now)
  return stateOf(task) === 'QUEUED' && task.spec.dependsOn === undefined ? [isStartable, wait] : isStartable
}

function waiting(n: number): SchedulingChange {
  const queuedAt = new Date(1e12 + n * 1000).toISOString()
  return { kind: 'task', name: `t${n}`, object: aTask({ name: `t${n}`, status: { state: 'QUEUED', queuedAt } }) }
}
