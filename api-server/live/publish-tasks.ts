/**
 * task_updated for tasks that did not change themselves: what they wait for did, or git has found out what runs.
 *
 * Guarantees: words are sent once and only when they differ from those sent last; a look comes a quarter of a second
 * after the first sign and a second after the look before, however many signs come; it looks at what hangs on what has
 * changed (dirty.ts, and the effects of the scheduling snapshot), at {@link MAX_LOOKED} tasks at most, and tells
 * {@link MAX_SENT} of them at most, the others at the next looks. A queue that has moved is walked through from its
 * front, a part at each look, so that its length costs nothing at once and nobody in it is left out; while it moves on,
 * its front is sent again before the rest.
 */
import { stateOf } from '../../core/task/decide.ts'
import type { Agent, Execution, Task } from '../../core/crd/types.ts'
import { findWorkAfterAgent } from '../../core/execution/agent-part.ts'
import { isTerminal } from '../../core/execution/state.ts'
import { isSame } from '../../core/json.ts'
import { type Change, subjectOf } from '../../kube/cache.ts'
import type { Scheduling } from '../../kube/scheduling.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Caches } from '../cache/caches.ts'
import type { Deployments } from '../deployment/deployment.ts'
import type { DerivedParts, TaskView } from '../records/task-view.ts'
import type { Hub } from './hub.ts'
import { atLimitEnd } from './limit-end.ts'
import { onVisibleChange, taskIds } from './publish-records.ts'
import { type Dirty, markByAgent, markByTask, markWaiting, waitingTasks } from './dirty.ts'
import { taskMessages } from './task-messages.ts'

export interface PublishTasksOptions {
  readonly caches: Pick<Caches, 'tasks' | 'projects' | 'agents' | 'executions'>
  readonly scheduling: Pick<Scheduling, 'queueOf' | 'onEffects'>
  readonly tasks: Pick<TaskView, 'derived' | 'brief'>
  readonly deployments: Pick<Deployments, 'onChange'>
  readonly hub: Pick<Hub, 'publish'>
  readonly clock: Clock
}

const DELAY_MS = 250
const PERIOD_MS = 1000
/** Messages of one look. */
export const MAX_SENT = 200
/** Tasks that one look is about. */
const MAX_LOOKED = 2000
/** So many at the front of a queue that moves are sent before the rest. */
const FRONT = 50

/** Publishes such changes from now on. The caches must have synced; after publishRecords, whose messages come first. */
export function publishTasks(options: PublishTasksOptions): void {
  const { caches, scheduling, deployments, clock } = options
  const dirty: Dirty = { tasks: new Set(), queues: new Set() }
  const review = createReview(options, dirty)
  /** Marks what a change means, and sees to it that somebody looks. */
  const noting =
    <T>(note: (change: T) => void) =>
    (change: T): void => {
      note(change)
      review.wake()
    }

  waitingTasks(caches.tasks).forEach(review.remember)
  scheduling.onEffects(
    noting(({ agents, tasks }) => {
      for (const agent of agents) dirty.queues.add(agent)
      for (const name of tasks) dirty.tasks.add(name)
    }),
  )
  onVisibleChange(
    caches.tasks,
    noting((change) => {
      if (change.type === 'delete') review.forget(change.previous)
      else if (taskMessages(change).length > 0) review.remember(change.object)
      else dirty.tasks.add(change.object.metadata.name)
      markByTask(dirty, caches.tasks, change)
    }),
  )
  onVisibleChange(
    caches.projects,
    noting((change) => {
      if (change.type !== 'update') markWaiting(dirty, caches.tasks)
    }),
  )
  // What is said to an agent, whether it listens, and the checks of its work are its execution's.
  onVisibleChange(
    caches.executions,
    noting((change) => {
      const task = subjectOf(change).spec.taskRef?.name
      if (task !== undefined && saysOther(change)) dirty.tasks.add(task)
    }),
  )
  const markQueue = noting((agent: Agent) => void dirty.queues.add(agent.metadata.name))
  const watchLimit = (agent: Agent): void => atLimitEnd(agent, clock, () => markQueue(agent))
  onVisibleChange(
    caches.agents,
    noting((change) => {
      markByAgent(dirty, caches.tasks, change)
      if (change.type !== 'delete') watchLimit(change.object)
    }),
  )
  caches.agents.list().forEach(watchLimit)
  const markReady = noting((ready: readonly Task[]) => {
    for (const { metadata } of ready) dirty.tasks.add(metadata.name)
  })
  deployments.onChange(() => markReady(caches.tasks.informer.byIndex('state', 'READY')))
}

function saysOther(change: Change<Execution>): boolean {
  if (change.type !== 'update') return change.type === 'add'
  const [before, after] = [change.previous, change.object]
  const parts = ({ status }: Execution) => [status?.checks, status?.rounds]
  const isOtherWork = findWorkAfterAgent(before) !== findWorkAfterAgent(after)
  return isOtherWork || isTerminal(before) !== isTerminal(after) || !isSame(parts(before), parts(after))
}

interface Review {
  /** The message of the task itself has sent its words. */
  remember(task: Task): void
  forget(task: Task): void
  /** Something may be dirty. */
  wake(): void
}

function createReview(options: PublishTasksOptions, dirty: Dirty): Review {
  const { caches, scheduling, tasks, hub, clock } = options
  const walks = createWalks(scheduling)
  /** The derived part sent last, as JSON; of what was there at the start, as clients have read it. */
  const lastSent = new Map<string, string>()
  let isDue = false
  let lookedAt = Number.NEGATIVE_INFINITY

  const remember = ({ metadata }: Task, parts: DerivedParts | undefined): void => {
    if (parts === undefined) lastSent.delete(metadata.name)
    else lastSent.set(metadata.name, JSON.stringify(parts))
  }
  /** @returns whether it was sent */
  const review = (name: string): boolean => {
    const task = caches.tasks.find(name)
    if (task === undefined) return false
    const parts = tasks.derived(task)
    if ((parts && JSON.stringify(parts)) === lastSent.get(name)) return false
    const isFirst = !lastSent.has(name) && stateOf(task) === 'READY'
    remember(task, parts)
    // Not asked of git before: what clients have read of it is a no.
    if (isFirst && parts?.deployment_status?.includes_fix !== true) return false
    hub.publish('task_updated', taskIds(task), tasks.brief(task).json)
    return true
  }
  const look = (): void => {
    isDue = false
    lookedAt = clock.now().getTime()
    walks.begin(dirty.queues)
    dirty.queues.clear()
    let [looks, left] = [MAX_LOOKED, MAX_SENT]
    for (const name of concat(takeFrom(dirty.tasks), walks.next())) {
      if (review(name)) left -= 1
      if ((looks -= 1) === 0 || left === 0) break
    }
    wake()
  }
  const wake = (): void => {
    if (isDue || (dirty.tasks.size + dirty.queues.size === 0 && walks.areDone())) return
    isDue = true
    clock.schedule(Math.max(DELAY_MS, lookedAt + PERIOD_MS - clock.now().getTime()), look)
  }
  return {
    remember: (task) => remember(task, tasks.derived(task)),
    forget: ({ metadata }) => void lastSent.delete(metadata.name),
    wake,
  }
}

/** Walks through the queues that have moved, each from its front to its end. */
function createWalks({ queueOf }: Pick<Scheduling, 'queueOf'>) {
  /** Agent → how far the walk has come, and whether its queue has moved since. */
  const walks = new Map<string, { at: number; hasMoved: boolean }>()
  function* walk(agent: string): Generator<string> {
    const state = walks.get(agent)
    if (state === undefined) return
    if (state.hasMoved) for (const { name } of queueOf(agent, 0, Math.min(FRONT, state.at))) yield name
    for (;;) {
      const [task] = queueOf(agent, state.at, state.at + 1)
      if (task === undefined) break
      state.at += 1
      yield task.name
    }
    // Who moved up past the walk was left out by it.
    if (state.hasMoved) walks.set(agent, { at: 0, hasMoved: false })
    else walks.delete(agent)
  }
  return {
    begin(agents: Iterable<string>): void {
      for (const agent of agents) {
        const state = walks.get(agent)
        if (state === undefined) walks.set(agent, { at: 0, hasMoved: false })
        else state.hasMoved = true
      }
    },
    /** The next tasks of all walks; whoever stops taking them goes on there the next time. */
    *next(): Generator<string> {
      for (const agent of walks.keys()) yield* walk(agent)
    },
    areDone: () => walks.size === 0,
  }
}

/** Takes one after another out of a set. */
function* takeFrom(names: Set<string>): Generator<string> {
  for (const name of names) {
    names.delete(name)
    yield name
  }
}

function* concat<T>(...parts: Iterable<T>[]): Generator<T> {
  for (const part of parts) yield* part
}
