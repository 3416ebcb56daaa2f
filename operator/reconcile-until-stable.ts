import type { Step } from './action.ts'
import { applyStep } from './apply.ts'
import type { OperatorContext } from './context.ts'

/** More steps in a row than the longest path has: beyond it something goes in circles, and others have their turn. */
const MAX_STEPS = 20

/**
 * Applies one step after another until there is none left.
 *
 * @param what names the object in the error
 * @returns when to look again
 * @throws KubeError Conflict when something was outdated; NotStable
 */
export async function reconcileUntilStable(
  context: OperatorContext,
  what: string,
  next: () => Promise<Step>,
  lost?: AbortSignal,
): Promise<Date | undefined> {
  for (let steps = 0; steps < MAX_STEPS; steps++) {
    const { actions, requeueAt } = await next()
    if (actions.length === 0) return requeueAt
    await applyStep(context, actions, lost)
  }
  throw new NotStable(`${what} is not stable after ${MAX_STEPS} steps`)
}

/** Steps that lead to themselves: tried again with the back-off of a failure, so that they flood neither server nor log. */
export class NotStable extends Error {}
