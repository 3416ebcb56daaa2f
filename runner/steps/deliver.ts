import { shortCommit } from '../../core/text.ts'
import { readOutcome } from '../agent/outcome-file.ts'
import type { StepContext } from '../context.ts'
import { publish } from '../git/push.ts'
import { exitCodeOf, findOwnOutcome, writeResult } from '../result-file.ts'
import { toResult, withWork } from './work-result.ts'

/**
 * Step 3: computes what changed, pushes it when the agent succeeded, and writes the execution's result. It trusts nothing
 * that the agent could write. If SIGTERM ends it before the push, it writes nothing, and the operator decides.
 *
 * A delivery has no agent, and this is its only step. What a setup has left is sealed, not pushed. Of work that is checked,
 * stage has done most of this already.
 *
 * @returns 0 for success and for a question, EXIT_MOVED for checked work whose branch has moved, else 1.
 */
export async function deliver(context: StepContext): Promise<number> {
  const { delivery, seal, checks } = context.run
  if (delivery !== undefined) return (await import('./delivery.ts')).runDelivery(context, delivery)
  if (seal !== undefined) return (await import('./seal.ts')).runSeal(context, seal)
  if (checks !== undefined) return (await import('./deliver-checked.ts')).deliverChecked(context, checks)
  const earlier = await findOwnOutcome(context, 'result')
  if (earlier !== undefined) return exitCodeOf(earlier.outcome)
  const outcome = await readOutcome(context)
  const delivered = await withWork(context, outcome, async (access, work, { signal }) => {
    const published = await publish(context, access, work, signal)
    const { pushed, work: reviewed } = published
    const words = `branch ${context.run.branch} is at ${shortCommit(reviewed.head)}`
    context.say(pushed ? words : 'nothing to push: no new commit')
    return published
  })
  const result = await toResult(context, outcome, delivered)
  await writeResult(context, result)
  return exitCodeOf(result.outcome)
}
