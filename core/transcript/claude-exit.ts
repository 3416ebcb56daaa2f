import { utcDate, utcMilliseconds } from '../time.ts'
import { DAY_MS, MINUTE_MS, MONTHS, readTime } from './clock-time.ts'
import {
  type ProcessEnd,
  type ExitInterpretation,
  disconnected,
  failed,
  failedOtherwise,
  loggedOut,
  outOfBudget,
  outOfQuota,
  succeeded,
  unfinished,
} from './exit.ts'
import { HINTS } from './hints.ts'
import type { TranscriptFacts } from './transcript.ts'

/** What `--resume` says of a session that is not in the home: on stderr, since 2.1.329 as a result with errors too. */
const NO_SESSION = /No conversation found with session ID/i
/** Texts of the client itself for a used-up subscription, should no rate_limit_event have told it. */
const USED_UP = /you've hit your [^\n]{0,60}limit|usage limit reached/i

/**
 * How a run of Claude Code ended. The CLI's word for an error of the provider decides, then the HTTP status; texts
 * come last, because they change between versions.
 */
export function interpretClaudeExit(facts: Readonly<TranscriptFacts>, end: ProcessEnd): ExitInterpretation {
  const { result, questions } = facts
  if (questions !== undefined) return { outcome: 'blocked', questions: [...questions] }
  if (result !== undefined && !result.isError && end.exitCode === 0) return succeeded(result.text)
  if (NO_SESSION.test(result === undefined ? end.stderrTail : (result.text ?? ''))) {
    return { ...unfinished('claude', end), isSessionLost: true }
  }
  if (facts.errorCode !== undefined) return interpretProviderError(facts, end)
  return result === undefined ? unfinished('claude', end) : interpretResult(facts, end)
}

/** `claude login` and `/login` on the command line do not exist (2.1.197, 2.1.329). */
const LOG_IN = "an API key, a token of `claude setup-token`, or its owner's login: run claude and then /login"

function interpretProviderError(facts: Readonly<TranscriptFacts>, end: ProcessEnd): ExitInterpretation {
  const { errorCode = '', limit } = facts
  const text = facts.errorText ?? facts.result?.text ?? errorCode
  switch (errorCode) {
    case 'rate_limit': {
      const isUsedUp = limit?.resetsAt !== undefined || USED_UP.test(text)
      return isUsedUp
        ? outOfQuota(text, end, limit?.resetsAt ?? findClaudeReset(text, end.endedAt))
        : failed('rate_limit', text, HINTS.triesAgain.task)
    }
    case 'billing_error':
      return outOfQuota(text, end)
    case 'authentication_failed':
      return loggedOut(text, end, LOG_IN)
    case 'server_error':
    case 'overloaded':
      // Without a status no answer came at all: that is no matter of limits.
      return facts.httpStatus === undefined ? disconnected(text) : failed('rate_limit', text, HINTS.triesAgain.task)
    case 'model_not_found':
      return failed('failed', text, HINTS.changeModel.task)
    default:
      return failedOtherwise(text, HINTS.changeTask.task)
  }
}

function interpretResult({ result }: Readonly<TranscriptFacts>, end: ProcessEnd): ExitInterpretation {
  const text = result?.text ?? ''
  switch (result?.subtype ?? '') {
    case 'error_max_turns':
      return failed('failed', text === '' ? 'the agent used all its turns' : text, HINTS.goOn.task)
    case 'error_max_budget_usd':
      return outOfBudget(text === '' ? 'the budget of the task is spent' : text)
    default:
      return text === '' ? unfinished('claude', end) : failedOtherwise(text, HINTS.look.task)
  }
}

/**
 * When a usage limit of claude ends, as its own text says it, for versions and gateways that send no rate_limit_event:
 * `resets 10:19am (UTC)`, `resets 1am (UTC)`, `resets Nov 23, 4:52pm (UTC)`, and `…usage limit reached|1795303124` in
 * seconds since the epoch. The zone is that of its process; only UTC, which pods have, is read.
 */
const EPOCH = /limit reached\|(\d{10})\b/i
const RESET = /\bresets (?:([A-Z][a-z]{2}) (\d{1,2}), )?(\d{1,2})(?::(\d\d))?([ap])m \(UTC\)/i

/**
 * The end of the minute that the text names: the first moment at which the limit is surely over.
 *
 * @param said ms since the epoch at which the CLI ended; it said so shortly before
 * @returns ms since the epoch; undefined when the text names no time
 */
export function findClaudeReset(text: string, said: number): number | undefined {
  const [, epoch] = EPOCH.exec(text) ?? []
  if (epoch !== undefined) return Number(epoch) * 1000
  const [whole, month, day, hour, minute = '0', half] = RESET.exec(text) ?? []
  const time = whole === undefined ? undefined : readTime(Number(hour), Number(minute), half)
  if (time === undefined) return undefined
  const today = utcDate(said)
  const days =
    month === undefined
      ? [today, utcDate(said + DAY_MS)]
      : [0, 1].map((years) => ({ year: today.year + years, month: MONTHS.indexOf(month) + 1, day: Number(day) }))
  const ends = days.flatMap((date) => utcMilliseconds({ ...date, ...time }) ?? []).map((start) => start + MINUTE_MS)
  // It names no year, and no day that is less than a day away.
  return ends.find((end) => end >= said)
}
