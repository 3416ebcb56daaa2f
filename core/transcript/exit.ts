/**
 * How a run of a CLI ended, from what it said and how its process ended (specification §6.8).
 *
 * Success needs the CLI's own success result: an exit with 0 alone is none, because a CLI that is told to stop may
 * exit with 0 as well. Every message says what a person can do.
 */
import type { AgentOutcome, ErrorCategory } from '../execution/result.ts'
import { millisecondsToTimestamp } from '../time.ts'
import { HINTS, limitEndsAt } from './hints.ts'
import { clip } from '../text.ts'
import { SUMMARY_LENGTH } from './summary.ts'
import type { TranscriptFacts } from './transcript.ts'

/** How a CLI's process ended. */
export interface ProcessEnd {
  /** Name of the Agent that it ran for. */
  readonly agent: string
  /** Null when a signal ended it. */
  readonly exitCode: number | null
  readonly signal: string | null
  /** Ms since the epoch. */
  readonly endedAt: number
  /** Last part of what it printed on stderr. */
  readonly stderrTail: string
}

/** What a run comes to; the rest of an outcome (session, cost, tokens, turns) are the transcript's facts. */
export type ExitInterpretation = Pick<AgentOutcome, 'outcome'> &
  Partial<Pick<AgentOutcome, 'error' | 'summary' | 'questions' | 'resumeAfter'>> & {
    /** The session that was to be resumed is gone: a fresh start, told the story so far, is the way on. */
    readonly isSessionLost?: boolean
  }

/** Interprets the end of one kind of CLI. */
export type InterpretExit = (facts: Readonly<TranscriptFacts>, end: ProcessEnd) => ExitInterpretation

const MESSAGE_LENGTH = 4000
const ERROR_LINES = 10

/** @param hint what a person can do */
export function failed(category: ErrorCategory, message: string, hint: string): ExitInterpretation {
  return { outcome: 'failed', error: toError(category, message, hint) }
}

/** A provider that does not answer, or in the middle of an answer no more; what the CLIs say of it is known to fetch. */
const NO_CONNECTION =
  /unable to connect|connection (?:error|closed|refused|reset)|fetch failed|stream disconnected|error sending request|\bterminated\b|incomplete json|malformed response|\bE(?:CONN[A-Z]+|NOTFOUND|TIMEDOUT)\b/i

/** It is no fault of task or agent, and ends as an overload does: it is tried again, and does not count towards the drain. */
export function disconnected(message: string): ExitInterpretation {
  return failed('rate_limit', message, HINTS.reachProvider.task)
}

/** The session holds more than the model reads; a resume would end the same way. */
const TOO_LONG =
  /\bis too long\b|context (?:window|length)|input token count|exceeds the maximum number of tokens|maximum context/i

/** @param hint what a person can do, unless the text itself tells */
export function failedOtherwise(message: string, hint: string): ExitInterpretation {
  if (NO_CONNECTION.test(message)) return disconnected(message)
  return failed('failed', message, TOO_LONG.test(message) ? HINTS.startAnew.task : hint)
}

/** @param how the ways to log in that this CLI has, in words */
export function loggedOut(message: string, { agent }: ProcessEnd, how: string): ExitInterpretation {
  return failed('auth', message, `renew the credentials of agent ${agent} (${how})`)
}

/**
 * A limit that ends by itself or by payment.
 *
 * @param resetsAt in ms since the epoch; one that had passed when the program ended, by another clock or by a mistake, names no
 *   end: an attempt at once would meet the limit again, and so on
 */
export function outOfQuota(message: string, { endedAt }: ProcessEnd, resetsAt?: number): ExitInterpretation {
  const until = resetsAt === undefined || resetsAt < endedAt ? undefined : millisecondsToTimestamp(resetsAt)
  const hint = until === undefined ? HINTS.waitForQuota.task : limitEndsAt(until)
  return {
    outcome: 'budget_exceeded',
    error: toError('quota', message, hint),
    ...(until === undefined ? {} : { resumeAfter: until }),
  }
}

/** The task's own budget is spent. */
export function outOfBudget(message: string): ExitInterpretation {
  return {
    outcome: 'budget_exceeded',
    error: toError('budget', message, HINTS.raiseBudget.task),
  }
}

export function succeeded(summary: string | undefined): ExitInterpretation {
  const text = summary?.trim() ?? ''
  return { outcome: 'succeeded', ...(text === '' ? {} : { summary: clip(text, SUMMARY_LENGTH) }) }
}

/** The end of a process that did not get as far as its own result. */
export function unfinished(name: string, end: ProcessEnd): ExitInterpretation {
  const how =
    end.exitCode === null
      ? `${name} was ended by ${end.signal ?? 'a signal'} before it finished`
      : `${name} exited with ${end.exitCode} before it gave a result`
  const said = lastLines(end.stderrTail)
  return failed('failed', said === '' ? how : `${how}: ${said}`, HINTS.lookOrRestart.task)
}

export function lastLines(text: string): string {
  return text.trimEnd().split('\n').slice(-ERROR_LINES).join('\n').trim()
}

function toError(category: ErrorCategory, message: string, hint: string): NonNullable<AgentOutcome['error']> {
  const said = message.trim().replace(/\.$/, '')
  return {
    category,
    message: clip(`${clip(said, MESSAGE_LENGTH - hint.length - 2)}: ${hint}`, MESSAGE_LENGTH),
  }
}
