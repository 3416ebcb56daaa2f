/**
 * The steps from a plan on the volume to a story with its tasks (specification §5.12).
 *
 * 1. The Story is created, marked as being approved. 2. A delivery, an Execution that the operator runs, makes its branch
 * and pushes it. 3. The tasks are created. 4. The mark is removed: from then on the story is shown.
 *
 * Every name follows from the story's, and each step looks at what is there: so the steps can be taken again from any
 * point, after a crash, and by two servers at once.
 */
import type { Execution, Story, Task } from '../../core/crd/types.ts'
import { rememberDecision } from '../../core/decision.ts'
import { apiError } from '../../core/errors.ts'
import { isTerminal } from '../../core/execution/state.ts'
import {
  branchDeliveryName,
  findBranchConflict,
  isBeingApproved,
  makeBranchDelivery,
  markStory,
  unmarkStory,
} from '../../core/story/approval.ts'
import { storyBranch } from '../../core/story/branch.ts'
import { noteEnd } from '../../core/story/chain.ts'
import { type PlannedStory, planStory } from '../../core/kinds/plan.ts'
import { storyStatusFields } from '../../core/story/progress.ts'
import { moveStory } from '../../core/story/status.ts'
import { addMs, parseTimestamp } from '../../core/time.ts'
import { STORIES } from '../../kube/resources.ts'
import { type KubeClient, type KubeObject, isAlreadyExists } from '../../kube/types.ts'
import type { AutoResetEvent } from '../../lib/async.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Caches } from '../cache/caches.ts'
import type { RecordCache } from '../cache/record-cache.ts'
import { type Change, changeRecord } from '../commands/writes.ts'
import type { PlanFiles, StoredPlan } from './plan-files.ts'

/** What the steps reach. */
export interface StepContext {
  readonly client: KubeClient
  readonly namespace: string
  readonly caches: Caches
  readonly clock: Clock
  readonly files: PlanFiles
  /** Who this server is, in marks. */
  readonly approver: string
  /** How long a branch may take. */
  readonly timeoutMs: number
  readonly isStopping: () => boolean
}

export interface Approved {
  readonly story: Story
  /** In the order of the plan, each before its subtasks. */
  readonly tasks: readonly Task[]
}

/** The objects of a stored plan. */
export function objectsOf({ namespace }: Pick<StepContext, 'namespace'>, stored: StoredPlan): PlannedStory {
  return planStory(stored.plan, { id: stored.story, namespace, remoteUrl: stored.remoteUrl, author: stored.by })
}

/**
 * The first step: the marked story, in BACKLOG, with the decision that made it.
 *
 * Another server may approve the same branch at this moment. Each creates its story and then looks for others: so at
 * least one of them sees the other, and whoever sees one gives way.
 *
 * @throws ApiError `approval_refused`
 */
export async function beginStory(context: StepContext, stored: StoredPlan): Promise<Story> {
  const { client, caches, namespace, approver, clock } = context
  const { plan, story: id } = stored
  await createOnce(client, caches.allStories, markStory(objectsOf(context, stored).story, approver, clock.now()))
  const { items } = await client.list(STORIES, { namespace, fieldSelector: `spec.projectId=${plan.project_id}` })
  const others = items.filter(({ metadata }) => metadata.name !== id && metadata.deletionTimestamp === undefined)
  const project = { metadata: { name: plan.project_id }, spec: { defaultBranch: stored.defaultBranch } }
  const conflict = findBranchConflict(storyBranch(id, plan.branch_name), project, others)
  if (conflict !== undefined) throw apiError('approval_refused', conflict)
  return editStatus(context, id, (story) => approve(story, stored))
}

function approve(story: Story, { by, at }: StoredPlan): Story['status'] {
  if (story.status?.decisions !== undefined) return story.status
  const decisions = rememberDecision(undefined, { action: 'approve', status: 'BACKLOG', by, at } as const)
  return { ...moveStory(story, [], 'BACKLOG', parseTimestamp(at)), decisions }
}

/**
 * The second step: waits until the branch is on the remote.
 *
 * @throws ApiError `approval_refused` when the remote does not take it, `approval_timed_out`, `unavailable` while the server stops
 */
export async function makeBranch(
  context: StepContext,
  stored: StoredPlan,
  begun: Story,
  changed: AutoResetEvent,
): Promise<Story> {
  if (begun.status?.branch?.created === true) return begun
  const { client, caches } = context
  const { plan, remoteUrl, defaultBranch: base } = stored
  await createOnce(client, caches.executions, makeBranchDelivery(begun, { project: plan.project_id, remoteUrl, base }))
  const { status } = await untilEnded(context, stored, changed)
  if (status?.state !== 'COMPLETED') throw apiError('approval_refused', formatFailureMessage(stored, status))
  const head = status.delivered?.commit
  const branch = { created: true, ...(head === undefined ? {} : { head }) }
  return editStatus(context, stored.story, (story) => ({ ...story.status, branch }))
}

async function untilEnded(context: StepContext, stored: StoredPlan, changed: AutoResetEvent): Promise<Execution> {
  const { caches, clock, timeoutMs, isStopping } = context
  const name = branchDeliveryName(stored.story)
  const deadline = addMs(clock.now(), timeoutMs)
  for (;;) {
    if (isStopping())
      throw apiError('unavailable', 'the server is stopping; it finishes the approval when it starts again')
    const execution = caches.executions.find(name)
    if (execution === undefined) throw apiError('approval_refused', `the delivery ${name} of its branch was deleted`)
    if (isTerminal(execution)) return execution
    const now = clock.now()
    if (now >= deadline)
      throw apiError('approval_timed_out', `${branchOf(stored)} was not made within ${timeoutMs / 1000} s`)
    await changed.wait(deadline.getTime() - now.getTime())
  }
}

function formatFailureMessage(stored: StoredPlan, status: Execution['status']): string {
  const reason = status?.error?.message ?? `its delivery ended ${status?.state ?? ''}`
  return `${branchOf(stored)} could not be made: ${reason}`
}

/** How messages name the branch of a plan. */
export function branchOf({ story, plan }: StoredPlan): string {
  return `branch ${storyBranch(story, plan.branch_name)} in project ${plan.project_id}`
}

/** The third step: what a task refers to is there before it. */
export async function createTasks(context: StepContext, stored: StoredPlan): Promise<Task[]> {
  const created: Task[] = []
  for (const task of objectsOf(context, stored).tasks)
    created.push(await createOnce(context.client, context.caches.tasks, task))
  return created
}

/** The last step: the story is whole, and everybody may see it. */
export async function publishStory(context: StepContext, stored: StoredPlan): Promise<Story> {
  const { caches, clock } = context
  const { story: id } = stored
  await editStatus(context, id, (story) => storyStatusFields(story, caches.tasksOfStory(id), clock.now()))
  const end = objectsOf(context, stored).tasks.findLast(({ spec }) => spec.parentTaskId === undefined)
  const shown = await edit(context, id, (story) => {
    if (!isBeingApproved(story)) return { result: undefined }
    return { write: unmarkStory(end === undefined ? story : noteEnd(story, end.metadata.name)), result: undefined }
  })
  await context.files.remove(id)
  return shown
}

function editStatus(context: StepContext, id: string, decide: (story: Story) => Story['status']): Promise<Story> {
  return edit(context, id, (story) => {
    const status = decide(story)
    if (status === undefined || status === story.status) return { result: undefined }
    return { write: { ...story, status }, subresource: 'status', result: undefined }
  })
}

async function edit(
  { client, caches }: StepContext,
  id: string,
  decide: (story: Story) => Change<Story, undefined>,
): Promise<Story> {
  return (await changeRecord(client, caches.allStories, { kind: 'story', id }, decide)).object
}

/** Creates an object, or finds the one that an earlier try has created: its name is no other's. */
async function createOnce<T extends KubeObject>(client: KubeClient, cache: RecordCache<T>, object: T): Promise<T> {
  const { informer } = cache
  const { name, namespace } = object.metadata
  try {
    const created = await client.create(informer.resource, object)
    informer.observe(created)
    return created
  } catch (error) {
    if (!isAlreadyExists(error)) throw error
    const found = await client.get(informer.resource, { name, namespace })
    informer.observe(found)
    return found
  }
}
