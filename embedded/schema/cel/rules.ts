import type { Environment } from '@marcbachmann/cel-js'
import type { FieldError } from '../errors.ts'
import type { JsonObject } from '../json.ts'
import type { SchemaNode } from '../node.ts'
import { makeEnvironment } from './environment.ts'
import { evaluateRules } from './evaluate.ts'
import type { RuleNode, RuleProgram } from './evaluate.ts'
import { compileRule } from './rule.ts'
import { TypeDeclarations } from './types.ts'
import type { CelType } from './types.ts'

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

/**
 * Compiles all rules of a schema, or returns undefined when it has none. Rules that do not compile add to `errors`.
 */
export function compileRules(root: SchemaNode, errors: FieldError[]): CompiledRules | undefined {
  if (!hasRules(root)) return undefined
  const env = makeEnvironment()
  const types = new TypeDeclarations(env)
  const typed = declare({ ...root, embeddedResource: true }, types, 'Object')
  const compiled = compileNode(typed, env, errors, undefined)
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
  const { properties, additionalProperties, items } = node
  const values = typeof additionalProperties === 'object' ? [additionalProperties] : []
  return [...properties.values(), ...values, ...(items === undefined ? [] : [items])]
}

/** Types first: an environment that has been copied for a rule takes no further type. */
function declare(node: SchemaNode, types: TypeDeclarations, name: string): Typed {
  const { additionalProperties, items } = node
  return {
    node,
    type: node.rules.length > 0 ? types.typeOf(node, name) : undefined,
    properties: [...node.properties]
      .filter(([, child]) => hasRules(child))
      .map(([property, child]) => [property, declare(child, types, `${name}.${property.replaceAll(/\W/g, '_')}`)]),
    ...(typeof additionalProperties === 'object' &&
      hasRules(additionalProperties) && { values: declare(additionalProperties, types, `${name}.value`) }),
    ...(items !== undefined && hasRules(items) && { items: declare(items, types, `${name}.item`) }),
  }
}

/** `uncorrelatable` is the closest list above whose items an update cannot match with the old ones. */
function compileNode(
  typed: Typed,
  env: Environment,
  errors: FieldError[],
  uncorrelatable: string | undefined,
): RuleNode {
  const { node } = typed
  const lost = node.type === 'array' && node.listType !== 'map' ? (uncorrelatable ?? node.location) : uncorrelatable
  return {
    schema: node,
    rules: compileOwn(typed, env, errors, uncorrelatable),
    ...(typed.type?.convert !== undefined && { convert: typed.type.convert }),
    properties: typed.properties.map(([name, child]) => [name, compileNode(child, env, errors, uncorrelatable)]),
    ...(typed.values !== undefined && { values: compileNode(typed.values, env, errors, uncorrelatable) }),
    ...(typed.items !== undefined && { items: compileNode(typed.items, env, errors, lost) }),
  }
}

function compileOwn(
  { node, type }: Typed,
  env: Environment,
  errors: FieldError[],
  uncorrelatable: string | undefined,
): RuleProgram[] {
  return node.rules.flatMap((rule, i) => {
    const location = `${node.location}.x-kubernetes-validations[${i}]`
    return compileRule(rule, { env, self: type?.name ?? 'dyn', node, location, uncorrelatable }, errors) ?? []
  })
}
