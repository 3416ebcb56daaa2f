import { RESULT_LIMITS } from '../execution/result-limits.ts'
import { utcDate, utcMilliseconds } from '../time.ts'
import { DAY_MS, MINUTE_MS, MONTHS, readTime } from './clock-time.ts'
import {
  type ProcessEnd,
  type ExitInterpretation,
  failed,
  failedOtherwise,
  loggedOut,
  outOfQuota,
  succeeded,
  unfinished,
} from './exit.ts'
import { HINTS } from './hints.ts'
import type { TranscriptFacts } from './transcript.ts'

/** A codex that was ended before its first answer leaves an empty file for its session. */
const NO_SESSION =
  /no rollout found|session not found|no (?:saved )?session|rollout (?:at \S{1,4096} )?is empty|thread\/resume failed|failed to read thread/i

/**
 * Texts of codex (0.169.0), which has no codes for them; the first that fits decides. An HTTP 500 of the provider it
 * tells as high demand, other statuses as `unexpected status 504 Gateway Timeout` or `last status: 429 …`.
 */
const KINDS = [
  [
    /usage limit|quota exceeded|billing details|status:? 402\b/i,
    (text, end) => outOfQuota(text, end, findCodexReset(text, end.endedAt)),
  ],
  [/\b429\b|too many requests|status:? 5\d\d\b|high demand|temporary errors|overloaded|at capacity/i, rateLimited],
  [/\bmodel (?:\S{1,100} )?(?:does not exist|is not supported)|model_not_found/i, unknownModel],
  [/\b40[13]\b|unauthorized|missing environment variable/i, (text, end) => loggedOut(text, end, LOG_IN)],
] as const satisfies readonly (readonly [RegExp, (text: string, end: ProcessEnd) => ExitInterpretation])[]

/** How a run of codex ended: by its own `turn.completed` or `turn.failed`, and the text of that. */
export function interpretCodexExit(facts: Readonly<TranscriptFacts>, end: ProcessEnd): ExitInterpretation {
  const { result, errorText } = facts
  if (result !== undefined && !result.isError && end.exitCode === 0) return succeeded(result.text)
  if (NO_SESSION.test(errorText ?? (result === undefined ? end.stderrTail : '')))
    return { ...unfinished('codex', end), isSessionLost: true }
  if (errorText === undefined || errorText === '') return unfinished('codex', end)
  const [, interpret] = KINDS.find(([pattern]) => pattern.test(errorText)) ?? []
  return interpret?.(errorText, end) ?? failedOtherwise(errorText, HINTS.look.task)
}

function rateLimited(text: string): ExitInterpretation {
  return failed('rate_limit', text, HINTS.triesAgain.task)
}

const LOG_IN = 'an API key, or `codex login`'

function unknownModel(text: string): ExitInterpretation {
  return failed('failed', text, HINTS.changeModel.task)
}

/** How codex tells on stderr of one server, or of all that failed. */
const FAILED_SERVERS =
  /MCP client for `([^`\n]{1,200})` (?:failed to start|timed out)|MCP startup incomplete \(failed: ([^()\n]{1,4000})\)/g

/** Names of the MCP servers that did not start. */
export function findFailedCodexServers(stderr: string): readonly string[] {
  const names = [...stderr.matchAll(FAILED_SERVERS)].flatMap(([, one = '', all = one]) => all.split(', '))
  return [...new Set(names)]
    .slice(0, RESULT_LIMITS.failedServers)
    .map((name) => name.slice(0, RESULT_LIMITS.failedServerLength))
}

/**
 * When a usage limit of codex ends. The CLI (observed: 0.169.0) knows the second and tells the minute, in words and in
 * the zone of its process, for which the runner chooses UTC: `try again at 3:05 PM` of the same day, or `try again at
 * Nov 22nd, 2026 3:05 PM`. Without a time it says `try again later`.
 */
const RESET = /\btry again at (?:([A-Z][a-z]{2}) (\d{1,2})(?:st|nd|rd|th), (\d{4}) )?(\d{1,2}):(\d\d) ([AP])M\b/i

/** Longer than from the CLI's words to its end: a time of yesterday can only be of so late yesterday. */
const SLACK_MS = 2 * MINUTE_MS

/**
 * The end of the minute that the text names: the first moment at which the limit is surely over.
 *
 * @param said ms since the epoch at which the CLI ended; it said so shortly before
 * @returns ms since the epoch; undefined when the text names no time
 */
export function findCodexReset(text: string, said: number): number | undefined {
  const [whole, month, day, year, hour, minute, half] = RESET.exec(text) ?? []
  if (whole === undefined) return undefined
  const time = readTime(Number(hour), Number(minute), half)
  if (time === undefined) return undefined
  const date =
    month === undefined ? utcDate(said) : { year: Number(year), month: MONTHS.indexOf(month) + 1, day: Number(day) }
  const start = utcMilliseconds({ ...date, ...time })
  if (start === undefined) return undefined
  const end = start + MINUTE_MS
  const isOfYesterday = month === undefined && end - DAY_MS >= said - SLACK_MS
  return isOfYesterday ? end - DAY_MS : end
}
