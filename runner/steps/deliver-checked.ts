import type { CheckVerdict } from '../../core/execution/checks.ts'
import { STAGED_REPOSITORY } from '../../core/execution/layout.ts'
import { isRed } from '../../core/execution/red.ts'
import { redChecksWords, RED_WAY_OUT, toReadCheck } from '../../core/sentences/checks.ts'
import { RESULT_LIMITS } from '../../core/execution/result-limits.ts'
import type { ExecutionResult } from '../../core/execution/result.ts'
import type { Staged } from '../../core/execution/staged.ts'
import { EXIT_MOVED } from '../../core/execution/steps.ts'
import { redactUrls } from '../../core/redact-urls.ts'
import { clip, shortCommit } from '../../core/text.ts'
import { toTimestamp } from '../../core/time.ts'
import { withGitLimit } from '../../lib/git.ts'
import { join } from 'node:path'
import { readOutcome } from '../agent/outcome-file.ts'
import { type Checks, findStaged, keepDiff, removeCheckouts, removeStaged } from '../checks/staged-file.ts'
import { readVerdicts } from '../checks/verdict-file.ts'
import type { StepContext } from '../context.ts'
import { openGitAccess } from '../git/access.ts'
import { uploadLfs } from '../git/lfs-upload.ts'
import { pushCommit } from '../git/remote.ts'
import { toList } from '../git/undelivered.ts'
import { remoteLimitMs } from '../limits.ts'
import { exitCodeOf, findOwnOutcome, writeResult } from '../result-file.ts'
import { findNextTry, toExecutionError } from './execution-error.ts'
import { ONLY_PUSH, toResult, toUnpushed } from './work-result.ts'

/**
 * deliver of work that is checked (docs/adr/0015-checks.md): pushes exactly what stage has staged, if no check holds it
 * back, and writes the result that stage has prepared. What an agent could write counts no more.
 *
 * @returns EXIT_MOVED, without a result, where the branch is not where stage has found it
 */
export async function deliverChecked(context: StepContext, checks: Checks): Promise<number> {
  const earlier = await findOwnOutcome(context, 'result')
  if (earlier !== undefined) {
    await removeStaged(context)
    return exitCodeOf(earlier.outcome)
  }
  const staged = await findStaged(context)
  const result = staged === undefined ? await withoutStage(context) : await finish(context, checks, staged)
  if (result === 'moved') {
    context.say(`branch ${context.run.branch} has moved meanwhile: the work is to be staged again`)
    await removeStaged(context)
    return EXIT_MOVED
  }
  if (result.baseCommit !== undefined) await keepDiff(context, checks)
  // The result may need the room.
  await removeCheckouts(context)
  await writeResult(context, { ...result, finishedAt: toTimestamp(context.clock.now()) })
  await removeStaged(context)
  return exitCodeOf(result.outcome)
}

/** Stage has ended in a way in which no deliver should run. */
async function withoutStage(context: StepContext): Promise<ExecutionResult> {
  const message = `the work was not staged for its checks, so nothing was pushed; ${ONLY_PUSH}`
  context.say(message)
  return toResult(context, await readOutcome(context), { pushed: false, error: { category: 'failed', message } })
}

async function finish(context: StepContext, checks: Checks, staged: Staged): Promise<ExecutionResult | 'moved'> {
  const verdicts = await readVerdicts(context, checks, staged)
  const { head, result } = staged
  const checked = { ...result, checks: verdicts }
  if (head === undefined) return checked
  if (verdicts.some(isRed)) return holdBack(context, checked, verdicts)
  return push(context, checked, { ...staged, head })
}

function holdBack({ say }: StepContext, result: ExecutionResult, verdicts: readonly CheckVerdict[]): ExecutionResult {
  const words = redChecksWords(verdicts.filter(isRed).map(toReadCheck))
  say(words)
  const message = clip(`${words}; ${RED_WAY_OUT}`, RESULT_LIMITS.errorLength)
  return { ...toUnpushed(result), error: { category: 'checks', message } }
}

async function push(
  context: StepContext,
  result: ExecutionResult,
  { head, found, has }: Staged & { readonly head: string },
): Promise<ExecutionResult | 'moved'> {
  const { run, clock, say, paths } = context
  const gitDir = join(paths.execution, STAGED_REPOSITORY)
  let redact = redactUrls
  try {
    return await withGitLimit(remoteLimitMs(run), context.signal, clock, async (signal) => {
      const access = await openGitAccess(context)
      redact = access.redact
      const undelivered = await uploadLfs(context, access, { gitDir, commit: head, has }, signal)
      // A branch that was brought to this commit meanwhile counts as pushed: an earlier start of this step did it.
      const target = { gitDir, commit: head, branch: run.branch, lease: found ?? '' }
      if ((await pushCommit(access, target, signal)) === 'moved') return 'moved'
      say(`branch ${run.branch} is at ${shortCommit(head)}`)
      return { ...result, ...toList(undelivered, result) }
    })
  } catch (error) {
    if (context.signal.aborted) throw error
    const failure = toExecutionError(error, redactUrls(run.repositoryUrl), redact, ONLY_PUSH)
    say(failure.message)
    return { ...toUnpushed(result), error: failure, ...findNextTry(error, clock.now()) }
  }
}
