/**
 * task_updated for tasks that did not change themselves: what they wait for did, or git has found out what runs.
 *
 * Guarantees: words are told once and only when they differ from those told last; a look comes a quarter of a second
 * after the first sign and a second after the look before, however many signs come; it looks at the tasks that hang on
 * what has changed (suspects.ts) and tells {@link MAX_TOLD} of them at most, the others at the next looks. So a line of
 * thousands that moves up does not drive everything else out of the history.
 */
import { stateOf } from '../../core/task/decide.ts'
import type { Agent, Task } from '../../core/crd/types.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Caches } from '../cache/caches.ts'
import type { Deployments } from '../deployment/deployment.ts'
import type { Queues } from '../records/scheduling.ts'
import type { DerivedParts, TaskView } from '../records/task-view.ts'
import type { Hub } from './hub.ts'
import { atLimitEnd } from './limit-end.ts'
import { onVisibleChange, taskIds } from './news.ts'
import type { Suspects } from './dirty.ts'
import { suspectAll, suspectByAgent, suspectByExecution, suspectByLease, suspectByTask, waitingTasks } from './dirty.ts'
import { taskMessages } from './task-messages.ts'

export interface TaskNewsOptions {
  readonly caches: Pick<Caches, 'tasks' | 'executions' | 'projects' | 'agents' | 'leases'>
  readonly queues: Pick<Queues, 'loadOf' | 'queuedFor'>
  readonly tasks: Pick<TaskView, 'derived' | 'one'>
  readonly deployments: Pick<Deployments, 'onNews'>
  readonly hub: Pick<Hub, 'publish'>
  readonly clock: Clock
}

const DELAY_MS = 250
const PERIOD_MS = 1000
/** Messages of one look. */
export const MAX_TOLD = 200

/** Publishes such changes from now on. The caches must have synced; after publishChanges, whose messages come first. */
export function publishTaskNews(options: TaskNewsOptions): void {
  const { caches, deployments, clock } = options
  const suspects: Suspects = { tasks: new Set(), lines: new Set() }
  const review = createReview(options, suspects)
  /** Takes down what a change means, and sees to it that somebody looks. */
  const noting =
    <T>(note: (change: T) => void) =>
    (change: T): void => {
      note(change)
      review.wake()
    }

  waitingTasks(caches.tasks).forEach(review.remember)
  onVisibleChange(
    caches.tasks,
    noting((change) => {
      if (change.type === 'delete') review.forget(change.previous)
      else if (taskMessages(change).length > 0) review.remember(change.object)
      else suspects.tasks.add(change.object.metadata.name)
      suspectByTask(suspects, caches.tasks, change)
    }),
  )
  onVisibleChange(
    caches.leases,
    noting((change) => suspectByLease(suspects, change)),
  )
  onVisibleChange(
    caches.executions,
    noting((change) => suspectByExecution(suspects, change)),
  )
  onVisibleChange(
    caches.projects,
    noting((change) => {
      if (change.type !== 'update') suspectAll(suspects, caches.tasks)
    }),
  )
  const suspectLine = noting((agent: Agent) => void suspects.lines.add(agent.metadata.name))
  const watchLimit = (agent: Agent): void => atLimitEnd(agent, clock, () => suspectLine(agent))
  onVisibleChange(
    caches.agents,
    noting((change) => {
      suspectByAgent(suspects, caches.tasks, change)
      if (change.type !== 'delete') watchLimit(change.object)
    }),
  )
  caches.agents.list().forEach(watchLimit)
  const suspectReady = noting((ready: readonly Task[]) => {
    for (const { metadata } of ready) suspects.tasks.add(metadata.name)
  })
  deployments.onNews(() => suspectReady(caches.tasks.informer.byIndex('state', 'READY')))
}

interface Review {
  /** The message of the task itself has told its words. */
  remember(task: Task): void
  forget(task: Task): void
  /** There may be suspects. */
  wake(): void
}

function createReview(options: TaskNewsOptions, suspects: Suspects): Review {
  const { caches, tasks, hub, clock } = options
  /** The derived part told last, as JSON; of what was there at the start, as clients have read it. */
  const told = new Map<string, string>()
  let isDue = false
  let lookedAt = Number.NEGATIVE_INFINITY

  const remember = ({ metadata }: Task, parts: DerivedParts | undefined): void => {
    if (parts === undefined) told.delete(metadata.name)
    else told.set(metadata.name, JSON.stringify(parts))
  }
  /** @returns whether it was told */
  const review = (name: string): boolean => {
    const task = caches.tasks.find(name)
    if (task === undefined) return false
    const parts = tasks.derived(task)
    if ((parts && JSON.stringify(parts)) === told.get(name)) return false
    const isFirst = !told.has(name) && stateOf(task) === 'READY'
    remember(task, parts)
    // Not asked of git before: what clients have read of it is a no.
    if (isFirst && parts?.deployment_status?.includes_fix !== true) return false
    hub.publish('task_updated', taskIds(task), tasks.one(task).json)
    return true
  }
  const look = (): void => {
    isDue = false
    lookedAt = clock.now().getTime()
    for (const agent of suspects.lines) lineOf(options, agent).forEach((name) => suspects.tasks.add(name))
    suspects.lines.clear()
    let left = MAX_TOLD
    for (const name of suspects.tasks) {
      if (left === 0) break
      suspects.tasks.delete(name)
      if (review(name)) left -= 1
    }
    wake()
  }
  const wake = (): void => {
    if (isDue || suspects.tasks.size + suspects.lines.size === 0) return
    isDue = true
    clock.schedule(Math.max(DELAY_MS, lookedAt + PERIOD_MS - clock.now().getTime()), look)
  }
  return {
    remember: (task) => remember(task, tasks.derived(task)),
    forget: ({ metadata }) => void told.delete(metadata.name),
    wake,
  }
}

/** The tasks of an agent's line from its front, then those that do not stand in it yet. */
function lineOf({ caches, queues }: TaskNewsOptions, name: string): string[] {
  const agent = caches.agents.find(name)
  const line = agent === undefined ? [] : queues.loadOf(agent).line.inOrder()
  return [...line, ...queues.queuedFor(name)].map(({ metadata }) => metadata.name)
}
