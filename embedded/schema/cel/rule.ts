import type { Environment } from '@marcbachmann/cel-js'
import type { FieldError } from '../errors.ts'
import type { JsonObject, JsonValue } from '../json.ts'
import { quote } from '../messages.ts'
import type { RuleSource, SchemaNode } from '../node.ts'
import { CompileError } from './compile-error.ts'
import { compileExpression } from './compile.ts'
import type { RuleProgram } from './evaluate.ts'
import { resolveFieldPath } from './field-path.ts'

/** Where one rule stands. */
export interface RuleScope {
  readonly env: Environment
  /** The CEL type of `self`. */
  readonly self: string
  readonly node: SchemaNode
  readonly location: string
  /** The list above whose items cannot be matched with the old ones, if any. */
  readonly uncorrelatable: string | undefined
}

/** Compiles one rule; what is wrong with it goes to `errors`, then there is no program. */
export function compileRule(rule: RuleSource, scope: RuleScope, errors: FieldError[]): RuleProgram | undefined {
  const before = errors.length
  checkTexts(rule, scope, errors)
  if (errors.length > before) return undefined
  const oldSelf = rule.optionalOldSelf ? `optional<${scope.self}>` : scope.self
  const env = scope.env.clone().registerVariable('self', scope.self).registerVariable('oldSelf', oldSelf)
  const program = tryCompile(env, rule, 'rule', scope.location, errors)
  if (program !== undefined && program.type !== 'bool' && program.type !== 'dyn') {
    errors.push(invalid(`${scope.location}.rule`, rule.source, 'cel expression must evaluate to a bool'))
  }
  if (program?.usesOldSelf === true && scope.uncorrelatable !== undefined) {
    const detail = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${scope.uncorrelatable}`
    errors.push({
      reason: 'FieldValueInvalid',
      field: `${scope.location}.rule`,
      message: `Invalid value: ${quote(rule.rule)}: ${detail}`,
    })
  }
  const message = compileMessage(env, rule, scope.location, errors)
  if (program === undefined) return undefined
  return {
    run: program.run,
    ...(message !== undefined && { message }),
    name: rule.message ?? rule.rule.trim(),
    text: rule.message ?? `failed rule: ${rule.rule.trim()}`,
    reason: rule.reason ?? 'FieldValueInvalid',
    path: rule.fieldPath === undefined ? '' : (resolveFieldPath(rule.fieldPath, scope.node) ?? ''),
    isTransition: program.usesOldSelf,
    optionalOldSelf: rule.optionalOldSelf,
  }
}

function checkTexts(rule: RuleSource, scope: RuleScope, errors: FieldError[]): void {
  const { location, node } = scope
  const bad = (key: string, message: string, reason: FieldError['reason'] = 'FieldValueInvalid'): void =>
    void errors.push({ reason, field: `${location}.${key}`, message })
  const reason = rule.source['reason']
  if (rule.rule.trim() === '') bad('rule', 'Required value: rule is not specified', 'FieldValueRequired')
  if (rule.message?.includes('\n') === true)
    bad('message', `Invalid value: ${quote(rule.message)}: must not contain line breaks`)
  if (rule.rule.trim().includes('\n') && rule.message === undefined && rule.messageExpression === undefined) {
    bad('message', 'Required value: message must be specified if rule contains line breaks', 'FieldValueRequired')
  }
  if (rule.fieldPath !== undefined && resolveFieldPath(rule.fieldPath, node) === undefined) {
    bad('fieldPath', `Invalid value: ${quote(rule.fieldPath)}: must be a valid path`)
  }
  if (typeof reason === 'string' && rule.reason === undefined) {
    const supported = '"FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"'
    bad('reason', `Unsupported value: ${quote(reason)}: supported values: ${supported}`, 'FieldValueNotSupported')
  }
}

function compileMessage(env: Environment, rule: RuleSource, location: string, errors: FieldError[]) {
  if (rule.messageExpression === undefined) return undefined
  const program = tryCompile(env, rule, 'messageExpression', location, errors)
  if (program !== undefined && program.type !== 'string' && program.type !== 'dyn') {
    errors.push(invalid(`${location}.messageExpression`, rule.source, 'messageExpression must evaluate to a string'))
  }
  return program?.run
}

function tryCompile(
  env: Environment,
  rule: RuleSource,
  key: 'rule' | 'messageExpression',
  location: string,
  errors: FieldError[],
) {
  const expression = rule[key] ?? ''
  if (expression.trim() === '') return undefined
  try {
    return compileExpression(env, expression)
  } catch (error) {
    if (!(error instanceof CompileError)) throw error
    const what = key === 'rule' ? 'compilation failed' : 'messageExpression compilation failed'
    errors.push(invalid(`${location}.${key}`, rule.source, `${what}: ${error.message}`))
    return undefined
  }
}

function invalid(field: string, source: JsonObject, detail: string): FieldError {
  return { reason: 'FieldValueInvalid', field, message: `Invalid value: ${JSON.stringify(goRule(source))}: ${detail}` }
}

/** The entry as the server's own type prints it: every field, capitalised, null where it is not set. */
function goRule(source: JsonObject): JsonObject {
  const text = (key: string): JsonValue => source[key] ?? ''
  return {
    Rule: text('rule'),
    Message: text('message'),
    MessageExpression: text('messageExpression'),
    Reason: source['reason'] ?? null,
    FieldPath: text('fieldPath'),
    OptionalOldSelf: source['optionalOldSelf'] ?? null,
  }
}
