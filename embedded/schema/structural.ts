import { compileRules } from './cel/rules.ts'
import { applyDefaults } from './defaults.ts'
import type { FieldError, FieldReason } from './errors.ts'
import type { JsonObject } from './json.ts'
import { fieldError } from './messages.ts'
import type { SchemaNode } from './node.ts'
import { parseNode } from './parse.ts'
import { prune } from './prune.ts'
import { validateNode } from './validate.ts'

export { SchemaError } from './errors.ts'

/** One compiled `openAPIV3Schema`: what a kube-apiserver does to an object of a custom kind before it stores it. */
export interface StructuralSchema {
  /** Removes what the schema does not declare, in place; returns the paths removed, for Strict and Warn. */
  prune(object: JsonObject): string[]
  /** Fills defaults in place: absent fields and nulls that are not nullable, never below an absent parent. */
  applyDefaults(object: JsonObject): void
  /** Schema first, then CEL rules; `old` is the stored object of an update, for transition rules. */
  validate(object: JsonObject, old?: JsonObject): FieldError[]
}

/** Where a kube-apiserver says the schema of a CRD with one version stands. */
const LOCATION = 'spec.validation.openAPIV3Schema'

/** After such an error the object has not the shape that rules were type-checked against, so they do not run. */
const BLOCKS_RULES: ReadonlySet<FieldReason> = new Set([
  'FieldValueRequired',
  'FieldValueTypeInvalid',
  'FieldValueNotSupported',
  'FieldValueTooLong',
  'FieldValueTooMany',
])

/**
 * Compiles a schema once, so that pruning, defaulting and validation walk prepared nodes and parsed CEL rules.
 *
 * @throws SchemaError naming the place that cannot be compiled
 */
export function compileSchema(openAPIV3Schema: JsonObject): StructuralSchema {
  const root = parseNode(openAPIV3Schema, LOCATION)
  const rules = compileRules(root)
  return {
    prune: (object) => prune(root, object),
    applyDefaults: (object) => applyDefaults(root, object),
    validate(object, old) {
      const found = findErrors(root, object, old)
      if (rules === undefined) return found
      if (found.some(({ reason }) => BLOCKS_RULES.has(reason))) return [...found, fieldError.rulesSkipped()]
      return [...found, ...rules.validate(object, old)]
    },
  }
}

/** Compares with `old` only when there is something to forgive, so that a write without errors pays nothing for it. */
function findErrors(root: SchemaNode, object: JsonObject, old: JsonObject | undefined): FieldError[] {
  const found: FieldError[] = []
  validateNode(root, object, '', found)
  if (found.length === 0 || old === undefined) return found
  const left: FieldError[] = []
  validateNode(root, object, '', left, old)
  return left
}
