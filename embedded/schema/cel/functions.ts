import type { Environment } from '@marcbachmann/cel-js'
import { compilePattern } from '../regex.ts'

/** The name `matches` is rewritten to: the library's own uses RegExp, which backtracks for ever on some patterns. */
export const RE2_MATCHES = 'matchesRe2'

const matches = (text: string, pattern: string): boolean => compilePattern(pattern).test(text)

/** Adds what Kubernetes offers to rules beyond the library's CEL. */
export function registerKubernetesFunctions(env: Environment): void {
  env.registerFunction(`string.${RE2_MATCHES}(string): bool`, matches)
  env.registerFunction('matches(string, string): bool', matches)
}
