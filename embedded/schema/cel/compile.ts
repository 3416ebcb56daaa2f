import type { Environment, ParseResult } from '@marcbachmann/cel-js'
import { compilePattern } from '../../../lib/pattern.ts'
import { expansionsOf, findCall, isNode, walk } from './ast.ts'
import type { CelNode } from './ast.ts'
import { CompileError, compileErrorFrom, unsupportedMacro } from './compile-error.ts'
import { RE2_MATCHES } from './functions.ts'

/** An expression ready to run. */
export interface Program {
  readonly run: ParseResult
  readonly usesOldSelf: boolean
}

/**
 * Parses, rewrites and type-checks one expression.
 *
 * @throws CompileError in the words of a kube-apiserver when it does not compile
 */
export function compileExpression(env: Environment, expression: string): Program & { readonly type: string } {
  const run = parse(env, expression)
  let usesOldSelf = false
  walk(run.ast, (node) => {
    if (node.op === 'id' && node.args === 'oldSelf') usesOldSelf = true
    refuseUnsupported(node, expression)
    useRe2(node, expression)
    checkHasArgument(node)
  })
  const result = run.check()
  if (!result.valid) throw compileErrorFrom(result.error, expression, isFunctionOf(env))
  return { run, usesOldSelf, type: result.type ?? 'dyn' }
}

function parse(env: Environment, expression: string): ParseResult {
  try {
    return env.parse(expression)
  } catch (error) {
    throw compileErrorFrom(error, expression, isFunctionOf(env))
  }
}

function isFunctionOf(env: Environment): (name: string) => boolean {
  return (name) => env.getDefinitions().functions.some((known) => known.name === name)
}

function refuseUnsupported(node: CelNode, expression: string): void {
  const call = findCall(node)
  const problem = call && unsupportedMacro(call, positionOf(node), expression)
  if (problem !== undefined) throw problem
  // The library has it, a kube-apiserver has not: what is accepted here must be accepted there.
  if (call?.name === 'bind' && isNode(call.receiver) && call.receiver.args === 'cel') {
    throw new CompileError("undeclared reference to 'cel' (in container '')", positionOf(call.receiver), expression)
  }
}

/** In the tree, not in the text, so that string literals which say `.matches(` stay as they are. */
function useRe2(node: CelNode, expression: string): void {
  const call = findCall(node)
  if (call?.name !== 'matches' || !Array.isArray(node.args)) return
  if (call.receiver !== undefined) node.args[0] = RE2_MATCHES
  const pattern = call.args.at(-1)
  if (!isNode(pattern) || pattern.op !== 'value' || typeof pattern.args !== 'string') return
  try {
    compilePattern(pattern.args)
  } catch (error) {
    throw new CompileError('invalid matches argument', positionOf(pattern), expression, { cause: error })
  }
}

function positionOf(node: CelNode): number {
  return 'pos' in node && typeof node.pos === 'number' ? node.pos : 0
}

/** The library does not look at the fields inside `has(…)`; a misspelt one would just never be there. */
function checkHasArgument(node: CelNode): void {
  const call = findCall(node)
  if (call?.name !== 'has' || call.receiver !== undefined) return
  for (const macro of expansionsOf(node)) {
    if (typeof macro !== 'object' || macro === null || !('typeCheck' in macro)) continue
    const original = macro.typeCheck
    if (typeof original !== 'function') continue
    macro.typeCheck = (checker: { check(node: unknown, scope: unknown): unknown }, own: unknown, scope: unknown) => {
      const type: unknown = Reflect.apply(original, macro, [checker, own, scope])
      checker.check(call.args[0], scope)
      return type
    }
  }
}
