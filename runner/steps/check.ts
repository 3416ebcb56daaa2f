import { toCheckMessage } from '../../core/execution/termination.ts'
import type { CheckVerdict } from '../../core/execution/checks.ts'
import { withoutAbsent } from '../../core/omit.ts'
import { clip } from '../../core/text.ts'
import { toTimestamp } from '../../core/time.ts'
import { ifPlain, isOutOfSpace, readRegularNoFollow } from '../../lib/files.ts'
import { removeTree } from '../../lib/remove-tree.ts'
import { checkPaths } from '../checks/checkout.ts'
import { type CheckEnd, runCheck } from '../checks/run-check.ts'
import { findVerdict, resultFolder, writeVerdict } from '../checks/verdict-file.ts'
import type { StepContext } from '../context.ts'
import { StepFailed } from '../failure.ts'
import { secondsSince } from '../git/mirror.ts'
import { findOwnOutcome, writeTerminationMessage } from '../result-file.ts'
import { RESULT_LIMITS } from '../../core/execution/result-limits.ts'

/**
 * One check of an execution (docs/adr/0015-checks.md): runs its program in a checkout of the staged head, and writes its
 * verdict. If SIGTERM ends it, it writes none.
 *
 * @param name of the check
 * @returns 0 whenever the verdict is written, so that the other checks run
 */
export async function check(context: StepContext, name = ''): Promise<number> {
  const { checks } = context.run
  const asked = checks?.list.find((one) => one.name === name)
  if (checks === undefined || asked?.run === undefined)
    throw new StepFailed('failed', `there is no check ${name} in this run, or its program is not given`)
  const { round } = checks
  if ((await findOwnOutcome(context, 'result')) !== undefined) return 0
  if ((await findVerdict(context, round, name)) !== undefined) return 0
  const { required, timeoutSeconds, run: script } = asked
  const { repo, home } = checkPaths(context.paths, name)
  const commit = await findCommit(repo)
  if (commit === undefined) {
    context.say('nothing to check')
    return tell(context, round, { name, state: 'Skipped', required })
  }
  const began = context.clock.now()
  const results = resultFolder(context, round, name)
  const end = await orFailure(context, () => runCheck(context, { script, timeoutSeconds, repo, home, results }))
  const seconds = secondsSince(context.clock, began.getTime())
  const { state, exitCode, reason } = end
  context.say(`${state} after ${seconds} s${exitCode === undefined ? '' : `: exit code ${exitCode}`}`)
  const words = reason === undefined ? {} : { reason: clip(reason, RESULT_LIMITS.checkReasonLength) }
  const startedAt = toTimestamp(began)
  return tell(context, round, {
    name,
    state,
    required,
    commit,
    startedAt,
    seconds,
    ...withoutAbsent({ exitCode }),
    ...words,
  })
}

const MAX_HEAD_BYTES = 256

/** The commit of a checkout that stage has made; undefined: it has made none. */
async function findCommit(repo: string): Promise<string | undefined> {
  const head = await ifPlain(readRegularNoFollow(repo, '.git/HEAD', MAX_HEAD_BYTES))
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})\n$/.exec(head?.toString('latin1') ?? '')?.[0].trim()
}

/** A check that cannot run is red, and the others run. */
async function orFailure({ signal }: StepContext, work: () => Promise<CheckEnd>): Promise<CheckEnd> {
  try {
    return await work()
  } catch (error) {
    if (signal.aborted || !(error instanceof Error)) throw error
    return { state: 'Failed', reason: `it could not run: ${error.message}` }
  }
}

async function tell(context: StepContext, round: number, verdict: CheckVerdict): Promise<number> {
  await writeTerminationMessage(context, toCheckMessage(verdict, context.run.messageBytes))
  try {
    await writeVerdict(context, round, verdict)
  } catch (error) {
    if (!isOutOfSpace(error)) throw error
    // The check may have filled the disk itself, and nobody needs its files any more.
    const { repo, home } = checkPaths(context.paths, verdict.name)
    for (const folder of [repo, home]) await removeTree(folder)
    await writeVerdict(context, round, verdict)
  }
  return 0
}
