import { EvaluationError } from '@marcbachmann/cel-js'
import type { Environment } from '@marcbachmann/cel-js'
import { compilePattern } from '../../../lib/pattern.ts'
import { registerListFunctions } from './functions-list.ts'
import { registerQuantities } from './functions-quantity.ts'
import { registerStringFunctions } from './functions-string.ts'
import { registerUrls } from './functions-url.ts'

/** The name `matches` is rewritten to: the library's own uses RegExp, which backtracks for ever on some patterns. */
export const RE2_MATCHES = 'matchesRe2'

function matches(text: string, pattern: string): boolean {
  let compiled: ReturnType<typeof compilePattern>
  try {
    compiled = compilePattern(pattern)
  } catch (cause) {
    // A pattern made by the rule itself; a literal one was refused when the CRD was created.
    throw new EvaluationError(cause instanceof Error ? cause.message : String(cause), undefined, cause)
  }
  return compiled.test(text)
}

/**
 * Adds what Kubernetes offers to rules beyond the library's CEL.
 *
 * Not here, and refused when a CRD asks for them: ip, cidr, semver, format, sets, base64, find and findAll.
 * Source: Kubernetes, "Common Expression Language in Kubernetes", CEL options, language features and libraries.
 */
export function registerKubernetesFunctions(env: Environment): void {
  env.registerFunction(`string.${RE2_MATCHES}(string): bool`, matches)
  env.registerFunction('matches(string, string): bool', matches)
  registerStringFunctions(env)
  registerListFunctions(env)
  registerUrls(env)
  registerQuantities(env)
}
