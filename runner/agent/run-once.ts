/** One run of an agent's CLI, and what its end means. */
import { unkeptBudget } from '../../core/agent/prices.ts'
import { formatUSD } from '../../core/sentences/amounts.ts'
import { joinQuestions } from '../../core/execution/questions.ts'
import type { Spending } from '../../core/execution/spending.ts'
import { HINTS } from '../../core/transcript/hints.ts'
import { type ExitInterpretation, outOfBudget } from '../../core/transcript/exit.ts'
import { withoutAbsent } from '../../core/omit.ts'
import type { ConversationEvent } from '../../core/transcript/events.ts'
import type { InboxMessage } from '../../core/execution/messages.ts'
import type { Adapter, Beginning } from './adapter.ts'
import type { Inbox } from './inbox.ts'
import { toEvent } from './messenger.ts'
import type { Found, FinishedRun } from './answer.ts'
import type { StepContext } from '../context.ts'
import { withHiddenTool } from './hidden-tools.ts'
import { watchSpending } from './spending.ts'
import { readQuestions } from './question.ts'
import { failedServerEvents, ownWords } from '../../core/transcript/own-words.ts'
import { type Ended, appendEvent, supervise } from './supervise.ts'

/** What Slipway itself says in a conversation. */
export type Notices = readonly ConversationEvent[]

/** How a run ends that somebody has ended. */
export const CANCELLED: Found = {
  outcome: 'cancelled',
  error: { category: 'cancelled', message: 'the execution was cancelled' },
}

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

/** Runs the CLI once, from its start to what its end means. */
export async function runOnce(
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
