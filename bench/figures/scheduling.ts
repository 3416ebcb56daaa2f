/** From a slot that becomes free to the Job of the next task, with few and with many waiting. */
import { createSchedulingSnapshot } from '../../core/agent/snapshot.ts'
import type { ApiClient } from '../../kube/client.ts'
import { EXECUTIONS, JOBS, LEASES, TASKS } from '../../kube/resources.ts'
import { systemClock } from '../../lib/clock.ts'
import type { Figure } from '../figure.ts'
import { type Effort, alternate, medianOf, withFolder } from '../measure.ts'
import { makeQueuedTask, withQueue } from '../scheduling-rig.ts'

const QUEUES = { full: [10, 1000, 10_000], quick: [10, 300] }
const STARTS = { full: 3, quick: 2 }
const DECISIONS = 2000

/** Beside the requests that the start of a task consists of, made by hand one after another; and the rule alone. */
export async function measure({ size, repeats }: Effort): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const length of QUEUES[size]) {
    const { ours, floor } = await withFolder((folder) =>
      // Two more than are started, so that the last one still has somebody behind it.
      withQueue(folder, length + repeats * STARTS[size] + 2, ({ client, nextStart }) =>
        alternate(
          repeats,
          () => medianOf(STARTS[size], nextStart),
          () => medianOf(STARTS[size], () => startByHand(client, folder)),
        ),
      ),
    )
    figures.push({
      name: `slot free → Job of the next task, ${length.toLocaleString('en')} waiting`,
      unit: 'ms',
      ours,
      floor: { what: 'its five requests by hand', value: floor },
      aim: { atMost: 5, of: 'ratio' },
    })
  }
  const most = Math.max(...QUEUES[size])
  return [...figures, await measureRule(most, repeats), await measureReviews(most, repeats)]
}

let byHand = 0

/** The slot read and taken, the execution, the task and the Job written, as the operator does; nothing comes of them. */
async function startByHand(client: ApiClient, folder: string): Promise<number> {
  const name = `by-hand-${(byHand += 1)}`
  const metadata = { name, namespace: 'default' }
  const task = makeQueuedTask(0, folder)
  await client.create(LEASES, { metadata, spec: { holderIdentity: '' } })
  const { metadata: stored } = await client.create(TASKS, { ...task, metadata, spec: { ...task.spec, suspend: true } })
  const startedAt = performance.now()
  const lease = await client.get(LEASES, metadata)
  await client.replace(LEASES, { ...lease, spec: { holderIdentity: name } })
  const spec = { taskRef: { name: 'nobody' }, agent: 'nobody', attempt: 1, purpose: 'Run' } as const
  await client.create(EXECUTIONS, {
    apiVersion: task.apiVersion,
    kind: 'Execution',
    metadata: { ...metadata, name: `${name}-1` },
    spec,
  })
  await client.mergePatch(TASKS, stored, { status: { state: 'CANCELLED' } }, { subresource: 'status' })
  const template = { spec: { containers: [{ name: 'none', image: 'none' }], restartPolicy: 'Never' as const } }
  await client.create(JOBS, { apiVersion: 'batch/v1', kind: 'Job', metadata, spec: { suspend: true, template } })
  return performance.now() - startedAt
}

/** One task leaves, the next is chosen, and asks for its place: with many in the queue, and with ten. */
async function measureRule(length: number, repeats: number): Promise<Figure> {
  const [many, few] = [openQueue(length), openQueue(10)]
  const { ours, floor } = await alternate(
    repeats,
    () => Promise.resolve(many()),
    () => Promise.resolve(few()),
  )
  const name = `choice of the next task, and of a place, ${length.toLocaleString('en')} waiting`
  return {
    name,
    unit: 'µs',
    ours,
    floor: { what: 'the same, 10 waiting', value: floor },
    aim: { atMost: 5, of: 'ratio' },
  }
}

/** A limit on reviews is reached and left again: all tasks of its project stop, and go on. */
async function measureReviews(length: number, repeats: number): Promise<Figure> {
  const [many, few] = [openLimited(length), openLimited(10)]
  const { ours, floor } = await alternate(
    repeats,
    () => Promise.resolve(many()),
    () => Promise.resolve(few()),
  )
  return {
    name: `limit on reviews reached or left, ${length.toLocaleString('en')} waiting`,
    unit: 'µs',
    ours,
    floor: { what: 'the same, 10 waiting', value: floor },
    aim: { atMost: 5, of: 'ratio' },
  }
}

/** @returns what measures one review, in microseconds */
function openLimited(length: number): () => number {
  const { snapshot, tasks, now } = openSnapshot(length)
  const [reviewed] = tasks
  return () => {
    const startedAt = performance.now()
    for (let n = 0; n < DECISIONS; n++) {
      if (reviewed === undefined) continue
      const state = n % 2 === 0 ? 'READY' : 'COMPLETED'
      const object = { ...reviewed, status: { ...reviewed.status, state, executions: 1 } } as const
      snapshot.apply({ kind: 'task', name: reviewed.metadata.name, object })
      snapshot.nextToStart('bench', now)
    }
    return ((performance.now() - startedAt) * 1000) / DECISIONS
  }
}

/** @returns what measures one choice, in microseconds */
function openQueue(length: number): () => number {
  const { snapshot, tasks, now } = openSnapshot(length)
  return () => {
    const startedAt = performance.now()
    for (let n = 0; n < DECISIONS; n++) {
      const object = tasks[n % length]
      if (object === undefined) continue
      const { name } = object.metadata
      snapshot.apply({ kind: 'task', name, object: undefined })
      snapshot.nextToStart('bench', now)
      snapshot.apply({ kind: 'task', name, object })
      snapshot.positionOf(name)
    }
    return ((performance.now() - startedAt) * 1000) / DECISIONS
  }
}

function openSnapshot(length: number) {
  const snapshot = createSchedulingSnapshot(() => undefined)
  const metadata = { name: 'bench', namespace: 'default' }
  const spec = { adapter: 'script', maxAwaitingReview: 1 } as const
  const agent = { apiVersion: 'slipway.dev/v1alpha1', kind: 'Agent', metadata, spec } as const
  snapshot.apply({ kind: 'agent', name: 'bench', object: agent })
  const tasks = Array.from({ length }, (_, n) => makeQueuedTask(n, 'https://git.example/repo.git'))
  for (const task of tasks) snapshot.apply({ kind: 'task', name: task.metadata.name, object: task })
  return { snapshot, tasks, now: systemClock.now() }
}
