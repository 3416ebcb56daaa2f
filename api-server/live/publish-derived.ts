/**
 * story_updated, epic_updated and agent_updated: records that change with other objects, often without any change of
 * their own: a story with its tasks, an epic with its stories, an agent with its slots, its queue and its limits.
 *
 * A change of the object itself is sent at once. What another change may have altered is made again a quarter of a
 * second after the first sign of it, once however many signs come meanwhile, and sent only where it differs from what
 * was sent last. A rate limit ends by time alone: the agents are looked at again then.
 */
import type { Agent, Story, Task } from '../../core/crd/types.ts'
import { AGENT } from '../../core/kinds/agent.ts'
import { EPIC } from '../../core/kinds/epic.ts'
import type { LiveMessageType } from '../../core/rest/messages.ts'
import { versionsOf } from '../../kube/cache.ts'
import type { KubeObject } from '../../kube/types.ts'
import type { Scheduling } from '../../kube/scheduling.ts'
import type { Clock } from '../../lib/clock.ts'
import { agentStatus } from '../records/agents-status.ts'
import type { Caches } from '../cache/caches.ts'
import type { RecordCache } from '../cache/record-cache.ts'
import type { StoryView } from '../records/story-view.ts'
import { decidedBy } from './decided-by.ts'
import type { Hub, LiveIds } from './hub.ts'
import { atLimitEnd } from './limit-end.ts'
import { onVisibleChange, showsAnything } from './publish-changes.ts'

export interface PublishDerivedOptions {
  readonly caches: Caches
  readonly scheduling: Scheduling
  readonly stories: StoryView
  readonly hub: Hub
  readonly clock: Clock
}

const THROTTLE_MS = 250

/** Publishes the changes of stories, epics and agents from now on. The caches must have synced. */
export function publishDerived({ caches, scheduling, stories, hub, clock }: PublishDerivedOptions): void {
  const follower = { hub, clock }
  const markStory = followKind(follower, caches.stories, {
    updated: 'story_updated',
    deleted: 'story_deleted',
    ids: ({ metadata, spec }) => ({ story_id: metadata.name, ...(spec.epicId && { epic_id: spec.epicId }) }),
    render: (story) => String(stories.one(story).json),
  })
  const markEpic = followKind(follower, caches.epics, {
    updated: 'epic_updated',
    deleted: 'epic_deleted',
    ids: ({ metadata }) => ({ epic_id: metadata.name }),
    render: (epic) => JSON.stringify(EPIC.toRecord(epic, caches.storiesOfEpic(epic.metadata.name))),
  })
  const markAgent = followKind(follower, caches.agents, {
    updated: 'agent_updated',
    deleted: 'agent_deleted',
    ids: ({ metadata }) => ({ agent: metadata.name }),
    render: (agent) => JSON.stringify(AGENT.toRecord(agent, agentStatus(agent, scheduling, clock.now()))),
  })
  const markAgents = (): void => caches.agents.list().forEach(({ metadata }) => markAgent(metadata.name))

  onVisibleChange(caches.tasks, (change) => versionsOf<Task>(change).forEach(({ spec }) => markStory(spec.storyId)))
  onVisibleChange(caches.stories, (change) => versionsOf<Story>(change).forEach(({ spec }) => markEpic(spec.epicId)))
  for (const { informer } of [caches.tasks, caches.executions, caches.projects, caches.leases])
    informer.onChange(markAgents)
  onVisibleChange(caches.agents, (change) => {
    if (change.type !== 'delete') scheduleExpiry(change.object)
  })
  const scheduleExpiry = (agent: Agent): void => atLimitEnd(agent, clock, () => markAgent(agent.metadata.name))
  caches.agents.list().forEach(scheduleExpiry)
}

interface Derived<T> {
  readonly updated: LiveMessageType
  readonly deleted: LiveMessageType
  readonly ids: (object: T) => LiveIds
  /** The record as JSON, from the object and from what it depends on. */
  readonly render: (object: T) => string
}

/** Sends the changes of a kind's objects; the returned function says that another change may have altered a record. */
function followKind<T extends KubeObject>(
  { hub, clock }: Pick<PublishDerivedOptions, 'hub' | 'clock'>,
  cache: RecordCache<T>,
  { updated, deleted, ids, render }: Derived<T>,
): (name: string | undefined) => void {
  /** The text sent last; of what was there at the start, as clients have read it. */
  const lastSent = new Map<string, string>()
  const dirty = new Set<string>()
  const send = (object: T, json: string, by: Pick<LiveIds, 'by'> = {}): void => {
    lastSent.set(object.metadata.name, json)
    hub.publish(updated, { ...ids(object), ...by }, json)
  }
  const review = (): void => {
    for (const name of dirty) {
      const object = cache.find(name)
      const json = object && render(object)
      if (object && json !== undefined && json !== lastSent.get(name)) send(object, json)
    }
    dirty.clear()
  }
  for (const object of cache.list()) lastSent.set(object.metadata.name, render(object))
  onVisibleChange(cache, (change) => {
    if (!showsAnything(change)) return
    if (change.type !== 'delete') return send(change.object, render(change.object), decidedBy(change))
    lastSent.delete(change.previous.metadata.name)
    return hub.publish(deleted, ids(change.previous))
  })
  return (name) => {
    if (name === undefined) return
    if (dirty.size === 0) clock.schedule(THROTTLE_MS, review)
    dirty.add(name)
  }
}
