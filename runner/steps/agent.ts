import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { EXECUTION_FILES, MAX_FILE_BYTES } from '../../core/execution/layout.ts'
import { clampQuestions } from '../../core/execution/questions.ts'
import type { AgentOutcome, ExecutionError } from '../../core/execution/result.ts'
import { RESULT_LIMITS } from '../../core/execution/result-limits.ts'
import { addSpending } from '../../core/execution/spending.ts'
import { withoutChanges } from '../../core/transcript/diffstat.ts'
import { clip } from '../../core/text.ts'
import { SUMMARY_LENGTH } from '../../core/transcript/summary.ts'
import { withoutAbsent } from '../../core/omit.ts'
import { toTimestamp } from '../../core/time.ts'
import type { RunSpec } from '../../core/execution/run-spec.ts'
import { ifPlain, readStartNoFollow, writeFileAtomic } from '../../lib/files.ts'
import { withGitLimit } from '../../lib/git.ts'
import { readHead, UntrustedClone } from '../../lib/git-untrusted.ts'
import { findAgentSecrets } from '../agent/secrets.ts'
import { getAdapter } from '../adapters/registry.ts'
import { commitLeftovers } from '../git/commit.ts'
import { offerAuthorities } from '../../lib/authorities.ts'
import { toList } from '../git/undelivered.ts'
import { offerIdentity } from '../git/identity.ts'
import type { Found } from '../agent/answer.ts'
import { followIfMoved } from './branch-move.ts'
import { continuesNotice } from '../agent/continued.ts'
import { copyCredentials } from '../agent/credentials.ts'
import { answerPath, readGiven } from '../agent/given.ts'
import type { StepContext } from '../context.ts'
import { toExecutionError } from './execution-error.ts'
import { findEarlierOutcome, readOutcome } from '../agent/outcome-file.ts'
import { StepFailed, Unpushable } from '../failure.ts'
import { GIT_LIMIT_MS } from '../limits.ts'
import { redactUrls } from '../../core/redact-urls.ts'
import { findOwnOutcome } from '../result-file.ts'
import { type Redact, makeRedactor, redactStart, toRedactedJson } from '../redact.ts'
import { ownWords } from '../../core/transcript/own-words.ts'
import { killStragglers } from '../agent/supervise.ts'
import { type Notices, CANCELLED } from '../agent/run-once.ts'
import { runSession } from '../agent/session.ts'

/**
 * Step 2: runs the agent's CLI, commits what it left uncommitted when it succeeded, and writes its outcome. Of a Prepare it runs
 * the setup.
 *
 * @returns 0 whenever the outcome file is written, so that deliver runs.
 */
export async function agent(step: StepContext): Promise<number> {
  const { run, paths, clock } = step
  if (run.seal !== undefined) return (await import('./setup.ts')).runSetup(step)
  if (run.deliverOnly) return commitAgain(step)
  if ((await findOwnOutcome(step, 'outcome')) !== undefined) return 0
  if (run.handedBack?.withoutAgent === true) return takeUp(step)
  const given = await readGiven(step)
  const secrets = await findAgentSecrets(step)
  const redact = makeRedactor(secrets)
  const context = { ...step, given, secrets, say: (line: string): void => step.say(redact(line)) }
  if (given.answer !== undefined) await writeFile(answerPath(step), given.answer)
  // An earlier Job of this execution may have left them, and they would be taken for this one's.
  await rm(join(paths.execution, EXECUTION_FILES.question), { recursive: true, force: true })
  await rm(join(paths.execution, EXECUTION_FILES.summary), { recursive: true, force: true })
  const startedAt = toTimestamp(clock.now())
  // If the login of an earlier Job was refused (specification §6.13), or checks of its work are red, this Job goes on in its
  // session, and the costs of both are added.
  const earlier = await findEarlierOutcome(step)
  const { summary: said = '', ...found } = await runAgent(context)
  const summary = withoutChanges((await readSummary(context)) ?? said)
  const outcome: AgentOutcome = {
    schemaVersion: 1,
    execution: run.execution,
    jobNumber: run.jobNumber,
    startedAt,
    finishedAt: toTimestamp(clock.now()),
    ...withoutAbsent({ sessionId: earlier?.sessionId }),
    ...found,
    ...addSpending(earlier ?? {}, found),
    // A question must not make the outcome too large to be read.
    ...(found.questions && { questions: clampQuestions(found.questions) }),
    ...(summary === '' ? {} : { summary }),
  }
  // The files of the agent's summary and questions may hold secrets.
  await writeOutcome(step, outcome, redact)
  return 0
}

async function writeOutcome({ paths }: StepContext, outcome: AgentOutcome, redact: Redact): Promise<void> {
  await writeFileAtomic(join(paths.execution, EXECUTION_FILES.outcome), `${toRedactedJson(outcome, redact)}\n`)
}

/** The agent had succeeded, but its work was not delivered, or not even committed: only that is left to do. */
async function commitAgain(step: StepContext): Promise<number> {
  const earlier = await readOutcome(step)
  if (earlier.outcome !== 'succeeded' || step.run.answerSchema !== undefined) return 0
  const { uncommitted: _, undelivered: __, undeliveredCount: ___, ...outcome } = earlier
  await writeOutcome(step, { ...outcome, ...(await commitWork(step, step.run.baseCommit)) }, redactUrls)
  return 0
}

/** A person has done the work by hand: the clone is brought to it, and no agent runs. The session stays the task's. */
async function takeUp(step: StepContext): Promise<number> {
  const { run, clock, signal, say } = step
  const {
    execution,
    jobNumber,
    agent: { sessionId },
  } = run
  const startedAt = toTimestamp(clock.now())
  let end: Pick<AgentOutcome, 'outcome' | 'error'> = { outcome: 'succeeded' }
  try {
    await followIfMoved(step)
  } catch (error) {
    const failure = toExecutionError(error, 'the clone', redactUrls)
    say(failure.message)
    end = signal.aborted ? CANCELLED : { outcome: 'failed', error: failure }
  }
  const times = { startedAt, finishedAt: toTimestamp(clock.now()) }
  const outcome: AgentOutcome = {
    schemaVersion: 1,
    execution,
    jobNumber,
    ...times,
    ...withoutAbsent({ sessionId }),
    ...end,
  }
  await writeOutcome(step, outcome, redactUrls)
  return 0
}

async function runAgent(context: StepContext): Promise<Found> {
  const { run, signal, say } = context
  try {
    if (signal.aborted) return CANCELLED
    await copyCredentials(context)
    await offerIdentity(context)
    await offerAuthorities(context)
    const { given, notices } = await followIfMoved(context)
    const base = run.baseCommit ?? (await findHead(context))
    const preface = [...[...continuesNotice(run), ...notices].map(ownWords), ...askedToMend(run)]
    const found = await runSession({ ...context, ...withoutAbsent({ given }) }, getAdapter(run.agent.adapter), preface)
    if (found.outcome !== 'succeeded' || run.answerSchema !== undefined) return found
    return { ...found, ...(await commitWork(context, base)) }
  } catch (error) {
    if (signal.aborted) return CANCELLED
    const failure = toExecutionError(error, 'the clone', redactUrls)
    say(failure.message)
    return { outcome: 'failed', error: failure }
  }
}

/** The prompt of a Job after the first round says what was red in the one before. */
function askedToMend({ checks }: RunSpec): Notices {
  return checks === undefined || checks.round === 1 ? [] : [{ kind: 'checks', round: checks.round - 1 }]
}

/** The commit that the agent starts from; undefined where prepare made no clone. */
async function findHead({ paths }: StepContext): Promise<string | undefined> {
  try {
    return (await readHead(paths.clone)).commit
  } catch (error) {
    if (error instanceof UntrustedClone) return undefined
    throw error
  }
}

/**
 * Commits what an agent that succeeded has left. If that fails, its cost and session stay known: either it has to go on
 * itself, or its success stands and the next attempt only commits and delivers.
 */
async function commitWork(context: StepContext, base: string | undefined): Promise<Partial<Found>> {
  const { clock, signal, say } = context
  try {
    const work = (limited: AbortSignal) => commitLeftovers(context, base, limited)
    const { list, error } = await withGitLimit(GIT_LIMIT_MS, signal, clock, work)
    return error === undefined ? list : { ...list, outcome: 'failed', error }
  } catch (error) {
    if (signal.aborted) return CANCELLED
    const { message } = toExecutionError(error, 'the clone', redactUrls)
    say(message)
    const failure = { category: 'git', message } as const
    const isForAgent = error instanceof StepFailed || error instanceof UntrustedClone
    const list = error instanceof Unpushable ? toList(error.undelivered) : {}
    return isForAgent ? { ...list, outcome: 'failed', error: failure } : { uncommitted: notCommitted(message) }
  } finally {
    // Filters run here.
    await killStragglers(context)
  }
}

function notCommitted(reason: string): ExecutionError {
  const text = `the agent succeeded, but its work could not be committed: ${reason}; mend that in the clone or on its volume, then resume the task, which commits and delivers without the agent`
  return { category: 'git', message: clip(text, RESULT_LIMITS.errorLength) }
}

/** Reads the agent's summary file, which takes precedence over the summary that the adapter found. */
async function readSummary({ paths, secrets = [] }: StepContext): Promise<string | undefined> {
  const bytes = await ifPlain(readStartNoFollow(paths.execution, EXECUTION_FILES.summary, MAX_FILE_BYTES.summary))
  const text = bytes === undefined ? '' : redactStart(bytes, MAX_FILE_BYTES.summary, secrets).trim()
  return text === '' ? undefined : clip(text, SUMMARY_LENGTH)
}
