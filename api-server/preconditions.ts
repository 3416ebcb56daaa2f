import type { Story, Task } from '../core/crd/types.ts'
import { PreconditionFailed } from '../core/errors.ts'
import { storyStatus } from '../core/story/status.ts'
import { stateOf } from '../core/task/decide.ts'
import type { KubeObject } from '../kube/types.ts'
import { versionInTag } from './representation.ts'
import { versionOf } from './versions.ts'

/**
 * Judges `If-Match` (RFC 9110 §13.1.1) by the resource's version. Derived parts of the tag do not count: a place in a
 * queue that moved is no reason to refuse a decision about the task.
 *
 * @throws PreconditionFailed saying what changed
 */
export function checkIfMatch(ifMatch: string | undefined, object: KubeObject, now: string): void {
  if (ifMatch === undefined || ifMatch.trim() === '*') return
  const version = versionOf(object)
  if (ifMatch.split(',').some((tag) => versionInTag(tag.trim()) === version)) return
  throw new PreconditionFailed(`${object.metadata.name} has changed since it was read: ${now}`)
}

/** A task as a person would want to hear of it who looked at an older version. */
export function describeTask(task: Task): string {
  const last = task.status?.decisions?.at(-1)
  const decided = last === undefined ? '' : `; last decision: ${last.action} by ${last.by ?? 'unknown'} at ${last.at}`
  return `its state is ${stateOf(task)}${decided}`
}

/** A story as a person would want to hear of it who looked at an older version. */
export function describeStory(story: Story): string {
  const { statusChangedAt } = story.status ?? {}
  return `its status is ${storyStatus(story)}${statusChangedAt === undefined ? '' : ` since ${statusChangedAt}`}`
}
