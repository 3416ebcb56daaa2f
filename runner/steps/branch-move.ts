import type { BranchMove, MoveEnd } from '../../core/execution/branch-move.ts'
import type { Given } from '../../core/execution/given.ts'
import { redactUrls } from '../../core/redact-urls.ts'
import { moveBriefing, moveNotice } from '../../core/prompts/branch-move.ts'
import { SCRIPT_AGENT } from '../../core/task/agent-spec.ts'
import { shortCommit } from '../../core/text.ts'
import { withGitLimit } from '../../lib/git.ts'
import type { StepContext } from '../context.ts'
import { followBranch, standAt, takeBack } from '../git/follow.ts'
import { GIT_LIMIT_MS } from '../limits.ts'
import { readJson } from '../result-file.ts'
import { toExecutionError } from './execution-error.ts'
import { isBranchMove } from '../validators.ts'
import { killStragglers } from '../agent/supervise.ts'

/** What an agent is given then, and what is said of it in its conversation. */
interface Told {
  readonly given?: Given | undefined
  readonly notices: readonly string[]
}

/** Brings a kept clone to where prepare has found its branch, and lets the agent know before anything else. */
export async function followIfMoved(context: StepContext): Promise<Told> {
  const { run, paths, given } = context
  if (!run.keepClone || run.answerSchema !== undefined) return { given, notices: [] }
  if (run.handedBack !== undefined) await standAtHandedBack(context, run.handedBack)
  const move = await readJson(paths.execution, 'branchMove')
  if (!isBranchMove(move)) return { given, notices: [] }
  const end = await follow(context, move)
  const notice = moveNotice(move, end)
  context.say(notice)
  // What a script is given is run.
  if (given === undefined || run.agent.adapter === SCRIPT_AGENT) return { given, notices: [notice] }
  const tell = (text: string): string => (text === '' ? '' : `${moveBriefing(move, end)}\n\n${text}`)
  const { prompt = '', resume } = given
  return { given: { ...given, prompt: tell(prompt), resume: tell(resume) }, notices: [notice] }
}

/** An agent that goes on anyway brings its clone there like after any push. */
async function standAtHandedBack(
  context: StepContext,
  { head, withoutAgent }: NonNullable<StepContext['run']['handedBack']>,
): Promise<void> {
  const { run, clock, signal, say } = context
  try {
    await withGitLimit(GIT_LIMIT_MS, signal, clock, (limited) =>
      standAt(context, { head, branch: run.branch }, limited),
    )
    say(`the clone is at ${shortCommit(head)}, which was handed back`)
  } catch (error) {
    if (signal.aborted || withoutAgent) throw error
    await withGitLimit(GIT_LIMIT_MS, signal, clock, (limited) => takeBack(context, limited))
  } finally {
    await killStragglers(context)
  }
}

/** A clone that cannot be brought there stays as it is: deliver brings the work to the branch, or says why it cannot. */
async function follow(context: StepContext, move: BranchMove): Promise<MoveEnd> {
  const { clock, signal } = context
  try {
    return await withGitLimit(GIT_LIMIT_MS, signal, clock, (limited) => followBranch(context, move, limited))
  } catch (error) {
    if (signal.aborted) throw error
    await withGitLimit(GIT_LIMIT_MS, signal, clock, (limited) => takeBack(context, limited))
    return { kind: 'left', reason: toExecutionError(error, 'the clone', redactUrls).message }
  } finally {
    // Filters run here.
    await killStragglers(context)
  }
}
