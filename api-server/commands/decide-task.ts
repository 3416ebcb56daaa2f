import type { Task } from '../../core/crd/types.ts'
import { decisionEvent, resetEvent } from '../../core/decision-event.ts'
import { apiError } from '../../core/errors.ts'
import type { ActionResult } from '../../core/rest/records/task.ts'
import { type TaskDecision, type TaskWrite, decideTask, findRefusal } from '../../core/task/decide.ts'
import type { HumanTrigger } from '../../core/task/transitions.ts'
import type { EventRecorder } from '../../kube/events.ts'
import type { Caller } from '../auth/access.ts'
import type { ApiContext } from '../context.ts'
import type { Preconditions } from '../records/preconditions.ts'
import { type Representation, represent } from '../records/representation.ts'
import { budgetWarning } from './warnings.ts'
import { changeRecord, writeStatus } from './writes.ts'

/** What deciding takes. */
export interface DecisionContext extends ApiContext {
  readonly preconditions: Preconditions
  /** Best effort: what people decided, for `kubectl describe`. */
  readonly events: Pick<EventRecorder, 'record'>
}

/** Who calls, about which record, in which version of it. */
export interface RecordCall {
  readonly id: string
  readonly caller: Caller
  readonly ifMatch?: string | undefined
}

/** What a person asked for, beside the action. */
export interface DecisionRequest extends RecordCall {
  readonly action: HumanTrigger
  readonly details?: Pick<TaskDecision, 'comment' | 'answer' | 'agent'>
}

export interface Decided {
  readonly status: 200 | 202
  readonly body: Representation<ActionResult>
  readonly headers: Readonly<Record<string, string>>
}

/**
 * Applies one human decision: decided in core, written as compare-and-swaps, decided again when another writer was
 * faster. Failed dependencies of a task that is run are queued before it. When it returns, the decision is stored.
 *
 * @throws ApiError `not_found`, `precondition_failed`, `transition_refused`, `invalid_request`, `unknown_reference`
 */
export async function decide(context: DecisionContext, request: DecisionRequest): Promise<Decided> {
  const { caches, client, events } = context
  const key = { kind: 'task', id: request.id }
  const by = request.caller.name
  const agent = await caches.agents.read(request.details?.agent)
  const { object, result } = await changeRecord(client, caches.tasks, key, (task) => {
    context.preconditions.task(request.ifMatch, task)
    const outcome = decideTask(task, toDecision(context, request), context.caches.surroundingsOf(task, agent))
    if (outcome.kind === 'refused') throw outcome.error
    const { status, dependencies, message, code } = outcome
    const write = status === task.status ? undefined : { ...task, status }
    const before = (): Promise<void> => queueDependencies(context, dependencies, resetEvent(request.id, by))
    return { before, write, subresource: 'status', result: { code, message, isNew: write !== undefined } }
  })
  if (result.isNew) events.record(object, decisionEvent(request.action, result.message, by))
  const headers = object.status?.state === 'QUEUED' ? budgetWarning(context, object) : {}
  return { status: result.code, body: represent({ message: result.message, task_id: request.id }), headers }
}

/**
 * Refuses a decision that things as they are rule out, before its body is looked at (specification §8.3).
 *
 * @throws ApiError `not_found`, `precondition_failed`, `transition_refused`
 */
export async function checkState(
  context: DecisionContext,
  request: Pick<DecisionRequest, 'id' | 'action' | 'ifMatch'>,
): Promise<void> {
  const key = { kind: 'task', id: request.id }
  await changeRecord(context.client, context.caches.tasks, key, (task) => {
    context.preconditions.task(request.ifMatch, task)
    const refusal = findRefusal(task, request.action, context.caches.surroundingsOf(task))
    if (refusal !== undefined) throw apiError('transition_refused', refusal)
    return { result: undefined }
  })
}

/** Whether a run would be taken, as far as the caches know: for who looks for a task that one is good for. */
export function isRunnable(context: ApiContext, task: Task, request: Omit<DecisionRequest, 'id' | 'action'>): boolean {
  const decision = toDecision(context, { ...request, action: 'run' })
  const agent = context.caches.agents.find(decision.agent)
  return decideTask(task, decision, context.caches.surroundingsOf(task, agent)).kind === 'allowed'
}

async function queueDependencies(
  { client, caches, events }: DecisionContext,
  dependencies: readonly TaskWrite[],
  note: ReturnType<typeof resetEvent>,
): Promise<void> {
  for (const { task, status } of dependencies)
    events.record(await writeStatus(client, caches.tasks, { ...task, status }), note)
}

function toDecision(
  { clock }: ApiContext,
  { action, caller, details }: Pick<DecisionRequest, 'action' | 'caller' | 'details'>,
): TaskDecision {
  return { action, by: caller.name, at: clock.now(), ...details }
}
