import type { Task } from '../../core/crd/types.ts'
import { isApiError } from '../../core/errors.ts'
import { approverOf } from '../../core/story/approval.ts'
import { TASKS } from '../../kube/resources.ts'
import { isConflict, isNotFound } from '../../kube/types.ts'
import { changeRecord } from '../commands/writes.ts'
import type { StoredPlan } from './plan-files.ts'
import { type StepContext, objectsOf } from './steps.ts'

/**
 * Takes back what became of a plan. The story goes first and takes its delivery along: a server that dies after that
 * leaves a plan without a story, and the next one goes on from here. The branch stays where it was pushed: somebody may
 * have built on it already, and one without work of its own does no harm.
 *
 * @returns false when another server has taken the approval over: then what becomes of it is that one's decision
 */
export async function undo(context: StepContext, stored: StoredPlan): Promise<boolean> {
  if (!(await removeStory(context, stored.story))) return false
  await removeRest(context, stored)
  return true
}

/** What a plan without its story has left. */
export async function removeRest(context: StepContext, stored: StoredPlan): Promise<void> {
  for (const task of objectsOf(context, stored).tasks.toReversed()) await removeTask(context, task)
  await context.files.remove(stored.story)
}

/** A compare-and-swap: it is deleted as it was when it still bore our mark. */
async function removeStory({ client, caches, approver }: StepContext, id: string): Promise<boolean> {
  try {
    const { result } = await changeRecord(client, caches.allStories, { kind: 'story', id }, (story) =>
      approverOf(story) === approver ? { write: story, isRemoval: true, result: true } : { result: false },
    )
    return result
  } catch (error) {
    if (isApiError(error, 'not_found')) return true
    throw error
  }
}

async function removeTask({ client, caches, namespace }: StepContext, { metadata, spec }: Task): Promise<void> {
  const { name } = metadata
  const found = await client.find(TASKS, { namespace, name })
  if (found === undefined || found.spec.storyId !== spec.storyId) return
  try {
    const preconditions = found.metadata.uid === undefined ? {} : { uid: found.metadata.uid }
    await client.delete(TASKS, { namespace, name }, { preconditions })
    caches.tasks.informer.observeDeleted(found)
  } catch (error) {
    if (!isNotFound(error) && !isConflict(error)) throw error
  }
}
