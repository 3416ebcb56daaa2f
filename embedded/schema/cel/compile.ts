import type { Environment, ParseResult } from '@marcbachmann/cel-js'
import { compilePattern } from '../../../lib/pattern.ts'
import { findCall, isNode, walk } from './ast.ts'
import type { CelNode } from './ast.ts'
import { RE2_MATCHES } from './functions.ts'

/** An expression ready to run. */
export interface Program {
  readonly run: ParseResult
  readonly usesOldSelf: boolean
}

/** Parses, rewrites and type-checks one expression. @throws an error of the library, or of the pattern of a `matches` */
export function compileExpression(env: Environment, expression: string): Program {
  const run = env.parse(expression)
  let usesOldSelf = false
  walk(run.ast, (node) => {
    if (node.op === 'id' && node.args === 'oldSelf') usesOldSelf = true
    useRe2(node)
  })
  const { valid, error } = run.check()
  if (!valid) throw error ?? new SyntaxError('it is not valid')
  return { run, usesOldSelf }
}

/** In the tree, not in the text, so that string literals which say `.matches(` stay as they are. */
function useRe2(node: CelNode): void {
  const call = findCall(node)
  if (call?.name !== 'matches' || !Array.isArray(node.args)) return
  if (call.receiver !== undefined) node.args[0] = RE2_MATCHES
  const pattern = call.args.at(-1)
  if (isNode(pattern) && pattern.op === 'value' && typeof pattern.args === 'string') compilePattern(pattern.args)
}
