import { isJsonObject, parseJson } from '../json.ts'
import { HINTS } from './hints.ts'
import { fieldsIn, textIn } from './fields.ts'
import type { TranscriptFacts } from './transcript.ts'
import {
  type ProcessEnd,
  type ExitInterpretation,
  failed,
  failedOtherwise,
  lastLines,
  loggedOut,
  outOfQuota,
  succeeded,
  unfinished,
} from './exit.ts'

const NO_SESSION = /Error resuming session/i
// Bounded: a text that says `quota` without end would take its length squared.
const DAILY = /daily quota|quota(?:(?!quota).){0,500}per day|PerDay/i
const LOGIN = /UNAUTHENTICATED|API key not valid|PERMISSION_DENIED|Auth method|Manual authorization is required/i
/** A project without billing, or without credit: Google's words for it come with status 400, 403 or 429. */
const UNPAID = /BILLING_DISABLED|enable billing|requires billing|credits are depleted/i
const NO_MODEL = /models\/[^\s/]{1,100} is not found|ModelNotFound/i
const LOG_IN = 'GEMINI_API_KEY, or a login'
const LOST = { isSessionLost: true } as const

type ByExit = ReadonlyMap<number | null, (text: string, end: ProcessEnd) => ExitInterpretation>

/** What the CLI itself refuses; stdout is empty then. */
const OWN_EXITS: ByExit = new Map([
  [41, logIn],
  [42, (_, end) => ({ ...unfinished('gemini', end), ...(NO_SESSION.test(end.stderrTail) ? LOST : {}) })],
  [52, mend],
  [53, (text) => failed('failed', text || 'the agent used all its turns', HINTS.goOn.task)],
  [55, mend],
])

/** Errors of the provider: the HTTP status modulo 256. */
const PROVIDER_EXITS: ByExit = new Map([
  [429 % 256, tryAgain],
  ...[500, 502, 503, 504].map((status) => [status % 256, tryAgain] as const),
  [401 % 256, logIn],
  [403 % 256, logIn],
])

/** What the CLI prints on stderr at every start, whatever happens then. */
const CHATTER = /^(?:Warning: (?:Basic terminal|256-color)|YOLO mode is enabled|Ripgrep is not available).*\n?/gm

/** How a run of Gemini CLI ended: by exit code first, by text where a code says too little. */
export function interpretGeminiExit(facts: Readonly<TranscriptFacts>, whole: ProcessEnd): ExitInterpretation {
  const { result, errorText } = facts
  const end = { ...whole, stderrTail: whole.stderrTail.replace(CHATTER, '') }
  if (result !== undefined && !result.isError && end.exitCode === 0) return succeeded(result.text)
  const own = OWN_EXITS.get(end.exitCode)
  if (own !== undefined) return own(errorText ?? lastLines(end.stderrTail), end)
  if (errorText === undefined) return unfinished('gemini', end)
  if (DAILY.test(errorText)) return outOfQuota(errorText, end)
  if (UNPAID.test(errorText)) return outOfQuota(readable(errorText), end)
  const interpret = PROVIDER_EXITS.get(end.exitCode)
  if (interpret !== undefined) return interpret(errorText, end)
  // A wrong key is a 400 of this provider.
  if (LOGIN.test(errorText)) return logIn(errorText, end)
  if (NO_MODEL.test(errorText)) return failed('failed', readable(errorText), HINTS.changeModel.task)
  return failedOtherwise(readable(errorText), HINTS.look.task)
}

function tryAgain(text: string): ExitInterpretation {
  return failed('rate_limit', text, HINTS.triesAgain.task)
}

function logIn(text: string, end: ProcessEnd): ExitInterpretation {
  return loggedOut(readable(text), end, LOG_IN)
}

function mend(text: string, { agent }: ProcessEnd): ExitInterpretation {
  return failed('failed', text, `mend the configuration of agent ${agent}`)
}

const QUOTED_ERROR = /^\[API Error: (\{.*\})\]$/s

/** The provider's own sentence, where the CLI quotes its whole answer. */
function readable(text: string): string {
  const quoted = parseJson(QUOTED_ERROR.exec(text)?.[1] ?? '')
  const error = isJsonObject(quoted) ? fieldsIn(quoted, 'error') : {}
  return textIn(error, 'message') ?? text
}
