import {
  type ExitInterpretation,
  type ProcessEnd,
  failed,
  failedOtherwise,
  loggedOut,
  outOfQuota,
  succeeded,
  unfinished,
} from './exit.ts'
import { HINTS } from './hints.ts'
import type { TranscriptFacts } from './transcript.ts'

/**
 * How a run of a program that speaks the Agent Client Protocol ended. Its answer to the prompt decides: such a program
 * serves until its stdin is closed, so its exit code says little.
 */
export function interpretAcpExit(facts: Readonly<TranscriptFacts>, end: ProcessEnd): ExitInterpretation {
  const { result, questions, errorCode } = facts
  if (questions !== undefined) return { outcome: 'blocked', questions: [...questions] }
  if (result === undefined) return unfinished(end.agent, end)
  const text = result.text ?? ''
  if (!result.isError) return succeeded(text)
  switch (errorCode) {
    case 'auth':
      return loggedOut(text, end, 'what its program logs in with')
    case 'limit':
      return outOfQuota(text, end)
    case 'busy':
      return failed('rate_limit', text, HINTS.triesAgain.task)
    case 'lostSession':
      return { ...failed('failed', text, HINTS.lookOrRestart.task), isSessionLost: true }
    case undefined:
    default:
      return failedOtherwise(text, result.subtype === 'max_turn_requests' ? HINTS.goOn.task : HINTS.look.task)
  }
}
