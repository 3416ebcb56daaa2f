import { Environment } from '@marcbachmann/cel-js'
import { type FieldError, SchemaError } from '../errors.ts'
import type { JsonObject } from '../json.ts'
import type { SchemaNode, RuleSource } from '../node.ts'
import { type Program, compileExpression } from './compile.ts'
import { type RuleNode, type RuleProgram, evaluateRules } from './evaluate.ts'
import { registerMatches } from './functions.ts'
import { type CelType, type TypeDeclarations, declareType, fieldsOfRoot, makeTypeDeclarations } from './types.ts'
import { messageOf } from '../../../lib/error-message.ts'

/** The compiled `x-kubernetes-validations` of a schema. */
export interface CompiledRules {
  /** Runs every rule that applies; transition rules only where `old` has a value to compare with. */
  validate(object: JsonObject, old?: JsonObject): FieldError[]
}

/** A node on the way to a rule, with its type already declared. */
interface Typed {
  readonly node: SchemaNode
  readonly type: CelType | undefined
  readonly properties: readonly (readonly [string, Typed])[]
  readonly values?: Typed
  readonly items?: Typed
}

/** Compiles all rules of a schema, or returns undefined when it has none. @throws SchemaError */
export function compileRules(root: SchemaNode): CompiledRules | undefined {
  if (!hasRules(root)) return undefined
  const env = makeEnvironment()
  const types = makeTypeDeclarations(env)
  const typed = declare({ ...root, properties: fieldsOfRoot(root) }, types, 'Object')
  const compiled = compileNode(typed, env)
  return {
    validate(object, old) {
      const found: FieldError[] = []
      evaluateRules(compiled, object, old, '', found)
      return found
    },
  }
}

function hasRules(node: SchemaNode): boolean {
  return node.rules.length > 0 || childrenOf(node).some(hasRules)
}

function childrenOf(node: SchemaNode): SchemaNode[] {
  return [...node.properties.values(), node.additionalProperties, node.items].filter((child) => child !== undefined)
}

/** Types first: an environment that has been copied for a rule takes no further type. */
function declare(node: SchemaNode, types: TypeDeclarations, name: string): Typed {
  const { additionalProperties, items } = node
  return {
    node,
    type: node.rules.length > 0 ? declareType(types, node, name) : undefined,
    properties: [...node.properties]
      .filter(([, child]) => hasRules(child))
      .map(([property, child]) => [property, declare(child, types, `${name}.${property.replaceAll(/\W/g, '_')}`)]),
    ...(additionalProperties !== undefined &&
      hasRules(additionalProperties) && { values: declare(additionalProperties, types, `${name}.value`) }),
    ...(items !== undefined && hasRules(items) && { items: declare(items, types, `${name}.item`) }),
  }
}

function compileNode({ node, type, properties, values, items }: Typed, env: Environment): RuleNode {
  return {
    schema: node,
    rules: node.rules.map((rule, i) => {
      const location = `${node.location}.x-kubernetes-validations[${i}].rule`
      return compileRule(rule, { env, self: type?.name ?? 'dyn', node, location })
    }),
    ...(type?.convert !== undefined && { convert: type.convert }),
    properties: properties.map(([name, child]) => [name, compileNode(child, env)]),
    ...(values !== undefined && { values: compileNode(values, env) }),
    ...(items !== undefined && { items: compileNode(items, env) }),
  }
}

/** CEL as Kubernetes offers it to validation rules, before the types of one schema are declared. */
function makeEnvironment(): Environment {
  const env = new Environment({
    unlistedVariablesAreDyn: false,
    homogeneousAggregateLiterals: false,
  })
  registerMatches(env)
  return env
}

/** Where one rule stands. */
interface RuleScope {
  readonly env: Environment
  /** The CEL type of `self`. */
  readonly self: string
  readonly node: SchemaNode
  readonly location: string
}

/** Compiles one rule. @throws SchemaError naming the rule */
function compileRule(rule: RuleSource, scope: RuleScope): RuleProgram {
  const env = scope.env.clone().registerVariable('self', scope.self).registerVariable('oldSelf', scope.self)
  const program = compile(env, rule.rule, scope.location)
  const message = rule.messageExpression && compile(env, rule.messageExpression, scope.location)
  return {
    run: program.run,
    ...(message && { message: message.run }),
    name: rule.message ?? rule.rule.trim(),
    text: rule.message ?? `failed rule: ${rule.rule.trim()}`,
    path: rule.fieldPath === undefined ? '' : (resolveFieldPath(rule.fieldPath, scope.node) ?? ''),
    isTransition: program.usesOldSelf,
  }
}

function compile(env: Environment, expression: string, field: string): Program {
  try {
    return compileExpression(env, expression)
  } catch (error) {
    const detail = messageOf(error)
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
    const next = property ?? place.additionalProperties
    if (next === undefined) return undefined
    resolved += property === undefined ? `[${name}]` : `.${name}`
    place = next
  }
  return resolved === '' ? undefined : resolved
}
