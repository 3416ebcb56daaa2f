import { Environment } from '@marcbachmann/cel-js'
import type { FieldError } from '../errors.ts'
import type { JsonObject } from '../json.ts'
import type { SchemaNode } from '../node.ts'
import type { RuleNode } from './evaluate.ts'
import { evaluateRules } from './evaluate.ts'
import { registerKubernetesFunctions } from './functions.ts'
import { compileRule } from './rule.ts'
import type { CelType, TypeDeclarations } from './types.ts'
import { declareType, makeTypeDeclarations } from './types.ts'

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
  const typed = declare({ ...root, embeddedResource: true }, types, 'Object')
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
  const { properties, additionalProperties, items } = node
  const values = typeof additionalProperties === 'object' ? [additionalProperties] : []
  return [...properties.values(), ...values, ...(items === undefined ? [] : [items])]
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
    ...(typeof additionalProperties === 'object' &&
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

/** Bounds on the text of one rule; a rule beyond them is refused when the CRD is created. */
const LIMITS = {
  maxAstNodes: 20_000,
  maxDepth: 100,
  maxListElements: 1_000,
  maxMapEntries: 1_000,
  maxCallArguments: 32,
}

/** CEL as Kubernetes offers it to validation rules, before the types of one schema are declared. */
function makeEnvironment(): Environment {
  const env = new Environment({
    unlistedVariablesAreDyn: false,
    homogeneousAggregateLiterals: false,
    enableOptionalTypes: true,
    limits: LIMITS,
  })
  registerKubernetesFunctions(env)
  return env
}
