/** The runs of an agent's CLI that make one execution: a session taken up or begun anew, and its turns with messages. */
import { addSpending } from '../../core/execution/spending.ts'
import { withoutAbsent } from '../../core/omit.ts'
import { sayMessages, tellMessages } from '../../core/prompts/messages.ts'
import { uptimeOf } from '../../lib/clock.ts'
import type { Adapter } from './adapter.ts'
import { type Inbox, openInbox } from './inbox.ts'
import type { Found } from './answer.ts'
import type { StepContext } from '../context.ts'
import { ownWords } from '../../core/transcript/own-words.ts'
import { type Notices, runOnce } from './run-once.ts'

/** Runs the agent for all that its execution asks of it. @param notices what stands before its own words */
export async function runSession(context: StepContext, adapter: Adapter, notices: Notices): Promise<Found> {
  const { answerSchema } = context.run
  if (answerSchema === undefined) return runInSession(context, adapter, notices)
  // This loads the schema library, which a task's work does not need.
  const { askForAnswer } = await import('./answer.ts')
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
