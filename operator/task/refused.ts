import { withConditions } from '../../core/conditions.ts'
import type { ConditionClaim } from '../../core/conditions.ts'
import { stateOf } from '../../core/task/decide.ts'
import { claimRunning } from '../../core/task/start.ts'
import type { ObjectKey } from '../../kube/types.ts'
import { isConflict, isForbidden, isInvalid } from '../../kube/types.ts'
import { applyStep } from '../apply.ts'
import type { OperatorContext } from '../context.ts'

const REFUSED = 'Refused'

/**
 * Reconciles a task, and says in its condition what the API server refuses the operator about it, for as long as that is
 * refused: a task that is queued or runs would otherwise look as if it went on.
 *
 * @throws what `reconcile` throws
 */
export async function showRefusal(
  context: OperatorContext,
  key: ObjectKey,
  reconcile: () => Promise<Date | undefined>,
  lost?: AbortSignal,
): Promise<Date | undefined> {
  try {
    const requeueAt = await reconcile()
    await write(context, key, undefined, lost)
    return requeueAt
  } catch (error) {
    if (isForbidden(error) || isInvalid(error)) await write(context, key, error.message, lost)
    throw error
  }
}

async function write(
  context: OperatorContext,
  key: ObjectKey,
  refusal: string | undefined,
  lost: AbortSignal | undefined,
): Promise<void> {
  const task = context.views.tasks.get(key)
  const state = task && stateOf(task)
  if (task === undefined || (state !== 'RUNNING' && state !== 'QUEUED')) return
  const [before] = task.status?.conditions ?? []
  const shown = before?.reason === REFUSED ? before.message : undefined
  // What a queued task waits for instead is said by its reconcile (waiting.ts).
  if (refusal === shown || (refusal === undefined && state === 'QUEUED')) return
  const claim: ConditionClaim =
    refusal === undefined
      ? claimRunning(task.status?.agent)
      : { type: 'Reconciling', status: 'True', reason: REFUSED, message: refusal }
  const status = withConditions(task, task.status ?? {}, [claim], context.clock.now())
  try {
    await applyStep(context, [{ kind: 'writeTask', task, status }], lost)
  } catch (error) {
    // Without the right to write it, Event and log say so; what changed meanwhile is looked at again.
    if (!isForbidden(error) && !isInvalid(error) && !isConflict(error)) throw error
  }
}
