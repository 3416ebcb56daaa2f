import type { Execution, Task } from '../../core/crd/types.ts'
import { apiError, isApiError } from '../../core/errors.ts'
import { findResumable } from '../../core/execution/agent-part.ts'
import { isWork } from '../../core/execution/state.ts'
import { withoutAbsent } from '../../core/omit.ts'
import { redactUrls } from '../../core/redact-urls.ts'
import type { CheckoutRecord } from '../../core/rest/records/task.ts'
import { projectOf } from '../../core/task/project.ts'
import { pushesOf } from '../../core/task/reviewed.ts'
import { branchOf } from '../../core/task/start.ts'
import { toTimestamp } from '../../core/time.ts'
import { checkOut, findHandBackRefusal, handBack, release, releaseHold } from '../../core/task/take-over.ts'
import { parseGitUrl, UnusableGitUrl } from '../../lib/git-url.ts'
import type { Scheduling } from '../../kube/scheduling.ts'
import { type Kept, bundleKeptWork, findKeptHead, findSession, openSession } from '../checkout/kept-clone.ts'
import type { DecisionContext, RecordCall } from '../commands/decide-task.ts'
import { takeOver } from '../commands/take-over.ts'
import { requireFound } from '../commands/writes.ts'
import type { Caller } from '../auth/access.ts'
import { represent } from '../records/representation.ts'
import type { Handlers } from './handler.ts'

interface CheckoutContext extends DecisionContext {
  readonly volumeRoot: string
  readonly scheduling: Pick<Scheduling, 'mayStillRun'>
}

/** A person goes on with a task's work by hand, and hands it back. */
export function checkoutHandlers(context: CheckoutContext) {
  const { caches, volumeRoot } = context
  const storyOf = ({ spec }: Task) => caches.stories.find(spec.storyId)
  return {
    async checkoutTask({ params: { id }, caller, ifMatch }) {
      let isNew = true
      const { task } = await takeOver(context, { id, caller, ifMatch }, 'checkout', (found, who) => {
        isNew = found.status?.checkedOut === undefined
        return checkOut(found, who)
      })
      try {
        return { status: 200, body: represent(await describe(context, task, isNew)) }
      } catch (error) {
        // Nobody goes on by hand who was not told where the work is.
        if (isNew) await endHold(context, { id, caller }, task)
        throw error
      }
    },
    async releaseTask({ params: { id }, caller, ifMatch }) {
      const { message } = await takeOver(context, { id, caller, ifMatch }, 'release', release)
      return { status: 200, body: represent({ message, task_id: id }) }
    },
    async getCheckoutBundle({ params: { id }, query, caller, untilGone }) {
      const task = await getHeld(context, id, caller)
      const have = query.have?.split(',') ?? []
      const bundle = await bundleKeptWork(keptOf(volumeRoot, task), have, untilGone(), context.clock)
      try {
        // While it was read, somebody may have released the task and started its agent again.
        await getHeld(context, id, caller)
      } catch (error) {
        await bundle.handle.close()
        throw error
      }
      return { status: 200, body: bundle }
    },
    async getCheckoutSession({ params: { id }, caller }) {
      const task = await getHeld(context, id, caller)
      const { adapter = '', session } = lastWork(context, task)
      return { status: 200, body: await openSession(keptOf(volumeRoot, task), adapter, session) }
    },
    async handBackTask({ params: { id }, caller, ifMatch, body }) {
      const request = { id, caller, ifMatch }
      const task = requireFound(await caches.tasks.readLive(id), 'task')
      context.preconditions.task(ifMatch, task)
      const refusal = findHandBackRefusal(task, caller.name, storyOf(task))
      if (refusal !== undefined) throw refusal
      const { head, comment } = await body()
      const { message } = await takeOver(context, request, 'handback', (found, who) =>
        handBack(found, { ...who, head, comment }, storyOf(found)),
      )
      return { status: 202, body: represent({ message, task_id: id }) }
    },
  } satisfies Partial<Handlers>
}

/** Ends the hold that a checkout began, and no later one. */
async function endHold(context: CheckoutContext, request: RecordCall, begun: Task): Promise<void> {
  try {
    await takeOver(context, request, 'release', (task) => releaseHold(task, begun))
  } catch (error) {
    // It has ended meanwhile.
    if (!isApiError(error, 'transition_refused', 'not_found')) throw error
  }
}

function keptOf(volumeRoot: string, { metadata }: Task): Kept {
  return { volumeRoot, task: metadata.name, uid: metadata.uid ?? '' }
}

/** The task, which nothing works at. @throws ApiError `not_found`, `transition_refused` */
async function getHeld({ caches, scheduling }: CheckoutContext, id: string, caller: Caller): Promise<Task> {
  const task = requireFound(await caches.tasks.readLive(id), 'task')
  if (task.status?.checkedOut?.by !== caller.name)
    throw apiError('transition_refused', 'task is not checked out by you: check it out first')
  if (scheduling.mayStillRun(id))
    throw apiError('transition_refused', 'the pod of its last execution has not ended yet: try again in a moment')
  return task
}

interface LastWork {
  readonly adapter?: string | undefined
  readonly session?: string | undefined
}

/** What the agent that worked last is, and its session. */
function lastWork({ caches }: CheckoutContext, { metadata, status }: Task): LastWork {
  const ofTask = caches.executionsOf(metadata.name).filter(isWork)
  const find = (name: string | undefined) => ofTask.find((execution) => execution.metadata.name === name)
  const current = find(status?.execution)
  const last: Execution | undefined = (current && find(findResumable(current))) ?? current ?? ofTask.at(-1)
  return { adapter: caches.agents.find(last?.spec.agent)?.spec.adapter, session: last?.status?.sessionId }
}

function withoutLogin(url: string): string {
  try {
    return parseGitUrl(url).clean
  } catch (error) {
    if (error instanceof UnusableGitUrl) return redactUrls(url)
    throw error
  }
}

async function describe(context: CheckoutContext, task: Task, isNew: boolean): Promise<CheckoutRecord> {
  const { caches, branchPrefix, clock } = context
  const { spec, status = {}, metadata } = task
  const story = caches.stories.find(spec.storyId)
  const project = caches.projects.find(projectOf(task, story))
  const url = spec.repositoryUrl ?? project?.spec.remoteUrl
  if (url === undefined) throw apiError('transition_refused', 'task has no repository_url')
  const kept = keptOf(context.volumeRoot, task)
  const head = await findKeptHead(kept)
  const last = pushesOf(task).at(-1)
  const { adapter, session } = lastWork(context, task)
  return {
    task_id: metadata.name,
    repository_url: withoutLogin(url),
    branch: status.branch ?? branchOf(task, story?.spec.branchName, branchPrefix),
    is_shared: spec.storyId !== undefined,
    held_at: status.checkedOut?.at ?? toTimestamp(clock.now()),
    is_new: isNew,
    ...withoutAbsent({
      head: status.head?.commit,
      agent: status.agent?.type,
      model: status.agent?.model,
      adapter,
      clone: head === undefined ? undefined : { head, is_pushed: head === (last?.from ?? last?.head) },
      session: await findSession(kept, adapter ?? '', session),
    }),
  }
}
