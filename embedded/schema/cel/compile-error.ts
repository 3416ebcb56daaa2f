import { ParseError, TypeError as CelTypeError } from '@marcbachmann/cel-js'
import { isNode } from './ast.ts'
import type { Call } from './ast.ts'

/** A rule that does not compile; the message shows the place as a kube-apiserver does. */
export class CompileError extends Error {
  override readonly name = 'CompileError'

  constructor(detail: string, position: number, expression: string, options?: ErrorOptions) {
    super(`ERROR: ${locate(detail, position, expression)}`, options)
  }
}

/** Macros of later CEL versions that a kube-apiserver has and this library has not. */
const UNSUPPORTED_MACROS = new Set(['transformList', 'transformMap', 'transformMapEntry', 'optMap', 'optFlatMap'])

/** Words an error of the library as cel-go does, and points where cel-go points; rethrows what is not one. */
export function compileErrorFrom(
  error: unknown,
  expression: string,
  isFunction: (name: string) => boolean,
): CompileError {
  if (!(error instanceof CelTypeError || error instanceof ParseError)) throw error
  const { detail, position } = reword(error, expression, isFunction)
  return new CompileError(detail, position, expression, { cause: error })
}

/** The macro is one that a kube-apiserver would take; said before anything else goes wrong with its arguments. */
export function unsupportedMacro({ name, args }: Call, position: number, expression: string): CompileError | undefined {
  const twoVariables = TWO_VARIABLE_MACROS.has(name) && args.length > 2
  if (!twoVariables && !UNSUPPORTED_MACROS.has(name)) return undefined
  const what = twoVariables ? `macro '${name}' with two variables` : `macro '${name}'`
  return new CompileError(`${what} is not supported by this API server`, position, expression)
}

const TWO_VARIABLE_MACROS = new Set(['all', 'exists', 'exists_one', 'existsOne'])

function reword(
  { code, summary, node, range }: CelTypeError | ParseError,
  expression: string,
  isFunction: (name: string) => boolean,
) {
  const position = range?.start ?? 0
  const subject = /: '?([^'(]+)/.exec(summary)?.[1] ?? ''
  switch (code) {
    case 'no_such_key':
      return {
        detail: `undefined field '${subject}'`,
        position: expression[position - 1] === '.' ? position - 1 : position,
      }
    case 'unknown_variable':
      return { detail: `undeclared reference to '${subject}' (in container '')`, position }
    case 'no_such_overload':
      return { detail: rewordOverload(summary), position: afterFirst(node, expression) ?? position }
    case 'incompatible_ternary_branches': {
      const types = /'([^']+)' and '([^']+)'$/.exec(summary)
      const detail = `found no matching overload for '_?_:_' applied to '(bool, ${types?.[1] ?? ''}, ${types?.[2] ?? ''})'`
      return { detail, position: afterFirst(node, expression) ?? position }
    }
    case 'no_matching_overload':
      return rewordCall(summary, expression, position, isFunction)
    default:
      return { detail: `Syntax error: ${summary}`, position }
  }
}

function rewordOverload(summary: string): string {
  const parts = /^no such overload: (.+) (\S+) (.+)$/s.exec(summary)
  if (parts === null) return summary
  const [, left, operator, right] = parts
  return `found no matching overload for '${operator === 'in' ? '@in' : `_${operator}_`}' applied to '(${left}, ${right})'`
}

/** Where the operator stands: behind its first operand and what closes that. */
function afterFirst(node: unknown, expression: string): number | undefined {
  if (!isNode(node) || !Array.isArray(node.args)) return undefined
  const first: unknown = node.args[0]
  if (typeof first !== 'object' || first === null || !('end' in first) || typeof first.end !== 'number')
    return undefined
  let position = first.end
  while (/[\s)]/.test(expression[position] ?? '')) position += 1
  return position
}

function rewordCall(summary: string, expression: string, start: number, isFunction: (name: string) => boolean) {
  // `… 'receiver.name(arguments)'`, or without the receiver.
  const quoted = summary.slice(summary.indexOf("'") + 1)
  const parts = /^(?:(.*)\.)?([A-Za-z_0-9]+)\(/s.exec(quoted)
  if (parts === null || !quoted.endsWith(")'")) return { detail: summary, position: start }
  const [head, receiver, name = ''] = parts
  const args = quoted.slice(head.length, -2)
  const called = expression.indexOf(`${name}(`, start)
  const position = called < 0 ? start : called + name.length
  if (!isFunction(name)) return { detail: `undeclared reference to '${name}' (in container '')`, position }
  const applied = receiver === undefined ? `(${args})` : `${receiver}.(${args})`
  return { detail: `found no matching overload for '${name}' applied to '${applied}'`, position }
}

function locate(detail: string, position: number, expression: string): string {
  const before = expression.slice(0, position)
  const line = before.split('\n').length
  const column = position - (before.lastIndexOf('\n') + 1)
  const source = expression.split('\n')[line - 1] ?? ''
  return `<input>:${line}:${column + 1}: ${detail}\n | ${source}\n | ${'.'.repeat(column)}^`
}
