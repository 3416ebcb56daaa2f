/**
 * Changes in the caches → messages for everybody who listens.
 *
 * A message is made and turned into text once, whoever gets it. The hub starts when the caches hold everything, so
 * that filling them is no news. It keeps the last messages for clients that come back; one that asks for more than
 * is kept is told to read again (`resync`).
 */
import type { Agent, Execution, Project, Task } from '../../core/crd/types.ts'
import { toExecutionRecord } from '../../core/rest/map/execution.ts'
import { toProjectRecord } from '../../core/rest/map/project.ts'
import type { LiveMessage, LiveMessageType } from '../../core/rest/messages.ts'
import { toTimestamp } from '../../core/time.ts'
import type { Change } from '../../kube/cache.ts'
import type { Clock } from '../../lib/clock.ts'
import { agentStatus } from '../agents-status.ts'
import type { Caches } from '../caches.ts'
import type { Queues } from '../queues.ts'
import type { TaskView } from '../task-view.ts'
import { createRing } from './ring.ts'
import { taskMessages } from './task-messages.ts'

/** A message as it is sent. */
export interface LiveText {
  readonly type: LiveMessageType
  readonly text: string
}

export interface Hub {
  /** Begins to watch the caches; they must have synced. */
  start(): void
  /** Calls `listener` for every message from now on, and first for those after `since`. Returns what ends it. */
  listen(listener: (message: LiveText) => void, since: string | undefined): () => void
}

export interface HubOptions {
  readonly caches: Caches
  readonly queues: Queues
  readonly tasks: TaskView
  readonly clock: Clock
  /** Tells this run of the server from others; letters and digits only. */
  readonly epoch: string
}

const KEPT_MESSAGES = 2000

export function createHub({ caches, queues, tasks, clock, epoch }: HubOptions): Hub {
  const ring = createRing<LiveText>(KEPT_MESSAGES, epoch)
  const listeners = new Set<(message: LiveText) => void>()

  const make = (type: LiveMessageType, content: Omit<LiveMessage, 'id' | 'type' | 'at'>): LiveText => {
    const message: LiveMessage = { id: ring.nextId(), type, at: toTimestamp(clock.now()), ...content }
    return { type, text: JSON.stringify(message) }
  }
  const broadcast = (type: LiveMessageType, content: Omit<LiveMessage, 'id' | 'type' | 'at'>): void => {
    const message = make(type, content)
    ring.push(message)
    for (const listener of listeners) listener(message)
  }
  const onTask = (change: Change<Task>): void => {
    const task = change.type === 'delete' ? change.previous : change.object
    for (const type of taskMessages(change)) {
      broadcast(type, { ...taskIds(task), ...(type === 'task_deleted' ? {} : { task: tasks.record(task) }) })
    }
  }
  const onExecution = (change: Change<Execution>): void => {
    if (change.type === 'delete') return
    const { metadata, spec } = change.object
    const task = spec.taskRef === undefined ? {} : { task_id: spec.taskRef.name }
    const record = toExecutionRecord(change.object)
    broadcast('execution_updated', { ...task, execution_id: metadata.name, agent: spec.agent, execution: record })
  }
  const onProject = (change: Change<Project>): void => {
    if (change.type !== 'delete') broadcast('project_updated', { project: toProjectRecord(change.object) })
  }
  const onAgent = (change: Change<Agent>): void => {
    if (change.type === 'delete') return
    const record = agentStatus(change.object, queues, clock.now())
    broadcast('agent_updated', { agent: record.agent, agent_status: record })
  }
  return {
    start() {
      caches.tasks.informer.onChange(afterReplay(onTask))
      caches.executions.informer.onChange(afterReplay(onExecution))
      caches.projects.informer.onChange(afterReplay(onProject))
      caches.agents.informer.onChange(afterReplay(onAgent))
    },
    listen(listener, since) {
      const missed = since === undefined ? [] : (ring.since(since) ?? [make('resync', {})])
      for (const message of missed) listener(message)
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** Informers tell a new handler of everything that is there already, before they return: that is no news. */
function afterReplay<C>(handler: (change: C) => void): (change: C) => void {
  let isReplaying = true
  queueMicrotask(() => (isReplaying = false))
  return (change) => {
    if (!isReplaying) handler(change)
  }
}

function taskIds({
  metadata,
  spec,
  status,
}: Task): Pick<LiveMessage, 'task_id' | 'story_id' | 'execution_id' | 'agent'> {
  return {
    task_id: metadata.name,
    ...(status?.execution === undefined ? {} : { execution_id: status.execution }),
    ...(spec.storyId === undefined ? {} : { story_id: spec.storyId }),
    ...(status?.agent?.type === undefined ? {} : { agent: status.agent.type }),
  }
}
