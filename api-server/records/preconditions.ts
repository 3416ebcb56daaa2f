import type { Agent, Epic, Project, Story, Task } from '../../core/crd/types.ts'
import { apiError } from '../../core/errors.ts'
import { AGENT } from '../../core/kinds/agent.ts'
import { EPIC } from '../../core/kinds/epic.ts'
import { PROJECT } from '../../core/kinds/project.ts'
import { STORY } from '../../core/kinds/story.ts'
import { toReviewFields } from '../../core/rest/map/story.ts'
import { toTaskRecord } from '../../core/rest/map/task.ts'
import { storyStatus } from '../../core/story/status.ts'
import { stateOf } from '../../core/task/decide.ts'
import { inWholeSeconds } from '../../core/time.ts'
import type { KubeObject } from '../../kube/types.ts'
import type { Caches } from '../cache/caches.ts'
import type { RecordCache } from '../cache/record-cache.ts'
import { type ChangeLog, createChangeLog } from '../cache/change-log.ts'
import { versionInTag } from './representation.ts'
import { versionOf } from '../cache/versions.ts'

/**
 * Judges `If-Match` (RFC 9110 §13.1.1) by the resource's version. Derived parts of the tag do not count: a place in a
 * queue that moved is no reason to refuse a decision about the task.
 *
 * @throws ApiError `precondition_failed` saying what changed: which fields, as long as that is known, and what the object is now
 */
export type Precondition<T> = (ifMatch: string | undefined, object: T) => void

/** One for each kind that people edit or decide about. */
export interface Preconditions {
  readonly task: Precondition<Task>
  readonly story: Precondition<Story>
  readonly project: Precondition<Project>
  readonly epic: Precondition<Epic>
  readonly agent: Precondition<Agent>
}

export function createPreconditions(caches: Caches): Preconditions {
  return {
    task: precondition(caches.tasks, taskFields, formatTaskMessage),
    story: precondition(caches.stories, storyFields, formatStoryMessage),
    project: precondition(caches.projects, ({ spec }) => PROJECT.toInput(spec)),
    epic: precondition(caches.epics, ({ spec }) => EPIC.toInput(spec)),
    agent: precondition(caches.agents, ({ spec }) => AGENT.toInput(spec)),
  }
}

function precondition<T extends KubeObject>(
  { informer }: RecordCache<T>,
  fieldsOf: (object: T) => object,
  describe: (object: T) => string = formatVersionMessage,
): Precondition<T> {
  const changes = createChangeLog(informer, fieldsOf)
  const explain = (object: T, given: readonly string[]): string => {
    const fields = nameFields(changes, object, given)
    if (fields === undefined) return `: ${[...new Set([formatVersionMessage(object), describe(object)])].join('; ')}`
    return `${fields === '' ? '' : `, in ${fields}`}: ${describe(object)}`
  }
  return (ifMatch, object) => {
    if (ifMatch === undefined || ifMatch.trim() === '*') return
    const given = ifMatch.split(',').map((tag) => versionInTag(tag.trim()))
    if (given.includes(versionOf(object)) || given.some((version) => changes.isUnchangedSince(object, version))) return
    throw apiError(
      'precondition_failed',
      `${object.metadata.name} has changed since it was read${explain(object, given)}`,
    )
  }
}

/** Which fields changed since the latest of these versions that is known of still, or at which version it is now. */
function nameFields<T extends KubeObject>(
  changes: ChangeLog<T>,
  object: T,
  given: readonly string[],
): string | undefined {
  const known = given.map((version) => changes.fieldsSince(object, version)).filter((fields) => fields !== undefined)
  return known.sort((a, b) => a.length - b.length)[0]?.join(', ')
}

function formatVersionMessage(object: KubeObject): string {
  return `it is at version ${versionOf(object)} now`
}

/** When it was changed says nothing about what was. CI that goes on or passes is no reason to look again, one that fails is. */
function taskFields(task: Task): object {
  const { updated_at: _, ci, ...fields } = toTaskRecord(task)
  return ci?.state === 'failed' ? { ...fields, ci: ci.state } : fields
}

function storyFields(story: Story): object {
  return { ...STORY.toInput(story.spec), ...toReviewFields(story), status: storyStatus(story) }
}

/** A task as a person would want to hear of it who looked at an older version. */
function formatTaskMessage(task: Task): string {
  const last = task.status?.decisions?.at(-1)
  const decided =
    last === undefined ? '' : `; last decision: ${last.action} by ${last.by ?? 'unknown'} at ${inWholeSeconds(last.at)}`
  return `its state is ${stateOf(task)}${decided}`
}

/** A story as a person would want to hear of it who looked at an older version. */
function formatStoryMessage(story: Story): string {
  const { statusChangedAt } = story.status ?? {}
  return `its status is ${storyStatus(story)}${statusChangedAt === undefined ? '' : ` since ${statusChangedAt}`}`
}
