/**
 * Changes in the caches → live messages (specification §10.1).
 *
 * A message carries the record as it is at the moment of the change, made from the object of the change itself. The
 * cache never puts an older version over a newer one, and messages are made in the order of its changes: so no record in
 * a message is older than one of the same object that was sent before.
 *
 * The records of stories, epics and agents also depend on other objects: a story's on its tasks, an epic's on its stories,
 * an agent's on its slots, queue and limits. When one of those changes, the record is made again a quarter of a second later,
 * once for all changes in that time, and sent only if it differs from the last one sent. A rate limit ends without any
 * change, so a timer makes the agent's record again then.
 */
import type { Agent, Execution, Story, Task } from '../../core/crd/types.ts'
import { AGENT } from '../../core/kinds/agent.ts'
import { EPIC } from '../../core/kinds/epic.ts'
import { PROJECT } from '../../core/kinds/project.ts'
import { withoutAbsent } from '../../core/omit.ts'
import { toExecutionRecord } from '../../core/rest/map/execution.ts'
import { toStoryEventRecord } from '../../core/rest/map/story.ts'
import { findDoneRefusal } from '../../core/story/done.ts'
import { type Change, subjectOf, versionsOf } from '../../kube/cache.ts'
import type { Scheduling } from '../../kube/scheduling.ts'
import type { KubeObject } from '../../kube/types.ts'
import type { Clock } from '../../lib/clock.ts'
import { agentStatus } from '../records/agents-status.ts'
import type { Caches } from '../cache/caches.ts'
import { type RecordCache, isPresent } from '../cache/record-cache.ts'
import type { StoryView } from '../records/story-view.ts'
import type { TaskView } from '../records/task-view.ts'
import { versionOf } from '../cache/versions.ts'
import { decidedBy } from './decided-by.ts'
import type { Hub, LiveIds } from './hub.ts'
import { atLimitEnd } from './limit-end.ts'
import { taskMessages } from './task-messages.ts'

export interface PublishRecordsOptions {
  readonly caches: Caches
  readonly scheduling: Scheduling
  readonly tasks: TaskView
  readonly stories: StoryView
  readonly hub: Hub
  readonly clock: Clock
  /** Why no setup of a project runs here; undefined: they do. */
  readonly environmentProblem?: string | undefined
}

const THROTTLE_MS = 250

/** Publishes every change from now on. The caches must have synced, so that filling them publishes nothing. */
export function publishRecords(options: PublishRecordsOptions): void {
  const { caches, scheduling, tasks, stories, hub, clock, environmentProblem } = options
  onVisibleChange(caches.tasks, (change) => {
    const task = subjectOf(change)
    const ids = { ...taskIds(task), ...decidedBy(change) }
    const json = change.type === 'delete' ? undefined : tasks.brief(task).json
    for (const type of taskMessages(change)) hub.publish(type, ids, json)
  })
  // A DONE story takes no more work, so what can be done about its tasks changes, though they do not.
  onVisibleChange(caches.stories, (change) => {
    if (change.type !== 'update' || findDoneRefusal(change.previous) === findDoneRefusal(change.object)) return
    for (const task of caches.tasksOfStory(change.object.metadata.name))
      hub.publish('task_updated', taskIds(task), tasks.brief(task).json)
  })
  // An event goes only with its story, whose deletion is published.
  onVisibleChange(caches.storyEvents, (change) => {
    if (change.type === 'delete' || !showsAnything(change)) return
    const record = toStoryEventRecord(change.object)
    hub.publish('story_event', { story_id: record.story_id }, JSON.stringify(record))
  })
  publishKind(hub, caches.executions, {
    name: 'execution',
    ids: executionIds,
    render: (execution) => JSON.stringify(toExecutionRecord(execution)),
  })
  publishKind(hub, caches.projects, {
    name: 'project',
    ids: ({ metadata }) => ({ project_id: metadata.name }),
    render: (project) => JSON.stringify(PROJECT.toRecord(project, environmentProblem)),
  })
  const markStory = followKind({ hub, clock }, caches.stories, {
    name: 'story',
    ids: ({ metadata, spec }) => ({ story_id: metadata.name, ...(spec.epicId && { epic_id: spec.epicId }) }),
    render: (story) => String(stories.one(story).json),
  })
  const markEpic = followKind({ hub, clock }, caches.epics, {
    name: 'epic',
    ids: ({ metadata }) => ({ epic_id: metadata.name }),
    render: (epic) => JSON.stringify(EPIC.toRecord(epic, caches.storiesOfEpic(epic.metadata.name))),
  })
  const markAgent = followKind({ hub, clock }, caches.agents, {
    name: 'agent',
    ids: ({ metadata }) => ({ agent: metadata.name }),
    render: (agent) => JSON.stringify(AGENT.toRecord(agent, agentStatus(agent, scheduling, clock.now()))),
  })
  const markAgents = (): void => caches.agents.list().forEach(({ metadata }) => markAgent(metadata.name))

  onVisibleChange(caches.tasks, (change) => versionsOf<Task>(change).forEach(({ spec }) => markStory(spec.storyId)))
  onVisibleChange(caches.stories, (change) => versionsOf<Story>(change).forEach(({ spec }) => markEpic(spec.epicId)))
  for (const { informer } of [caches.tasks, caches.executions, caches.projects, caches.leases])
    informer.onChange(markAgents)
  const scheduleExpiry = (agent: Agent): void => atLimitEnd(agent, clock, () => markAgent(agent.metadata.name))
  onVisibleChange(caches.agents, (change) => {
    if (change.type !== 'delete') scheduleExpiry(change.object)
  })
  caches.agents.list().forEach(scheduleExpiry)
}

/** How the changes of a kind are published. */
interface Published<T> {
  readonly name: 'execution' | 'project' | 'story' | 'epic' | 'agent'
  readonly ids: (object: T) => LiveIds
  /** The record as JSON. */
  readonly render: (object: T) => string
}

/** Publishes changes of the objects themselves. @param noteSent is called with each record sent; undefined: the object is gone */
function publishKind<T extends KubeObject>(
  hub: Hub,
  cache: RecordCache<T>,
  { name, ids, render }: Published<T>,
  noteSent: (id: string, json: string | undefined) => void = () => undefined,
): void {
  onVisibleChange(cache, (change) => {
    if (!showsAnything(change) && !isRenderedAnew(change, render)) return
    const object = subjectOf(change)
    const json = change.type === 'delete' ? undefined : render(object)
    noteSent(object.metadata.name, json)
    if (json === undefined) hub.publish(`${name}_deleted`, ids(object))
    else hub.publish(`${name}_updated`, { ...ids(object), ...decidedBy(change) }, json)
  })
}

/** Does the same; call the returned function when a change of another object may have altered a record. */
function followKind<T extends KubeObject>(
  { hub, clock }: Pick<PublishRecordsOptions, 'hub' | 'clock'>,
  cache: RecordCache<T>,
  kind: Published<T>,
): (id: string | undefined) => void {
  /** The record sent last. Clients have read those of the objects that were there at the start. */
  const lastSent = new Map<string, string>()
  const noteSent = (id: string, json: string | undefined): void => {
    if (json === undefined) lastSent.delete(id)
    else lastSent.set(id, json)
  }
  const dirty = new Set<string>()
  const review = (): void => {
    for (const id of dirty) {
      const object = cache.find(id)
      const json = object && kind.render(object)
      if (object === undefined || json === undefined || json === lastSent.get(id)) continue
      noteSent(id, json)
      hub.publish(`${kind.name}_updated`, kind.ids(object), json)
    }
    dirty.clear()
  }
  for (const object of cache.list()) noteSent(object.metadata.name, kind.render(object))
  publishKind(hub, cache, kind, noteSent)
  return (id) => {
    if (id === undefined) return
    if (dirty.size === 0) clock.schedule(THROTTLE_MS, review)
    dirty.add(id)
  }
}

/** The ids in a message about a task. */
export function taskIds({ metadata, spec, status }: Task): LiveIds {
  const others = { execution_id: status?.execution, story_id: spec.storyId, agent: status?.agent?.type }
  return { task_id: metadata.name, ...withoutAbsent(others) }
}

function executionIds({ metadata, spec }: Execution): LiveIds {
  const others = { task_id: spec.taskRef?.name, story_id: spec.storyRef?.name, agent: spec.agent }
  return { execution_id: metadata.name, ...withoutAbsent(others) }
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
function showsAnything(change: Change<KubeObject>): boolean {
  return change.type !== 'update' || versionOf(change.object) !== versionOf(change.previous)
}

/** Whether a record shows what a change of the status has brought. */
function isRenderedAnew<T extends KubeObject>(change: Change<T>, render: (object: T) => string): boolean {
  return change.type === 'update' && render(change.object) !== render(change.previous)
}

function toVisible<T extends KubeObject>(change: Change<T>): Change<T> | undefined {
  if (change.type === 'delete') return isPresent(change.previous) ? change : undefined
  if (isPresent(change.object)) return change
  if (change.type === 'add' || !isPresent(change.previous)) return undefined
  return { type: 'delete', previous: change.object }
}
