import { countOf } from '../../core/sentences/amounts.ts'
import type { Story, StoryEvent, Task } from '../../core/crd/types.ts'
import { decisionEvent } from '../../core/decision-event.ts'
import { apiError, isApiError } from '../../core/errors.ts'
import { type StoryDecision, decideStory, findRefusal } from '../../core/story/decide.ts'
import { acceptanceEvent } from '../../core/story/events.ts'
import { stateOf } from '../../core/task/decide.ts'
import { isAlreadyExists } from '../../kube/types.ts'
import type { Caller } from '../auth/tokens.ts'
import type { ApiContext } from '../context.ts'
import { type DecisionContext, type RecordCall, decide } from './decide-task.ts'
import { chainOrder } from '../records/order.ts'
import { changeRecord } from './writes.ts'

/** What a person asked for. */
export type StoryRequest = RecordCall &
  ({ readonly action: 'accept' } | { readonly action: 'move'; readonly status: string })

/**
 * Performs one human decision about a story: decided in core, written as a compare-and-swap. When it
 * returns, the decision is stored, and of an accept the event too.
 *
 * @throws ApiError `not_found`, `precondition_failed`, `transition_refused`, `invalid_request`
 */
export async function decideOnStory(
  context: DecisionContext,
  request: StoryRequest,
): Promise<{ readonly story: Story; readonly message: string }> {
  const { client, caches, clock } = context
  const decision: StoryDecision = { ...request, by: request.caller.name, at: clock.now() }
  const { object, result } = await changeRecord(client, caches.stories, { kind: 'story', id: request.id }, (story) => {
    context.preconditions.story(request.ifMatch, story)
    const outcome = decideStory(story, caches.tasksOfStory(request.id), decision, caches.fourEyes)
    if (outcome.kind === 'refused') throw outcome.error
    return { write: { ...story, status: outcome.status }, subresource: 'status', result: outcome.message }
  })
  context.events.record(object, decisionEvent(request.action, result, request.caller.name))
  await recordAcceptance(context, object)
  return { story: object, message: result }
}

/** Should this process die before, the operator makes the event: it finds a story that is DONE, with a condition that is not. */
async function recordAcceptance({ client, caches }: ApiContext, story: Story): Promise<void> {
  const event = acceptanceEvent(story)
  if (event === undefined) return
  const { resource, observe } = caches.storyEvents.informer
  try {
    observe(await client.create<StoryEvent>(resource, event))
  } catch (error) {
    if (!isAlreadyExists(error)) throw error
  }
}

/**
 * Queues the PENDING tasks of a story in chain order; the operator lets each wait for its dependency. Subtasks are not
 * queued: their parent does that when it has succeeded (specification §4.14).
 *
 * @throws ApiError `not_found`, `precondition_failed`, `transition_refused` for a DONE story
 */
export async function runStory(context: DecisionContext, { id, caller, ifMatch }: RecordCall) {
  const { client, caches } = context
  const { object: story } = await changeRecord(client, caches.stories, { kind: 'story', id }, (story) => {
    context.preconditions.story(ifMatch, story)
    const refusal = findRefusal(story, 'run')
    if (refusal !== undefined) throw apiError('transition_refused', refusal)
    return { result: undefined }
  })
  const queued: string[] = []
  for (const { metadata } of chainOrder(caches.tasksOfStory(id).filter(isPending)))
    if (await queue(context, metadata.name, caller)) queued.push(metadata.name)
  const message = `${countOf(queued.length, 'task')} queued for execution`
  return { story: caches.stories.find(id) ?? story, message, task_ids: queued }
}

function isPending(task: Task): boolean {
  return stateOf(task) === 'PENDING' && task.spec.parentTaskId === undefined
}

/** False when somebody else was faster with the task, or it comes back from the archive: then there is nothing to queue. */
async function queue(context: DecisionContext, id: string, caller: Caller): Promise<boolean> {
  try {
    await decide(context, { id, action: 'run', caller })
    return true
  } catch (error) {
    if (isApiError(error, 'transition_refused', 'being_restored')) return false
    throw error
  }
}
