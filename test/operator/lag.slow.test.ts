/**
 * Caches that lag: the watch tells of a change late, in order within a kind, while the operator goes on working. What
 * it wrote itself it knows at once.
 */
import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { type Change, createCache } from '../../kube/cache.ts'
import { LABELS } from '../../core/names.ts'
import { keyOf } from '../../kube/keys.ts'
import {
  AGENTS,
  EPICS,
  EXECUTIONS,
  JOBS,
  LEASES,
  PODS,
  PROJECTS,
  STORIES,
  STORY_EVENTS,
  TASKS,
} from '../../kube/resources.ts'
import type { KubeObject, Resource } from '../../kube/types.ts'
import {
  type View,
  type Views,
  EXECUTION_INDEXES,
  SLOT_INDEXES,
  STORY_INDEXES,
  TASK_INDEXES,
  WORKLOAD_INDEXES,
} from '../../operator/context.ts'
import { decideTask, NO_SURROUNDINGS } from '../../core/task/decide.ts'
import type { HumanTrigger } from '../../core/task/transitions.ts'
import { hasPodEnded, isJobFinished, isOfJob } from '../../kube/workload.ts'
import { aPod, aStory, aTask, anAgent } from '../helpers/build.ts'
import type { MemoryKube } from '../helpers/memory-kube.ts'
import { type World, openWorld, syncOnce } from './world.ts'
import { runs } from '../helpers/runs.ts'

/** Delivers up to `count` changes of one kind. */
type Deliver = (kind: number, count: number) => void

interface Lagging {
  readonly views: Views
  readonly deliver: Deliver
  readonly deliverAll: () => void
}

function laggingViews(kube: MemoryKube): Lagging {
  const feeds: { readonly plural: string; readonly pending: (() => void)[] }[] = []
  const view = <T extends KubeObject>(
    resource: Resource<T>,
    indexes: Readonly<Record<string, (object: T) => readonly string[]>> = {},
    isSelective = false,
  ): View<T> => {
    const cache = createCache<T>(indexes)
    const handlers: ((change: Change<T>) => void)[] = []
    const tell = (changes: readonly Change<T>[]): void => {
      for (const change of changes) for (const handler of handlers) handler(change)
    }
    const pending: (() => void)[] = []
    feeds.push({ plural: resource.plural, pending })
    const before = kube.onStored
    kube.onStored = (type, plural, object) => {
      before(type, plural, object)
      if (plural !== resource.plural) return
      const told = structuredClone(object) as T
      pending.push(() => {
        tell(type === 'put' ? cache.put(told) : cache.remove(told))
        cache.advance(told.metadata.resourceVersion ?? '')
      })
    }
    return {
      resource,
      get: cache.get,
      list: cache.list,
      byIndex: cache.byIndex,
      // Those with a selector as if another operator had made everything: only the watch tells of it.
      observe: (object) => {
        if (!isSelective || cache.get(keyOf(object)) !== undefined) tell(cache.observe(structuredClone(object)))
      },
      observeDeleted: (object) => tell(cache.conceal(structuredClone(object))),
      onChange(handler) {
        handlers.push(handler)
        return () => undefined
      },
    }
  }
  const views: Views = {
    tasks: view(TASKS, TASK_INDEXES),
    executions: view(EXECUTIONS, EXECUTION_INDEXES),
    agents: view(AGENTS),
    projects: view(PROJECTS),
    stories: view(STORIES, STORY_INDEXES),
    storyEvents: view(STORY_EVENTS),
    epics: view(EPICS),
    jobs: view(JOBS, WORKLOAD_INDEXES, true),
    pods: view(PODS, WORKLOAD_INDEXES, true),
    leases: view(LEASES, SLOT_INDEXES, true),
  }
  const deliver: Deliver = (kind, count) => {
    for (const tell of feeds[kind]?.pending.splice(0, count) ?? []) tell()
  }
  assert.equal(feeds.length, KINDS)
  return { views, deliver, deliverAll: () => feeds.forEach((_, kind) => deliver(kind, Infinity)) }
}

type Move =
  | { readonly kind: 'deliver'; readonly of: number; readonly count: number }
  | { readonly kind: 'sync'; readonly task: string }
  | { readonly kind: 'decide'; readonly task: string; readonly action: HumanTrigger }
  | { readonly kind: 'endJob'; readonly which: number; readonly isGood: boolean }

/** `FC_RUNS` asks for more. */
const RUNS = Number(process.env['FC_RUNS'] ?? 50)

const QUEUED = { state: 'QUEUED', queuedAt: '2026-01-01T00:00:00Z' } as const

const NAMES = ['task-a', 'task-b', 'task-c']

/** How many kinds the operator watches. */
const KINDS = 10

const task = fc.constantFrom(...NAMES)
const deliver = fc.record({
  kind: fc.constant('deliver' as const),
  of: fc.nat(KINDS - 1),
  count: fc.integer({ min: 1, max: 8 }),
})
const move: fc.Arbitrary<Move> = fc.oneof(
  { arbitrary: deliver, weight: 4 },
  { arbitrary: fc.record({ kind: fc.constant('sync' as const), task }), weight: 3 },
  fc.record({
    kind: fc.constant('decide' as const),
    task,
    action: fc.constantFrom('run', 'cancel', 'resume', 'reject'),
  }),
  fc.record({ kind: fc.constant('endJob' as const), which: fc.nat(5), isGood: fc.boolean() }),
)
/** Long ones: it takes several steps until a Job runs. */
const MOVES = fc.array(move, { maxLength: 60, size: 'max' })

describe('an operator whose caches lag', () => {
  it('never runs two Jobs in one slot, and comes to rest with every task where its last execution left it', async () => {
    await fc.assert(
      fc.asyncProperty(MOVES, (moves) => play(moves, 1)),
      { numRuns: runs(RUNS) },
    )
  })

  it('deletes a Job once, however late the watch tells of it', async () => {
    let lagging: Lagging | undefined
    const world = await openWorld({ makeViews: (kube) => (lagging = laggingViews(kube)).views })
    try {
      const name = 'task-a'
      world.kube.put(AGENTS, anAgent())
      world.kube.put(TASKS, aTask({ name, status: QUEUED }))
      lagging?.deliverAll()
      await syncOnce(world.context, name)
      const [job] = world.kube.all(JOBS)
      assert.ok(job)
      world.kube.put(PODS, aPod({ job: job.metadata.name, status: { phase: 'Running' } }))
      // As foreground deletion does: the Job is there until its pod has ended.
      world.kube.put(JOBS, { ...job, metadata: { ...job.metadata, finalizers: ['foregroundDeletion'] } })
      const found = world.task(name)
      world.kube.put(TASKS, { ...found, status: { ...found.status, cancelRequestedAt: '2026-01-01T00:01:00Z' } })
      lagging?.deliverAll()
      let deletes = 0
      world.kube.onWrite = (at, write) => void (at === 'after' && write.startsWith('delete Job') && deletes++)
      await syncOnce(world.context, name)
      assert.equal(deletes, 1)
    } finally {
      await world.close()
    }
  })

  it('never runs two Jobs in one sandbox, however many slots are free', async () => {
    await fc.assert(
      fc.asyncProperty(MOVES, (moves) => play(moves, 3)),
      { numRuns: runs(RUNS) },
    )
  })
})

type Parts = NonNullable<Parameters<typeof aTask>[0]>

describe('an operator whose caches lag, on the tasks of one story', () => {
  it('never has two writers of its branch, however many slots are free, and comes to rest', async () => {
    await fc.assert(
      fc.asyncProperty(MOVES, (moves) => play(moves, 3, { storyId: 'story-a' })),
      { numRuns: runs(RUNS) },
    )
  })
})

/** Three queued tasks; those of a story share its branch, which one of them writes at a time. */
async function play(moves: readonly Move[], slots: number, spec: Parts['spec'] = {}): Promise<void> {
  let lagging: Lagging | undefined
  const world = await openWorld({ makeViews: (kube) => (lagging = laggingViews(kube)).views })
  assert.ok(lagging)
  const { deliver, deliverAll } = lagging
  try {
    world.kube.onWrite = () => assertExclusive(world, spec.storyId === undefined ? slots : 1)
    world.kube.put(STORIES, aStory())
    world.kube.put(AGENTS, anAgent({ spec: { maxConcurrent: slots } }))
    for (const name of NAMES) world.kube.put(TASKS, aTask({ name, spec, status: QUEUED }))
    deliverAll()
    for (const next of moves) await perform(world, next, deliver)
    await comeToRest(world, deliverAll)
    for (const name of NAMES) assert.notEqual(world.task(name).status?.state, 'RUNNING')
    assert.deepEqual(
      world.kube.all(LEASES).flatMap(({ spec }) => spec?.holderIdentity || []),
      [],
    )
  } finally {
    await world.close()
  }
}

async function perform(world: World, next: Move, deliver: Deliver): Promise<void> {
  switch (next.kind) {
    case 'deliver':
      return deliver(next.of, next.count)
    case 'sync':
      return syncOnce(world.context, next.task)
    case 'decide': {
      const found = world.task(next.task)
      const outcome = decideTask(found, { action: next.action, by: 'test', at: world.clock.now() }, NO_SURROUNDINGS)
      if (outcome.kind === 'allowed') world.kube.put(TASKS, { ...found, status: outcome.status })
      return
    }
    case 'endJob': {
      const running = liveJobs(world)
      const job = running[next.which % Math.max(1, running.length)]
      if (job !== undefined) await world.endJob(job.metadata.name, next.isGood ? {} : { result: 'none' })
      return
    }
    default:
      return next satisfies never
  }
}

/** Everything is told, every Job ends well, until nothing is left to do. */
async function comeToRest(world: World, deliverAll: () => void): Promise<void> {
  for (let round = 0; round < 40; round++) {
    deliverAll()
    for (const name of NAMES) await syncOnce(world.context, name)
    await world.clock.advance(60_000)
    const [job] = liveJobs(world)
    if (job !== undefined) await world.endJob(job.metadata.name)
  }
}

function liveJobs(world: World) {
  const pods = world.kube.all(PODS)
  return world.kube.all(JOBS).filter((job) => {
    const own = pods.filter((pod) => isOfJob(pod, job.metadata.name))
    return !isJobFinished(job) && !(own.length > 0 && own.every(hasPodEnded))
  })
}

function assertExclusive(world: World, slots: number): void {
  const live = liveJobs(world)
  const names = live.map(({ metadata }) => metadata.name).join(', ')
  assert.ok(live.length <= slots, `jobs at the same time: ${names}`)
  const tasks = live.map(({ metadata }) => metadata.labels?.[LABELS.task])
  assert.equal(new Set(tasks).size, tasks.length, `jobs in one sandbox: ${names}`)
}
