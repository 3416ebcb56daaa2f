import { withoutMoves } from '../../core/sentences/checks.ts'
import { showUnseen } from './hostile-text.ts'

/** Why work failed, as its page says it. */
export function failureWords(error: string): string {
  return showUnseen(withoutMoves(error))
}

/** The first line of it, where there is room for no more. */
export function failureLine(error: string): string {
  return failureWords(error.split('\n', 1)[0] ?? '')
}
