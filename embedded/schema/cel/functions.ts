import { type Environment, EvaluationError } from '@marcbachmann/cel-js'
import { compilePattern } from '../../../lib/pattern.ts'
import { messageOf } from '../../../lib/error-message.ts'

/** The name `matches` is rewritten to: the library's own uses RegExp, which backtracks for ever on some patterns. */
export const RE2_MATCHES = 'matchesRe2'

function matches(text: string, pattern: string): boolean {
  let compiled: ReturnType<typeof compilePattern>
  try {
    compiled = compilePattern(pattern)
  } catch (cause) {
    // A pattern made by the rule itself; a literal one was refused when the CRD was created.
    throw new EvaluationError(messageOf(cause), undefined, cause)
  }
  return compiled.test(text)
}

/** Adds to the library's CEL what the rules of the program use; Kubernetes offers more. */
export function registerMatches(env: Environment): void {
  env.registerFunction(`string.${RE2_MATCHES}(string): bool`, matches)
  env.registerFunction('matches(string, string): bool', matches)
}
