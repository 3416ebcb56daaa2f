import { unkeptBudget } from '../../core/agent/prices.ts'
import { formatUSD } from '../../core/sentences/amounts.ts'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { EXECUTION_FILES, MAX_FILE_BYTES } from '../../core/execution/layout.ts'
import { clampQuestions, joinQuestions } from '../../core/execution/questions.ts'
import type { AgentOutcome, ExecutionError } from '../../core/execution/result.ts'
import { RESULT_LIMITS } from '../../core/execution/result-limits.ts'
import { type Spending, addSpending } from '../../core/execution/spending.ts'
import { HINTS } from '../../core/transcript/hints.ts'
import { withoutChanges } from '../../core/transcript/diffstat.ts'
import { clip } from '../../core/text.ts'
import { SUMMARY_LENGTH } from '../../core/transcript/summary.ts'
import { type ExitInterpretation, outOfBudget } from '../../core/transcript/exit.ts'
import { withoutAbsent } from '../../core/omit.ts'
import { toTimestamp } from '../../core/time.ts'
import { sayMessages, tellMessages } from '../../core/prompts/messages.ts'
import type { RunSpec } from '../../core/execution/run-spec.ts'
import type { ConversationEvent } from '../../core/transcript/events.ts'
import type { InboxMessage } from '../../core/execution/messages.ts'
import { uptimeOf } from '../../lib/clock.ts'
import { ifPlain, readStartNoFollow, writeFileAtomic } from '../../lib/files.ts'
import { withGitLimit } from '../../lib/git.ts'
import { readHead, UntrustedClone } from '../../lib/git-untrusted.ts'
import { findAgentSecrets } from '../agent/secrets.ts'
import type { Adapter, Beginning } from '../agent/adapter.ts'
import { type Inbox, openInbox } from '../agent/inbox.ts'
import { toEvent } from '../agent/messenger.ts'
import { getAdapter } from '../adapters/registry.ts'
import { commitLeftovers } from '../git/commit.ts'
import { offerAuthorities } from '../../lib/authorities.ts'
import { toList } from '../git/undelivered.ts'
import { offerIdentity } from '../git/identity.ts'
import type { Found, FinishedRun } from '../agent/answer.ts'
import { followIfMoved } from './branch-move.ts'
import { continuesNotice } from '../agent/continued.ts'
import { copyCredentials } from '../agent/credentials.ts'
import { answerPath, readGiven } from '../agent/given.ts'
import type { StepContext } from '../context.ts'
import { toExecutionError } from './execution-error.ts'
import { findEarlierOutcome, readOutcome } from '../agent/outcome-file.ts'
import { withHiddenTool } from '../agent/hidden-tools.ts'
import { watchSpending } from '../agent/spending.ts'
import { StepFailed, Unpushable } from '../failure.ts'
import { GIT_LIMIT_MS } from '../limits.ts'
import { readQuestions } from '../agent/question.ts'
import { redactUrls } from '../../core/redact-urls.ts'
import { findOwnOutcome } from '../result-file.ts'
import { type Redact, makeRedactor, redactStart, toRedactedJson } from '../redact.ts'
import { failedServerEvents, ownWords } from '../../core/transcript/own-words.ts'
import { type Ended, appendEvent, killStragglers, supervise } from '../agent/supervise.ts'

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

const CANCELLED: Found = {
  outcome: 'cancelled',
  error: { category: 'cancelled', message: 'the execution was cancelled' },
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
    const found = await perform({ ...context, ...withoutAbsent({ given }) }, getAdapter(run.agent.adapter), preface)
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

async function perform(context: StepContext, adapter: Adapter, notices: Notices): Promise<Found> {
  const { answerSchema } = context.run
  if (answerSchema === undefined) return runInSession(context, adapter, notices)
  // This loads the schema library, which a task's work does not need.
  const { askForAnswer } = await import('../agent/answer.ts')
  return askForAnswer(context, answerSchema, context.given?.prompt ?? '', (beginning) =>
    runOnce(context, adapter, beginning),
  )
}

async function runInSession(context: StepContext, adapter: Adapter, notices: Notices): Promise<Found> {
  if (context.run.hasInbox !== true) return begin(context, adapter, notices)
  const inbox = await openInbox(context)
  try {
    const first = { startedAtMs: uptimeOf(context.clock), found: await begin(context, adapter, notices, inbox) }
    return await goOn(context, adapter, inbox, first)
  } finally {
    await inbox.close()
  }
}

/**
 * Resumes the kept session if there is one. If the CLI has lost it, or ends before it has taken it up, a new session begins
 * with the whole prompt. If that gets no session either, the fault is another, and the next resume tries the kept one again.
 * The prompt ends with the messages that an earlier Job of this execution did not give.
 */
async function begin(context: StepContext, adapter: Adapter, notices: Notices, inbox?: Inbox): Promise<Found> {
  const { sessionId } = context.run.agent
  const { prompt = '', resume = '' } = context.given ?? {}
  const { messages, told } = await openMessages(inbox)
  const options = { inbox, messages }
  if (sessionId === undefined)
    return (await runOnce(context, adapter, { prompt: prompt + told }, { ...options, notices })).found
  const resumed = { prompt: (resume === '' ? prompt : resume) + told, sessionId }
  const { found, isSessionLost } = await runOnce(context, adapter, resumed, { ...options, notices })
  if (!isSessionLost && !endedBeforeSession(found)) return { sessionId, ...found }
  const notice = `session ${sessionId} is lost: starting anew, told the story so far`
  context.say(notice)
  const anew = await runOnce(context, adapter, { prompt: prompt + told }, { ...options, notices: [ownWords(notice)] })
  return { sessionId, ...anew.found }
}

/** What an earlier Job left in the inbox, and how the prompt tells it. */
async function openMessages(inbox: Inbox | undefined) {
  const uncertain = (await inbox?.uncertain()) ?? []
  const waiting = (await inbox?.waiting()) ?? []
  await inbox?.giving(waiting)
  const told = tellMessages([...uncertain.map((message) => ({ ...message, uncertain: true })), ...waiting])
  return { messages: [...uncertain, ...waiting], told }
}

/**
 * Goes on in the session while messages wait and the agent has ended its turn with success, in what is left of time and
 * budget. The last turn decides how the run ended.
 */
async function goOn(
  context: StepContext,
  adapter: Adapter,
  inbox: Inbox,
  { found: first, startedAtMs }: { readonly found: Found; readonly startedAtMs: number },
): Promise<Found> {
  const { run, clock, signal } = context
  let found = first
  while (found.outcome === 'succeeded' && found.sessionId !== undefined && !signal.aborted) {
    const { sessionId } = found
    const timeoutMs = run.timeoutSeconds * 1000 - (uptimeOf(clock) - startedAtMs)
    const budgetUSD = run.budgetUSD && run.budgetUSD - (found.costUSD ?? 0)
    const messages = await inbox.waiting()
    if (messages.length === 0 || timeoutMs <= 0 || (budgetUSD !== undefined && budgetUSD <= 0)) return found
    await inbox.giving(messages)
    // Of a program that tells the cost of a whole session, the turns before belong to it.
    const sessionCostUSD = (run.agent.sessionCostUSD ?? 0) + (found.costUSD ?? 0)
    const left = {
      ...context,
      run: { ...run, agent: { ...run.agent, sessionCostUSD }, ...withoutAbsent({ budgetUSD }) },
    }
    const beginning = { prompt: sayMessages(messages), sessionId }
    const next = await runOnce(left, adapter, beginning, { inbox, messages, timeoutMs })
    found = { sessionId, ...next.found, ...addSpending(found, next.found) }
  }
  return found
}

/** A CLI cannot say so in words that are all known: its session file may be empty or torn. */
function endedBeforeSession({ sessionId, exitCode, error }: Found): boolean {
  return sessionId === undefined && exitCode !== undefined && error?.category === 'failed'
}

/** What Slipway itself says in a conversation. */
type Notices = readonly ConversationEvent[]

interface RunOptions {
  /** At the beginning of its conversation. */
  readonly notices?: Notices
  /** For messages that come while it runs. */
  readonly inbox?: Inbox | undefined
  /** Those that its prompt has. */
  readonly messages?: readonly InboxMessage[]
  /** Absent: as the run says. */
  readonly timeoutMs?: number
}

async function runOnce(
  context: StepContext,
  adapter: Adapter,
  beginning: Beginning,
  { notices = [], inbox, messages = [], timeoutMs }: RunOptions = {},
): Promise<FinishedRun> {
  const command = await adapter.start(context, beginning)
  const watch = await watchSpending(context, adapter, beginning.sessionId)
  const transcript = command.transcript ?? adapter.createTranscript?.(watch.before)
  const preface = [...notices, ...watch.notices.map(ownWords)]
  const opening = inbox && { events: messages.map(toEvent), onTaken: () => inbox.given(messages) }
  const isOverBudget = watch.makeCheck(() => transcript?.facts)
  const ended = await supervise(context, command, { transcript, preface, opening, inbox, timeoutMs, isOverBudget })
  const { isSessionLost = false, ...interpretation } = await interpretEnd(context, adapter, ended)
  const { isEstimate, ...spent } = await watch.total(ended.facts)
  if (isEstimate) await reportEstimate(context, spent)
  if (adapter.isWatchedByCost === true && context.run.budgetUSD !== undefined && spent.costUSD === undefined)
    await appendEvent(context, ownWords(unkeptBudget(context.run.agent.name)))
  const { sessionId, failedServers = await reportFailedServers(context, adapter, ended) } = ended.facts
  const found = { ...withoutAbsent({ sessionId, failedServers }), ...spent, ...interpretation }
  return { found, isSessionLost, said: ended.facts.result?.text }
}

async function reportFailedServers(context: StepContext, adapter: Adapter, ended: Ended) {
  const names = ended.kind === 'exited' ? adapter.findFailedServers?.(ended.exit.stderrTail) : undefined
  if (names === undefined || names.length === 0) return undefined
  for (const event of failedServerEvents(names)) await appendEvent(context, event)
  return [...names]
}

async function reportEstimate(context: StepContext, { costUSD = 0 }: Spending): Promise<void> {
  const program = context.run.agent.adapter
  const notice = `${program} was ended before it told its cost: ${formatUSD(costUSD)} is estimated by its tokens, rather too much than too little`
  await tell(context, notice)
}

/** Says something in Slipway's own words, in the conversation too. */
async function tell(context: StepContext, notice: string): Promise<void> {
  context.say(notice)
  await appendEvent(context, ownWords(notice))
}

async function interpretEnd(
  context: StepContext,
  adapter: Adapter,
  ended: Ended,
): Promise<Found & Pick<ExitInterpretation, 'isSessionLost'>> {
  switch (ended.kind) {
    case 'timed_out': {
      const message = `the agent did not finish within ${context.run.timeoutSeconds} seconds: ${HINTS.takeLonger.task}`
      return { outcome: 'timed_out', error: { category: 'timeout', message } }
    }
    case 'over_budget':
      return outOfBudget('the budget of the task is spent')
    case 'cancelled':
      return CANCELLED
    case 'exited': {
      const interpretation = await interpretExit(context, adapter, ended)
      const exit = ended.exit.exitCode === null ? {} : { exitCode: ended.exit.exitCode }
      const questions = await readQuestions(context)
      if (questions === undefined) return { ...interpretation, ...exit }
      await appendEvent(context, { kind: 'question', questions })
      const { error: _, questions: asked = [], ...rest } = interpretation
      return { ...rest, ...exit, outcome: 'blocked', questions: joinQuestions(asked, questions) }
    }
    default:
      return ended satisfies never
  }
}

async function interpretExit(
  context: StepContext,
  adapter: Adapter,
  { exit, facts }: Extract<Ended, { readonly kind: 'exited' }>,
): Promise<ExitInterpretation> {
  const { error, ...interpretation } = adapter.interpretExit(exit, facts)
  return error === undefined ? interpretation : { ...interpretation, error: await withHiddenTool(context, error, exit) }
}

/** Reads the agent's summary file, which takes precedence over the summary that the adapter found. */
async function readSummary({ paths, secrets = [] }: StepContext): Promise<string | undefined> {
  const bytes = await ifPlain(readStartNoFollow(paths.execution, EXECUTION_FILES.summary, MAX_FILE_BYTES.summary))
  const text = bytes === undefined ? '' : redactStart(bytes, MAX_FILE_BYTES.summary, secrets).trim()
  return text === '' ? undefined : clip(text, SUMMARY_LENGTH)
}
