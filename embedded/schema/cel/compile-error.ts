import { ParseError, TypeError as CelTypeError } from '@marcbachmann/cel-js'

/** A rule that does not compile; the message shows the place as a kube-apiserver does. */
export class CompileError extends Error {
  override readonly name = 'CompileError'

  constructor(why: string, position: number, expression: string, options?: ErrorOptions) {
    super(`ERROR: ${locate(why, position, expression)}`, options)
  }
}

/** Macros of later CEL versions that a kube-apiserver has and this library has not. */
const UNSUPPORTED_MACROS = new Set(['transformList', 'transformMap', 'transformMapEntry', 'optMap', 'optFlatMap'])
const TWO_VARIABLE_MACROS = new Set(['all', 'exists', 'exists_one', 'existsOne'])

/** Words an error of the library as cel-go does; rethrows what is not one. */
export function compileErrorFrom(error: unknown, expression: string): CompileError {
  if (!(error instanceof CelTypeError || error instanceof ParseError)) throw error
  return new CompileError(reword(error.code, error.summary), error.range?.start ?? 0, expression, { cause: error })
}

function reword(code: string, summary: string): string {
  const subject = /: '?([^'(]+)/.exec(summary)?.[1] ?? ''
  switch (code) {
    case 'no_such_key':
      return `undefined field '${subject}'`
    case 'unknown_variable':
      return `undeclared reference to '${subject}' (in container '')`
    case 'no_such_overload':
      return rewordOverload(summary)
    case 'no_matching_overload':
      return rewordCall(summary)
    case 'parse_error':
      return `Syntax error: ${summary}`
    default:
      return summary
  }
}

function rewordOverload(summary: string): string {
  const parts = /^no such overload: (.+) (\S+) (.+)$/.exec(summary)
  if (parts === null) return summary
  const [, left, operator, right] = parts
  return `found no matching overload for '${operator === 'in' ? '@in' : `_${operator}_`}' applied to '(${left}, ${right})'`
}

function rewordCall(summary: string): string {
  const parts = /'(?:(.*)\.)?([A-Za-z_0-9]+)\((.*)\)'$/.exec(summary)
  if (parts === null) return summary
  const [, receiver, name = '', args = ''] = parts
  if (UNSUPPORTED_MACROS.has(name) || (TWO_VARIABLE_MACROS.has(name) && args.split(',').length > 2)) {
    return `macro '${name}' with these arguments is not supported by this API server`
  }
  return `found no matching overload for '${name}' applied to '${receiver === undefined ? '' : `${receiver}.`}(${args})'`
}

function locate(why: string, position: number, expression: string): string {
  const before = expression.slice(0, position)
  const line = before.split('\n').length
  const column = position - (before.lastIndexOf('\n') + 1)
  const source = expression.split('\n')[line - 1] ?? ''
  return `<input>:${line}:${column + 1}: ${why}\n | ${source}\n | ${'.'.repeat(column)}^`
}
