import type { Environment, ParseResult } from '@marcbachmann/cel-js'
import { compilePattern } from '../../../lib/pattern.ts'
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

/** What a rule's syntax tree is read by; the library's own type leaves out what macros expand to. */
interface CelNode {
  readonly op: string
  readonly args: unknown
}

/**
 * Calls `visit` for every node of a parsed expression, also those that macros (`all`, `has`, …) expanded to.
 *
 * The library keeps expansions beside the written arguments; both share nodes, so each is visited once.
 */
function walk(root: object, visit: (node: CelNode) => void): void {
  const seen = new Set<object>()
  const pending: unknown[] = [root]
  while (pending.length > 0) {
    const value = pending.pop()
    if (typeof value !== 'object' || value === null || seen.has(value)) continue
    seen.add(value)
    if (isNode(value)) {
      visit(value)
      pending.push(value.args, ...expansionsOf(value))
    } else if (Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype) {
      pending.push(...Object.values(value))
    }
  }
}

function isNode(value: unknown): value is CelNode {
  return typeof value === 'object' && value !== null && 'op' in value && 'args' in value
}

/** A macro's expansion, or its own record of arguments; `meta` is not in the library's types. */
function expansionsOf(node: CelNode): unknown[] {
  const meta = 'meta' in node ? node.meta : undefined
  if (typeof meta !== 'object' || meta === null) return []
  return ['alternate' in meta ? meta.alternate : undefined, 'macro' in meta ? meta.macro : undefined]
}

/** The name, receiver and arguments of a call; a function has no receiver. */
interface Call {
  readonly name: string
  readonly receiver?: unknown
  readonly args: readonly unknown[]
}

function findCall(node: CelNode): Call | undefined {
  if (!Array.isArray(node.args)) return undefined
  const [name, first, second]: unknown[] = node.args
  if (typeof name !== 'string') return undefined
  if (node.op === 'rcall' && Array.isArray(second)) return { name, receiver: first, args: second }
  return node.op === 'call' && Array.isArray(first) ? { name, args: first } : undefined
}
