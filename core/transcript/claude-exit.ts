import { HINTS } from './hints.ts'
import { findClaudeReset } from './claude-reset.ts'
import type { TranscriptFacts } from './transcript.ts'
import type { ProcessEnd, ExitInterpretation } from './exit.ts'
import {
  disconnected,
  failed,
  failedOtherwise,
  loggedOut,
  outOfBudget,
  outOfQuota,
  succeeded,
  unfinished,
} from './exit.ts'

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
        ? outOfQuota(text, limit?.resetsAt ?? findClaudeReset(text, end.endedAt))
        : failed('rate_limit', text, HINTS.triesAgain.task)
    }
    case 'billing_error':
      return outOfQuota(text, undefined)
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
