import type { Environment } from '@marcbachmann/cel-js'
import { SchemaError } from '../errors.ts'
import type { RuleSource, SchemaNode } from '../node.ts'
import { compileExpression } from './compile.ts'
import type { Program } from './compile.ts'
import type { RuleProgram } from './evaluate.ts'
import { resolveFieldPath } from './field-path.ts'

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
