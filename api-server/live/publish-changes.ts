/**
 * Changes in the caches → live messages (specification §10.1).
 *
 * A message carries the record as it is at the moment of the change, made from the object of the change itself. The
 * cache never puts an older version over a newer one, and messages are made in the order of its changes: so no record in
 * a message is older than one of the same object that was sent before.
 */
import type { Execution, Project, StoryEvent, Task } from '../../core/crd/types.ts'
import { PROJECT } from '../../core/kinds/project.ts'
import { toExecutionRecord } from '../../core/rest/map/execution.ts'
import { toStoryEventRecord } from '../../core/rest/map/story.ts'
import type { LiveMessageType } from '../../core/rest/messages.ts'
import type { Change } from '../../kube/cache.ts'
import { subjectOf } from '../../kube/cache.ts'
import type { KubeObject } from '../../kube/types.ts'
import type { Caches } from '../cache/caches.ts'
import type { RecordCache } from '../cache/record-cache.ts'
import { isPresent } from '../cache/record-cache.ts'
import type { TaskView } from '../records/task-view.ts'
import { versionOf } from '../cache/versions.ts'
import { decidedBy } from './decided-by.ts'
import type { Hub, LiveIds } from './hub.ts'
import { taskMessages } from './task-messages.ts'

export interface PublishChangesOptions {
  readonly caches: Caches
  readonly tasks: TaskView
  readonly hub: Hub
}

/** Publishes every change from now on. The caches must have synced: filling them is no news. */
export function publishChanges({ caches, tasks, hub }: PublishChangesOptions): void {
  onVisibleChange(caches.tasks, (change) => {
    const task = subjectOf(change)
    const ids = { ...taskIds(task), ...decidedBy(change) }
    const json = change.type === 'delete' ? undefined : tasks.one(task).json
    for (const type of taskMessages(change)) hub.publish(type, ids, json)
  })
  const publishEach = <T extends KubeObject>(cache: RecordCache<T>, { updated, deleted, ids, record }: Told<T>): void =>
    onVisibleChange(cache, (change) => {
      if (!showsAnything(change)) return
      const object = subjectOf(change)
      if (change.type !== 'delete') hub.publish(updated, ids(object), JSON.stringify(record(object)))
      else if (deleted !== undefined) hub.publish(deleted, ids(object))
    })
  publishEach(caches.executions, {
    updated: 'execution_updated',
    deleted: 'execution_deleted',
    ids: executionIds,
    record: toExecutionRecord,
  })
  publishEach(caches.storyEvents, {
    updated: 'story_event',
    ids: ({ spec }: StoryEvent) => ({ story_id: spec.storyId }),
    record: toStoryEventRecord,
  })
  publishEach(caches.projects, {
    updated: 'project_updated',
    deleted: 'project_deleted',
    ids: ({ metadata }: Project) => ({ project_id: metadata.name }),
    record: PROJECT.toRecord,
  })
}

/** How the changes of a kind are told. */
interface Told<T> {
  readonly updated: LiveMessageType
  /** Undefined: its end is told by that of its owner. */
  readonly deleted?: LiveMessageType
  readonly ids: (object: T) => LiveIds
  readonly record: (object: T) => unknown
}

/** The ids in a message about a task. */
export function taskIds({ metadata, spec, status }: Task): LiveIds {
  return {
    task_id: metadata.name,
    ...(status?.execution === undefined ? {} : { execution_id: status.execution }),
    ...(spec.storyId === undefined ? {} : { story_id: spec.storyId }),
    ...(status?.agent?.type === undefined ? {} : { agent: status.agent.type }),
  }
}

function executionIds({ metadata, spec }: Execution): LiveIds {
  return {
    execution_id: metadata.name,
    ...(spec.taskRef === undefined ? {} : { task_id: spec.taskRef.name }),
    ...(spec.storyRef === undefined ? {} : { story_id: spec.storyRef.name }),
    ...(spec.agent === undefined ? {} : { agent: spec.agent }),
  }
}

/**
 * Calls `handler` for every change from now on, as REST shows it: what is being deleted is gone at once, however long
 * its finalizers keep it (specification §3.25), and is gone only once. A story whose plan is being approved comes when
 * that is done.
 */
export function onVisibleChange<T extends KubeObject>(
  { informer }: RecordCache<T>,
  handler: (change: Change<T>) => void,
): void {
  // Informers tell a new handler of everything that is there already, before they return.
  let isReplaying = true
  informer.onChange((change) => {
    const visible = isReplaying ? undefined : toVisible(change)
    if (visible !== undefined) handler(visible)
  })
  isReplaying = false
}

/** False where nobody sees a difference: a condition that the operator wrote and no record shows. */
export function showsAnything(change: Change<KubeObject>): boolean {
  return change.type !== 'update' || versionOf(change.object) !== versionOf(change.previous)
}

function toVisible<T extends KubeObject>(change: Change<T>): Change<T> | undefined {
  if (change.type === 'delete') return isHidden(change.previous) ? undefined : change
  if (!isHidden(change.object)) return change
  if (change.type === 'add' || isHidden(change.previous)) return undefined
  return { type: 'delete', previous: change.object }
}

function isHidden(object: KubeObject): boolean {
  return !isPresent(object)
}
