import type { Environment } from '@marcbachmann/cel-js'
import { SchemaError } from '../errors.ts'
import type { RuleSource, SchemaNode } from '../node.ts'
import type { Program } from './compile.ts'
import { compileExpression } from './compile.ts'
import type { RuleProgram } from './evaluate.ts'

/** Where one rule stands. */
export interface RuleScope {
  readonly env: Environment
  /** The CEL type of `self`. */
  readonly self: string
  readonly node: SchemaNode
  readonly location: string
}

/** Compiles one rule. @throws SchemaError naming the rule */
export function compileRule(rule: RuleSource, scope: RuleScope): RuleProgram {
  const oldSelf = rule.optionalOldSelf ? `optional<${scope.self}>` : scope.self
  const env = scope.env.clone().registerVariable('self', scope.self).registerVariable('oldSelf', oldSelf)
  const program = compile(env, rule.rule, scope.location)
  const message = rule.messageExpression && compile(env, rule.messageExpression, scope.location)
  return {
    run: program.run,
    ...(message && { message: message.run }),
    name: rule.message ?? rule.rule.trim(),
    text: rule.message ?? `failed rule: ${rule.rule.trim()}`,
    reason: rule.reason ?? 'FieldValueInvalid',
    path: rule.fieldPath === undefined ? '' : (resolveFieldPath(rule.fieldPath, scope.node) ?? ''),
    isTransition: program.usesOldSelf,
    optionalOldSelf: rule.optionalOldSelf,
  }
}

function compile(env: Environment, expression: string, field: string): Program {
  try {
    return compileExpression(env, expression)
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error)
    const message = `Invalid value: ${JSON.stringify(expression)}: compilation failed: ${detail}`
    throw new SchemaError([{ reason: 'FieldValueInvalid', field, message }], { cause: error })
  }
}

const SEGMENT = /\.([A-Za-z_][A-Za-z0-9_]*)|\['([^']+)'\]/y

/**
 * Resolves a rule's `fieldPath` (`.a.b`, `.a['b-c']`) against the schema it stands in.
 *
 * Returns the path as it is appended to the field of an error (`.a.b`, `.m[key]` below a map), or undefined when the
 * schema has no such field; lists cannot be entered.
 */
function resolveFieldPath(fieldPath: string, node: SchemaNode): string | undefined {
  let place: SchemaNode = node
  let resolved = ''
  SEGMENT.lastIndex = 0
  for (let at = 0; at < fieldPath.length; at = SEGMENT.lastIndex) {
    const segment = SEGMENT.exec(fieldPath)
    const name = segment?.[1] ?? segment?.[2]
    if (name === undefined) return undefined
    const property = place.properties.get(name)
    const values = typeof place.additionalProperties === 'object' ? place.additionalProperties : undefined
    const next = property ?? values
    if (next === undefined) return undefined
    resolved += property === undefined ? `[${name}]` : `.${name}`
    place = next
  }
  return resolved === '' ? undefined : resolved
}
