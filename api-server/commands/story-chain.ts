/**
 * Adds tasks to the chain of a story so that it never forks, whoever adds at the same time.
 *
 * The story notes the end of its chain. A task is created behind what was the end when it was looked at, and becomes
 * the new end by a compare-and-swap on the story. Whoever loses that race puts its task behind the new end and tries
 * again, so each end is followed by one task only. A server that dies in between leaves a task that is wired to the
 * chain already, and the next one finds it there: {@link chainEnds} looks behind the noted end.
 *
 * Within one server tasks take turns, so that races are left to several servers. What such a race can cost: a task
 * that loses and is started within those milliseconds stays where it was, beside the chain.
 */
import type { Story, Task } from '../../core/crd/types.ts'
import { apiError, isApiError } from '../../core/errors.ts'
import type { TaskCreate } from '../../core/kinds/task.ts'
import { chainEnds, moveLink, notedEnd, noteEnd } from '../../core/story/chain.ts'
import { findRefusal } from '../../core/story/decide.ts'
import { stateOf } from '../../core/task/decide.ts'
import { isNotFound } from '../../kube/types.ts'
import type { ApiContext } from '../context.ts'
import { type CreateTaskContext, createTask } from './create-task.ts'
import { changeRecord, requireFound } from './writes.ts'

/** A task on its way into a chain. */
interface Link {
  readonly storyId: string
  readonly task: Task
  /** What it was wired to, beside what its caller asked for. */
  readonly behind: readonly string[]
  /** The end that the story noted when the task was wired. */
  readonly seenEnd: string | undefined
}

/**
 * Creates a task at the end of a story's chain; a subtask is created as it is, because it belongs to its parent.
 *
 * @throws ApiError `not_found`, `transition_refused` for a DONE story, and what creating a task throws
 */
export async function addToChain(
  context: CreateTaskContext,
  story: Story,
  create: TaskCreate,
  author: string,
): Promise<Task> {
  if (create.parent_task_id !== undefined) return createTask(context, create, author)
  const seenEnd = notedEnd(story)
  const behind = await findEnds(context, story)
  const asked = create.depends_on ?? []
  const task = await createTask(context, { ...create, depends_on: [...new Set([...asked, ...behind])] }, author)
  const wired = behind.filter((name) => !asked.includes(name))
  const link = { storyId: story.metadata.name, task, behind: wired, seenEnd }
  try {
    return await becomeEnd(context, link)
  } catch (error) {
    // The story was accepted or deleted meanwhile: then the task must not be either.
    if (isApiError(error, 'transition_refused', 'not_found')) await withdraw(context, task)
    throw error
  }
}

async function becomeEnd(context: CreateTaskContext, link: Link): Promise<Task> {
  const { client, caches } = context
  const { storyId, task, seenEnd } = link
  const key = { kind: 'story', id: storyId }
  const { object, result: isEnd } = await changeRecord(client, caches.stories, key, (story) => {
    const refusal = findRefusal(story, 'add_task')
    if (refusal !== undefined) throw apiError('transition_refused', refusal)
    const isMine = notedEnd(story) === seenEnd
    return { write: isMine ? noteEnd(story, task.metadata.name) : undefined, result: isMine }
  })
  if (isEnd || (await leadsTo(context, notedEnd(object), task.metadata.name))) return task
  return becomeEnd(context, await moveBehind(context, link, object))
}

/** Wires a task that lost the race behind the new end. */
async function moveBehind(context: ApiContext, { storyId, task, behind }: Link, story: Story): Promise<Link> {
  const { client, caches } = context
  const ends = await findEnds(context, story, task)
  const { object } = await changeRecord(client, caches.tasks, { kind: 'task', id: task.metadata.name }, (link) => {
    const hasStarted = stateOf(link) !== 'PENDING' && stateOf(link) !== 'QUEUED'
    const spec = { ...link.spec, dependsOn: moveLink(link.spec.dependsOn ?? [], behind, ends) }
    return { write: hasStarted ? undefined : { ...link, spec }, result: undefined }
  })
  return { storyId, task: object, behind: ends, seenEnd: notedEnd(story) }
}

/** @param own a task that is to be placed: it may stand behind the end already, and cannot wait for itself */
async function findEnds({ caches }: ApiContext, story: Story, own?: Task): Promise<string[]> {
  const end = notedEnd(story)
  // Another server may have made it a moment ago: reading it puts it into the cache.
  if (end !== undefined) await caches.tasks.read(end)
  const others = caches.tasksOfStory(story.metadata.name).filter(({ metadata }) => metadata.name !== own?.metadata.name)
  return chainEnds(others, end)
}

/** Whether `end` waits for `name`, directly or not: another server then took our task for the end already. */
async function leadsTo({ caches }: ApiContext, end: string | undefined, name: string): Promise<boolean> {
  const reached = new Set(end === undefined ? [] : [end])
  for (const id of reached) {
    if (id === name) return true
    for (const dependency of (await caches.tasks.read(id))?.spec.dependsOn ?? []) reached.add(dependency)
  }
  return false
}

async function withdraw({ client, caches, namespace }: ApiContext, task: Task): Promise<void> {
  const { name, uid } = task.metadata
  try {
    await client.delete(caches.tasks.informer.resource, { namespace, name }, uid ? { preconditions: { uid } } : {})
    caches.tasks.informer.observeDeleted(task)
  } catch (error) {
    if (!isNotFound(error)) throw error
  }
}

/** The story as it is now, if tasks may be added to it. @throws ApiError `not_found`, `transition_refused` */
export async function readOpenStory({ caches }: ApiContext, id: string): Promise<Story> {
  const story = requireFound(await caches.stories.read(id), 'story')
  const refusal = findRefusal(story, 'add_task')
  if (refusal !== undefined) throw apiError('transition_refused', refusal)
  return story
}
