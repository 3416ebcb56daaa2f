import type { Task } from '../../core/crd/types.ts'
import { decisionNote } from '../../core/decision-note.ts'
import { InvalidRequest, TransitionRefused, UnknownReference } from '../../core/errors.ts'
import type { ActionResult } from '../../core/rest/records/task.ts'
import type { Decision } from '../../core/task/decide.ts'
import { decideTask, startsWork } from '../../core/task/decide.ts'
import { failedDependencies } from '../../core/task/dependencies.ts'
import type { HumanTrigger } from '../../core/task/transitions.ts'
import type { Caller } from '../auth/access.ts'
import type { ApiContext } from '../context.ts'
import type { Representation } from '../records/representation.ts'
import { represent } from '../records/representation.ts'
import { changeRecord, demandFound } from './writes.ts'

/** What a person asked for, beside the action. */
export interface DecisionRequest {
  readonly id: string
  readonly action: HumanTrigger
  readonly caller: Caller
  readonly ifMatch?: string | undefined
  readonly details?: Pick<Decision, 'comment' | 'answer' | 'agent'>
}

export interface Decided {
  readonly status: 200 | 202
  readonly body: Representation<ActionResult>
}

/**
 * Performs one human decision: judged by core's one table, written as a compare-and-swap, judged again when another
 * writer was faster. When it returns, the decision is stored.
 *
 * @throws RecordNotFound, PreconditionFailed, TransitionRefused, InvalidRequest
 */
export async function decide(context: ApiContext, request: DecisionRequest): Promise<Decided> {
  const key = { kind: 'task', id: request.id }
  const { object, result } = await changeRecord(context.client, context.caches.tasks, key, (task) => {
    context.preconditions.task(request.ifMatch, task)
    const { status, code, message } = judge(context, task, request)
    const write = status === task.status ? undefined : { ...task, status }
    return { write, subresource: 'status', result: { status: code, message, isNew: write !== undefined } }
  })
  if (result.isNew) context.events.record(object, decisionNote(request.action, result.message, request.caller.name))
  return { status: result.status, body: represent({ message: result.message, task_id: request.id }) }
}

/**
 * Refuses a decision that the task's state rules out, before its body is looked at (specification §8.3).
 */
export async function checkState(context: ApiContext, request: DecisionRequest): Promise<void> {
  const key = { kind: 'task', id: request.id }
  await changeRecord(context.client, context.caches.tasks, key, (task) => {
    context.preconditions.task(request.ifMatch, task)
    const verdict = decideTask(task, toDecision(context, request))
    if (verdict.kind === 'refused' && verdict.code === 409) throw new TransitionRefused(verdict.message)
    demandOpenStory(context, task, request)
    return { result: undefined }
  })
}

/**
 * Queues a task; what it depends on and has failed is reset and queued before it, transitively (specification §4.5).
 * Nothing is queued when the task itself cannot be run.
 */
export async function runTask(context: ApiContext, request: DecisionRequest): Promise<Decided> {
  const { agents, taskIndex, tasks } = context.caches
  const agent = request.details?.agent
  const task = demandFound(await tasks.read(request.id), 'task')
  await checkState(context, request)
  if (agent !== undefined && (await agents.read(agent)) === undefined)
    throw new UnknownReference('agent', 'agent', agent)
  judge(context, task, request)
  for (const dependency of failedDependencies(task, taskIndex)) await reset(context, dependency, request.caller)
  return decide(context, request)
}

/** Whether a run would be taken, as far as the caches know: for who looks for a task that one is good for. */
export function isRunnable(context: ApiContext, task: Task, request: Omit<DecisionRequest, 'id' | 'action'>): boolean {
  const run = { ...request, id: task.metadata.name, action: 'run' } as const
  return decideTask(task, toDecision(context, run)).kind === 'allowed' && !isStoryDone(context, task)
}

/** Another caller may have queued the dependency meanwhile: then there is nothing left to reset. */
async function reset(context: ApiContext, { metadata }: Task, caller: Caller): Promise<void> {
  try {
    await decide(context, { id: metadata.name, action: 'run', caller })
  } catch (error) {
    if (!(error instanceof TransitionRefused)) throw error
  }
}

function judge(context: ApiContext, task: Task, request: DecisionRequest) {
  const verdict = decideTask(task, toDecision(context, request))
  if (verdict.kind === 'refused') {
    throw verdict.code === 400 ? new InvalidRequest(verdict.message) : new TransitionRefused(verdict.message)
  }
  demandOpenStory(context, task, request)
  return verdict
}

/** @throws TransitionRefused when the decision would set a task of a DONE story to work */
function demandOpenStory(context: ApiContext, task: Task, { action }: DecisionRequest): void {
  if (startsWork(action) && isStoryDone(context, task)) throw new TransitionRefused('story is DONE')
}

function isStoryDone({ caches }: ApiContext, { spec }: Task): boolean {
  return spec.storyId !== undefined && caches.stories.find(spec.storyId)?.status?.status === 'DONE'
}

function toDecision(context: ApiContext, { action, caller, details }: DecisionRequest): Decision {
  return { action, by: caller.name, at: context.clock.now(), ...details }
}
