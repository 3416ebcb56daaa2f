import { ADVICE } from './advice.ts'
import { findCodexReset } from './codex-reset.ts'
import type { TranscriptFacts } from './transcript.ts'
import type { ProcessEnd, Verdict } from './verdict.ts'
import { disconnected, failed, NO_CONNECTION, outOfQuota, succeeded, unfinished } from './verdict.ts'

const NO_SESSION = /no rollout found|session not found|no (?:saved )?session/i

/** Texts of codex, which has no codes for them; the first that fits decides. */
const KINDS = [
  [
    /usage limit|quota exceeded|billing details/i,
    (text, { endedAt }) => outOfQuota(text, findCodexReset(text, endedAt)),
  ],
  [/\b429\b|too many requests|\b5(?:00|02|03|29)\b|overloaded|at capacity/i, rateLimited],
  [/\b40[13]\b|unauthorized|missing environment variable/i, loggedOut],
  [NO_CONNECTION, disconnected],
] as const satisfies readonly (readonly [RegExp, (text: string, end: ProcessEnd) => Verdict])[]

/** How a run of codex ended: by its own `turn.completed` or `turn.failed`, and the text of that. */
export function judgeCodex(facts: Readonly<TranscriptFacts>, end: ProcessEnd): Verdict {
  const { result, errorText } = facts
  if (result !== undefined && !result.isError && end.exitCode === 0) return succeeded(result.text)
  if (result === undefined && NO_SESSION.test(end.stderrTail))
    return { ...unfinished('codex', end), isSessionLost: true }
  if (errorText === undefined || errorText === '') return unfinished('codex', end)
  const [, judge] = KINDS.find(([pattern]) => pattern.test(errorText)) ?? []
  return judge?.(errorText, end) ?? failed('failed', errorText, ADVICE.look.task)
}

function rateLimited(text: string): Verdict {
  return failed('rate_limit', text, ADVICE.triesAgain.task)
}

function loggedOut(text: string): Verdict {
  return failed('auth', text, 'renew the credentials of agent codex (an API key, or `codex login`)')
}
