import type { Environment } from '@marcbachmann/cel-js'
import type { FieldError } from '../errors.ts'
import type { JsonObject } from '../json.ts'
import type { SchemaNode } from '../node.ts'
import { countOf, estimateCost, excess, RULE_COST_LIMIT, SCHEMA_COST_LIMIT } from './cost.ts'
import { makeEnvironment } from './environment.ts'
import { evaluateRules } from './evaluate.ts'
import type { RuleNode, RuleProgram } from './evaluate.ts'
import { compileRule } from './rule.ts'
import { declareType, makeTypeDeclarations } from './types.ts'
import type { CelType, TypeDeclarations } from './types.ts'

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
  const types = makeTypeDeclarations(env)
  const typed = declare({ ...root, embeddedResource: true }, types, 'Object')
  const compilation: Compilation = { env, errors, costs: [] }
  const compiled = compileNode(typed, compilation, { count: 1 })
  checkTotal(root.location, compilation)
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

/** What one schema's compilation gathers. */
interface Compilation {
  readonly env: Environment
  readonly errors: FieldError[]
  readonly costs: { readonly field: string; readonly cost: number }[]
}

/** What the lists and maps above a place mean for its rules. */
interface Position {
  /** How many values there can be at this place in one object. */
  readonly count: number
  /** The closest list above whose items an update cannot match with the old ones. */
  readonly uncorrelatable?: string
}

function compileNode(typed: Typed, compilation: Compilation, position: Position): RuleNode {
  const { node } = typed
  const lost = position.uncorrelatable ?? (node.listType === 'map' ? undefined : node.location)
  const each: Position = { ...position, count: position.count * countOf(node) }
  const item: Position = lost === undefined ? each : { ...each, uncorrelatable: lost }
  return {
    schema: node,
    rules: compileOwn(typed, compilation, position),
    ...(typed.type?.convert !== undefined && { convert: typed.type.convert }),
    properties: typed.properties.map(([name, child]) => [name, compileNode(child, compilation, position)]),
    ...(typed.values !== undefined && { values: compileNode(typed.values, compilation, each) }),
    ...(typed.items !== undefined && { items: compileNode(typed.items, compilation, item) }),
  }
}

function compileOwn({ node, type }: Typed, { env, errors, costs }: Compilation, position: Position): RuleProgram[] {
  return node.rules.flatMap((rule, i) => {
    const location = `${node.location}.x-kubernetes-validations[${i}]`
    const { uncorrelatable } = position
    const program = compileRule(rule, { env, self: type?.name ?? 'dyn', node, location, uncorrelatable }, errors)
    if (program === undefined) return []
    const cost = estimateCost(program.run.ast, node) * position.count
    const field = `${location}.rule`
    costs.push({ field, cost })
    if (cost > RULE_COST_LIMIT) errors.push(tooCostly(field, 'estimated rule cost', excess(cost, RULE_COST_LIMIT)))
    return program
  })
}

function checkTotal(location: string, { costs, errors }: Compilation): void {
  const total = costs.reduce((sum, { cost }) => sum + cost, 0)
  if (total <= SCHEMA_COST_LIMIT) return
  const dearest = [...costs].sort((a, b) => b.cost - a.cost).slice(0, 4)
  const message = 'Forbidden: contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema'
  for (const { field, cost } of dearest) {
    if (cost > SCHEMA_COST_LIMIT / 100) errors.push({ reason: 'FieldValueForbidden', field, message })
  }
  const what = 'x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema'
  errors.push(tooCostly(location, what, excess(total, SCHEMA_COST_LIMIT)))
}

function tooCostly(field: string, what: string, factor: string): FieldError {
  const hint =
    'try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared'
  return {
    reason: 'FieldValueForbidden',
    field,
    message: `Forbidden: ${what} exceeds budget by factor of ${factor} (${hint})`,
  }
}
